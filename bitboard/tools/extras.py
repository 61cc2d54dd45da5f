"""How an extra of the package is installed: the one place that says so, besides the README."""

# Until the package is published; then: 'pip install "bitboard[{}]"'
INSTALL = 'pip install -e ".[{}]" in the checkout'


def hint(extra: str) -> str:
    """What to type for an extra, for messages that miss it."""
    return INSTALL.format(extra)
