"""A server of the page and a browser to look at it, for tests and screenshots.

Needs Chromium and its driver (Debian: chromium, chromium-driver) and selenium.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PHONE, DESKTOP = (390, 844), (1280, 860)


@contextmanager
def server(*arguments, **environment):
    """`bitboard web` as a process: (process, address)."""
    command = [sys.executable, "-m", "bitboard", "web", "--port", "0", *arguments]
    process = subprocess.Popen(
        command, cwd=ROOT, env=os.environ | environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        line = process.stdout.readline()
        address = re.search(r"http://\S+/", line)
        assert address, line + process.stdout.read()
        yield process, address[0]
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            process.wait(20)
        process.stdout.close()


@contextmanager
def browser(size=DESKTOP, dark=False, downloads=None):
    """A Chromium of Debian; its `.errors()` are what its console holds of errors and warnings."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    found = {name: shutil.which(name) for name in ("chromium", "chromedriver")}
    assert all(found.values()), "the tests of the page need chromium and chromedriver: apt-get install chromium-driver"
    options = webdriver.ChromeOptions()
    options.binary_location = found["chromium"]
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    if downloads:
        options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    driver = webdriver.Chrome(options, Service(found["chromedriver"]))
    try:
        look(driver, size, dark)
        driver.set_script_timeout(60)
        yield driver
    finally:
        driver.quit()


def look(driver, size, dark=False, quiet=False):
    """Set the size of the page, light or dark, and whether motion is to be reduced."""
    width, height = size
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = [
        {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
        {"name": "prefers-reduced-motion", "value": "reduce" if quiet else "no-preference"},
    ]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def errors(driver):
    """What the console holds of errors and warnings since it was asked last."""
    return [entry for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]


def run(driver, script, *arguments):
    """The result of an asynchronous function's body in the page, through JSON."""
    text = driver.execute_async_script(
        f"const done = arguments[arguments.length - 1], given = [...arguments];"
        f"(async () => {{ {script} }})().then((r) => done(JSON.stringify(r ?? null)), "
        f"(e) => done(JSON.stringify({{failed: String(e)}})));",
        *arguments,
    )
    return json.loads(text)
