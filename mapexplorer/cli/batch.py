"""The answer of verbs that write a file for every map."""

from __future__ import annotations

from mapexplorer.cli.answer import Answer
from mapexplorer.cli.output import progress
from mapexplorer.export.request import AllMapsRequest, AllPicturesRequest
from mapexplorer.export.run import run
from mapexplorer.system import interrupt


def batch_answer(rom: str, request: AllMapsRequest | AllPicturesRequest, doing: str) -> Answer:
    """Write every map of a request. Raises what the request raises."""
    from mapexplorer.world.opening import open_rom

    with progress(doing) as bar:
        outcome = run(request, open_rom(rom), bar)
    facts, status = outcome.facts, 1 if outcome.facts["failed"] else 0
    if facts["interrupted"]:
        from mapexplorer.export.batch import interrupted_sentence

        interrupt.say(interrupted_sentence(len(facts["written"]) + len(facts["skipped"]), facts["undone"]))
        status = interrupt.status()
    empty = [f"{entry['header']} {entry['internal_name']}: no file, {entry['reason']}" for entry in facts["empty"]]
    return Answer(f"{outcome.sentence}.", empty, lambda: facts, after=outcome.notices, status=status)
