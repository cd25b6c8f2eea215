"""What was found: one entry for each cause, with the smallest file that shows it."""

from __future__ import annotations

import base64
import json
import time
import traceback
import zlib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType

_TRIES, _SECONDS = 400, 20.0
_PACKAGES = ("formats", "mapexplorer")


@dataclass(frozen=True)
class Finding:
    """A cause (`signature`) with the first case that had it, its trace, and the bytes of a file, packed as text."""

    signature: str
    seed: str
    number: int
    kind: str
    trace: str
    data: str


def signature_of(error: BaseException) -> str:
    """The type of an error, and the innermost function of the program in its trace."""
    where = ""
    step: TracebackType | None = error.__traceback__
    while step is not None:
        name = step.tb_frame.f_globals.get("__name__", "")
        if name.partition(".")[0] in _PACKAGES:
            where = f"{name}.{step.tb_frame.f_code.co_name}"
        step = step.tb_next
    words = str(error) if isinstance(error, AssertionError) else ""
    return " ".join(part for part in (type(error).__name__, where, words) if part)


def trace_of(error: BaseException) -> str:
    """An error as Python prints it."""
    return "".join(traceback.format_exception(error))


def packed(data: bytes) -> str:
    """Bytes as text."""
    return base64.b64encode(zlib.compress(data, 9)).decode()


def unpacked(text: str) -> bytes:
    """The bytes of a text of `packed`."""
    return zlib.decompress(base64.b64decode(text))


def shrunk(data: bytes, whole: bytes, shows: Callable[[bytes], bool]) -> bytes:
    """A file near to the `whole` one it was made of, shorter or with more zeros, that still shows the same."""
    end, tries = time.monotonic() + _SECONDS, 0

    def try_it(new: bytes) -> bool:
        nonlocal data, tries
        tries += 1
        if new == data or tries > _TRIES or time.monotonic() > end or not shows(new):
            return False
        data = new
        return True

    if len(data) == len(whole):
        for place in [place for place in range(len(data)) if data[place] != whole[place]]:
            try_it(data[:place] + whole[place : place + 1] + data[place + 1 :])
    for part in (2, 4, 8, 16):
        try_it(data[: len(data) - len(data) // part])
    size = max(1, len(data) // 8)
    while size >= 4:
        for place in range(0, len(data), size):
            try_it(data[:place] + bytes(len(data[place : place + size])) + data[place + size :])
        size //= 4
    return data


class Findings:
    """The findings in a file of JSON lines; a cause is added once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.all = (
            [Finding(**json.loads(line)) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
        )

    def knows(self, signature: str) -> bool:
        """Whether a cause is known."""
        return any(one.signature == signature for one in self.all)

    def add(self, finding: Finding) -> None:
        """Add a finding unless its cause is known."""
        if not self.knows(finding.signature):
            self.all.append(finding)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(finding)) + "\n")
