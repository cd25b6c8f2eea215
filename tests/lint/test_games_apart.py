"""What differs between the games is known to `games` alone."""

from __future__ import annotations

import ast
from pathlib import Path

from mapexplorer.games import GAMES

ROOT = Path(__file__).resolve().parents[2]


def test_nothing_outside_games_chooses_by_a_game() -> None:
    """No code of a game, no name of a game's folder, and no comparison with a game is in another package."""
    words = {code for game in GAMES for code in game.codes} | {game.name for game in GAMES}
    games = {"PLATINUM", "DIAMOND_PEARL", "HEARTGOLD_SOULSILVER"}
    for file in (ROOT / "mapexplorer").rglob("*.py"):
        if file.parent.name == "games":
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert node.value not in words, f"{file}:{node.lineno}"
            if isinstance(node, ast.Compare):
                compared = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
                assert not compared & games, f"{file}:{node.lineno}"


def test_no_constant_outside_games_is_that_of_one_game() -> None:
    """DEFAULT is used only where a function is called, not when a module is imported."""
    for file in (ROOT / "mapexplorer").rglob("*.py"):
        if file.parent.name == "games":
            continue
        for statement in ast.parse(file.read_text("utf-8")).body:
            if isinstance(statement, ast.Assign | ast.AnnAssign):
                used = {one.id for one in ast.walk(statement) if isinstance(one, ast.Name)}
                assert "DEFAULT" not in used, f"{file}:{statement.lineno}"
