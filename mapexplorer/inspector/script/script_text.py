"""A script file or one of its scripts as lines in parts with links, and as plain text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from mapexplorer.gameplay.activation import Activation, Cause
from mapexplorer.gameplay.script_listing import joined_lines
from mapexplorer.gameplay.text_slots import TEXT
from mapexplorer.games import Role
from mapexplorer.inspector.origins import origin_text
from mapexplorer.inspector.script.activation import cause_text
from mapexplorer.inspector.script.script_lines import (
    LinePart,
    PartRole,
    Parts,
    joined,
    line_parts,
    movement_words,
    plain_text,
    quoted,
)
from mapexplorer.inspector.script.script_listing import InitScriptFacts, ScriptFacts, records_json
from mapexplorer.world import FieldWorld
from mapexplorer.world.events.script_effects import NOT_CONSTANT
from mapexplorer.world.subject import Subject, subject
from mapexplorer.world.wording import member as member_words

EVENT_OF: Final = {Cause.OBJECT: "object", Cause.BACKGROUND_EVENT: "sign", Cause.TRIGGER: "trigger"}
"""What a script belongs to -> the kind of the event."""


class ScriptRow(NamedTuple):
    """A line of a shown script file; `offset`: of a line of the listing, its byte offset; `dead`: no entry leads to
    it."""

    parts: Parts = ()
    offset: int | None = None
    dead: bool = False


def script_text(world: FieldWorld, facts: ScriptFacts | InitScriptFacts) -> str:
    """A script file as plain text."""
    return "\n".join(plain_text(row.parts).rstrip() for row in script_rows(world, facts))


def script_rows(
    world: FieldWorld, facts: ScriptFacts | InitScriptFacts, *, effects: bool = True
) -> tuple[ScriptRow, ...]:
    """A script file as lines: its title, what runs it, what its scripts can do (unless `effects` is false), its
    commands."""
    rows = [_heading(_title(world, facts))]
    if isinstance(facts, InitScriptFacts):
        owner = next((header.id for header in world.headers if header.init_scripts == facts.member), None)
        return *rows, *(ScriptRow(_record_parts(world, owner, row)) for row in records_json(facts.file))
    if facts.runs:
        rows += [ScriptRow(), _heading("Runs"), *(ScriptRow(_run_parts(world, run)) for run in facts.runs)]
    for entry, can in facts.effects.items() if effects else ():
        if can.found:
            more = "" if can.complete else " (incomplete: too many paths)"
            rows += [ScriptRow(), _heading(f"What {facts.name((entry,))} can do{more}")]
            rows += [ScriptRow((LinePart("  "), *line)) for line in _effects_of(facts, entry)]
    return *rows, *_code(world, facts)


def _heading(text: str) -> ScriptRow:
    return ScriptRow((LinePart(text, PartRole.HEADING),))


def _title(world: FieldWorld, facts: ScriptFacts | InitScriptFacts) -> str:
    title = member_words(Role.SCRIPTS, facts.member)
    if isinstance(facts, InitScriptFacts):
        return f"{title}: initial scripts"
    bank = "" if facts.bank is None else f", texts of {member_words(Role.MESSAGES, facts.bank)}"
    entry = "" if facts.entry is None else f", entry {facts.entry}"
    place = "" if facts.header is None else f"{world.headers[facts.header].title}: "
    number = "" if facts.number is None else f"script {facts.number}, "
    return f"{place}{number}{title}{entry}{bank}"


def _code(world: FieldWorld, facts: ScriptFacts) -> Iterator[ScriptRow]:
    reached, commands, listing = True, world.game.tables.script_commands, facts.listing
    for line in joined_lines(listing, commands):
        now = line.offset in listing.reached
        if reached and not now:
            yield from (ScriptRow(), ScriptRow((LinePart("; no entry leads here:"),), dead=True))
        reached = now
        if line.offset in listing.entries:
            origin = facts.origin(line.offset)
            stands = "" if origin is None else f"  {origin_text(origin)}"
            yield from (ScriptRow(), _heading(f"{facts.name(listing.entries[line.offset])}:{stands}"))
        mark = ">" if line.offset in listing.labels else " "
        place = LinePart(f"{mark} {line.offset:5X}  ", PartRole.OFFSET)
        parts = place, *line_parts(line, commands, facts.goal), *_movement_parts(facts, line.offset)
        yield ScriptRow(parts, line.offset, not now)


def _movement_parts(facts: ScriptFacts, offset: int) -> Parts:
    """Beside a command that applies a movement list: who does what."""
    if offset not in facts.movements:
        return ()
    who, moves = facts.movements[offset]
    return (LinePart(f"  ; {who.words or f'object {who.number}'} {movement_words(moves)}", PartRole.NAME),)


# --- what runs a script


_MOMENTS: Final = {1: "each frame", 2: "on transition", 3: "on resume", 4: "on load"}


def record_text(world: FieldWorld, row: dict[str, Any]) -> str:
    """A record of an initial script file."""
    return plain_text(_record_parts(world, None, row)).lstrip()


def _record_parts(world: FieldWorld, header: int | None, row: dict[str, Any]) -> Parts:
    """A record of the initial script file of a header, with a link to the script."""
    variable = world.game.tables.save_names.variable(row["variable"]) if "variable" in row else ""
    condition = f" while {variable} is {row['value']}" if variable else ""
    goal = None if header is None else subject("script", header, row["script"])
    script = LinePart(f"script {row['script']}", PartRole.NUMBER, goal)
    return LinePart("  "), LinePart(f"{_MOMENTS[row['type']]}: "), script, LinePart(condition)


def _run_parts(world: FieldWorld, run: Activation) -> Parts:
    script = LinePart(f"script {run.script}", PartRole.NUMBER, subject("script", run.header, run.script))
    return LinePart("  "), script, LinePart(": "), LinePart(cause_text(world, run), PartRole.PLAIN, _run_by(world, run))


def _run_by(world: FieldWorld, run: Activation) -> Subject | None:
    if run.cause in EVENT_OF:
        return subject(EVENT_OF[run.cause], run.header, run.index)
    if run.cause is Cause.INIT_SCRIPT:
        return subject("scripts", world.headers[run.header].init_scripts)
    return None


# --- what a script can do


def effect_lines(facts: ScriptFacts, entry: int) -> Iterator[str]:
    """What an entry can do: one line for each effect, for texts one line each."""
    return map(plain_text, _effects_of(facts, entry))


def _effects_of(facts: ScriptFacts, entry: int) -> Iterator[Parts]:
    for effect, rows in facts.effects[entry].found.items():
        shown = [_effect_parts(facts, entry, effect, row) for row in rows]
        lines = [[parts] for parts in shown] if effect == TEXT else [shown]
        for line in lines:
            yield LinePart(f"{effect}: ", PartRole.COMMAND), *joined(line)


def _effect_parts(facts: ScriptFacts, entry: int, effect: str, row: tuple[int | str, ...]) -> Parts:
    name, goal = facts.effect_name(entry, effect, row), facts.effect_goal(effect, row[0])
    # The common shops have one list; the number is that of no other.
    words = " ".join(
        ["?" if value == NOT_CONSTANT else str(value) for value in (row[:1] if row[0] == "common" else row)]
    )
    if not name:
        return (LinePart(words, PartRole.NUMBER, goal),)
    shown = (
        LinePart(quoted(name), PartRole.MESSAGE, goal) if effect == TEXT else LinePart(f"({name})", PartRole.NAME, goal)
    )
    return LinePart(f"{words} ", PartRole.NUMBER, goal), shown
