"""The files that were once found, and what was wrong with them: `corpus.jsonl` beside this module.

`python -m tools.fuzz.corpus FINDINGS.jsonl` adds findings of files that were made of the project's own ones.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import NamedTuple

from tools.fuzz.findings import Findings, unpacked

CORPUS = Path(__file__).with_name("corpus.jsonl")

LARGEST = 4000
"""Letters of a packed file in the corpus; larger ones are to be reduced by hand."""


class Kept(NamedTuple):
    """A file of the corpus: its kind among the seeds, what was wrong, and its bytes."""

    kind: str
    signature: str
    data: bytes


def read_corpus() -> list[Kept]:
    """All files of the corpus."""
    entries = [json.loads(line) for line in CORPUS.read_text("utf-8").splitlines()]
    return [Kept(entry["kind"], entry["signature"], unpacked(entry["data"])) for entry in entries]


def add(path: Path) -> int:
    """Add the findings in a file to the corpus; the result is how many were new and small enough."""
    known = {entry.signature for entry in read_corpus()}
    added = 0
    with CORPUS.open("a", encoding="utf-8") as corpus:
        for one in Findings(path).all:
            if unpacked(one.data) and one.signature not in known and len(one.data) <= LARGEST:
                known.add(one.signature)
                entry = {"kind": one.kind, "signature": one.signature, "data": one.data}
                corpus.write(json.dumps(entry) + "\n")
                added += 1
    return added


if __name__ == "__main__":
    print(f"{add(Path(sys.argv[1]))} added")
