"""Text on standard output and standard error. Names in a ROM can hold any character; none of them controls the terminal
or begins a new line. Nothing else in the program writes to these streams, but the lines that redraw themselves."""

from __future__ import annotations

import sys
import unicodedata

_CONTROL = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Unicode categories: control and format characters, lone surrogates, separators of lines and paragraphs."""

_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def printable(text: str, keep: str = "") -> str:
    """`text` with its control characters, but those of `keep`, written as in JSON (`\\n`, `\\u001b`). Characters that
    change the direction of text or separate lines are among them."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        letter if letter in keep or unicodedata.category(letter) not in _CONTROL else _escaped(letter)
        for letter in text
    )


def _escaped(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass").hex()
    return _SHORT.get(letter) or "".join(f"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))


def echo(*lines: str, err: bool = False) -> None:
    """Print lines on standard output or standard error, each of them as one line."""
    _write("".join(f"{printable(line)}\n" for line in lines), err)


def echo_data(text: str) -> None:
    """Print JSON or CSV on standard output; a control character in it but a line feed is inside a string, and is
    escaped there."""
    _write(printable(text, keep="\n"), False)


def _write(text: str, err: bool) -> None:
    stream = sys.stderr if err else sys.stdout
    stream.write(text)
    stream.flush()
