"""Readers of tests/data: what other programs and publications say."""

import csv
import gzip
import json
from pathlib import Path

DATA = Path(__file__).resolve().parent / "data"


def rows(name):
    """The rows of a .csv or .csv.gz file as dicts."""
    opener = gzip.open if name.endswith(".gz") else open
    with opener(DATA / name, "rt", encoding="utf-8") as file:
        yield from csv.DictReader(file)


def objects(name):
    """The objects of a .jsonl or .jsonl.gz file."""
    opener = gzip.open if name.endswith(".gz") else open
    with opener(DATA / name, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)
