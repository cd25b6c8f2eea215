"""What a verb answers, and its output: as text or as JSON, and the last line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

from mapexplorer.cli.output import json_option, print_json
from mapexplorer.system.terminal import echo, echo_data


@dataclass(frozen=True)
class Answer:
    """The answer of a verb, which is printed as text or as JSON."""

    summary: str
    """The last line: what was done and what failed. Beside data it goes to standard error."""
    text: Iterable[str] = ()
    """Lines, printed as they come."""
    json: Callable[[], dict[str, Any]] | None = None
    """Makes the JSON values."""
    csv: str | None = None
    """Data that are printed in place of the text."""
    before: Sequence[str] = ()
    """Lines on standard error before the text."""
    after: Sequence[str] = ()
    """Lines on standard error after it: what was left out."""
    status: int = 0
    """The exit status."""
    streamed: bool = False
    """Standard output has the data of a file."""

    def show(self, *, as_json: bool = False) -> int:
        """Print the answer; its exit status."""
        echo(*self.before, err=True)
        if as_json:
            if self.json is not None:
                print_json(self.json())
        elif self.csv is not None:
            echo_data(self.csv)
        else:
            for line in self.text:
                echo(line)
        echo(*self.after, err=True)
        echo(self.summary, err=as_json or self.streamed or self.csv is not None)
        return self.status


def answered(verb: Callable[..., Answer]) -> Callable[..., int]:
    """A decorator of verbs whose answer is printed as text, or with --json as JSON."""

    @json_option
    @wraps(verb)
    def printed(*arguments: Any, as_json: bool, **options: Any) -> int:
        return verb(*arguments, **options).show(as_json=as_json)

    return printed


def maps_json(maps: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The JSON values of one map, or of several as a list."""
    first, *others = maps
    return {"maps": [first, *others]} if others else first
