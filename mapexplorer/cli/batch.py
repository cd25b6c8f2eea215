"""Running a request behind a progress bar, and the answer of verbs that write a file for every map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mapexplorer.cli.answer import Answer
from mapexplorer.cli.output import progress
from mapexplorer.export.request import AllMapsRequest, AllPicturesRequest, Request
from mapexplorer.export.run import run
from mapexplorer.system import interrupt
from mapexplorer.system.progress import Outcome

if TYPE_CHECKING:
    from mapexplorer.rom import Rom
    from mapexplorer.world.world import FieldWorld


def run_shown(request: Request, opened: Rom | FieldWorld | None, doing: str) -> Outcome:
    """The outcome of a request, behind a progress bar. Raises what the request raises."""
    with progress(doing) as bar:
        return run(request, opened, bar)


def batch_answer(rom: str, request: AllMapsRequest | AllPicturesRequest, doing: str) -> Answer:
    """Write every map of a request. Raises what the request raises."""
    from mapexplorer.world.opening import open_rom

    outcome = run_shown(request, open_rom(rom), doing)
    facts, status = outcome.facts, 1 if outcome.facts["failed"] else 0
    if facts["interrupted"]:
        from mapexplorer.export.batch import interrupted_sentence

        interrupt.say(interrupted_sentence(len(facts["written"]) + len(facts["skipped"]), facts["undone"]))
        status = interrupt.status()
    empty = [f"{entry['header']} {entry['internal_name']}: no file, {entry['reason']}" for entry in facts["empty"]]
    return Answer(f"{outcome.sentence}.", empty, lambda: facts, after=outcome.notices, status=status)
