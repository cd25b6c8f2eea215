"""The actions of the window as a page: `python -m tools.action_reference` writes docs/keys.md.

The page is made from the table of actions, which also makes menus, shortcuts and the palette.
`tests/lint/test_docs.py` compares the page with it. Needs PyQt5, but no display.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final
from unittest.mock import MagicMock

PAGE: Final = Path(__file__).parents[1] / "docs" / "keys.md"

_MOUSE: Final = (
    ("Click", "Inspect what is under the cursor"),
    ("Double click", "Follow a warp; while walking, put the player there; on the map, enter the place"),
    ("Left drag", "Turn, or move (game, top)"),
    ("Right drag", "Move over the ground"),
    ("Wheel", "Zoom to the cursor; fly ahead"),
    ("Ctrl+wheel", "Speed when flying"),
    ("Right click in a panel", "Copy it as text or JSON"),
    ("W A S D, arrows", "Move the camera"),
    ("Q, E", "Down and up when flying"),
    ("Shift", "Four times as fast"),
    ("Escape", "In a panel, back to the picture; remove the ruler, leave the map; while walking, stop"),
)

_HEAD: Final = """# Keys

<!-- Made by python -m tools.action_reference from the table of actions; do not edit it. -->

H shows this page, Ctrl+K finds an action by its name, Preferences lists and changes the keys. [The window](window.md)
explains what its parts show.
"""


def page() -> str:
    """The page."""
    from mapexplorer.gui.actions.action import GROUPS
    from mapexplorer.gui.actions.action_table import action_table

    table = action_table(MagicMock(), MagicMock())
    sections = [
        _HEAD,
        _table("Mouse and held keys", ["mouse or key", "what it does"], [[keys, what] for keys, what in _MOUSE]),
    ]
    for group in GROUPS:
        rows = [
            [action.name, ", ".join(f"`{key}`" for key in action.keys), action.hint]
            for action in table
            if action.group == group
        ]
        sections.append(_table(group, ["action", "keys", "what it does"], rows))
    return "\n".join(sections)


def _table(title: str, titles: list[str], rows: list[list[str]]) -> str:
    lines = [titles, ["---"] * len(titles), *rows]
    return f"## {title}\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    sys.stdout.write(f"{PAGE}\n")
