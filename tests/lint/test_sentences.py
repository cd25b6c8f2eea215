"""No code reads the sentences that are made for people."""

from __future__ import annotations

import ast
from pathlib import Path

import mapexplorer

PROSE = {"why", "how", "reason", "because", "meaning", "sentences", "height_reason", "source"}
CUTTING = {
    "split",
    "rsplit",
    "partition",
    "rpartition",
    "startswith",
    "endswith",
    "removeprefix",
    "removesuffix",
    "find",
}
USERS_OF_RE = {
    "atlas/build.py",  # names of files
    "atlas/lists.py",  # a text in Markdown
    "atlas/request.py",  # what the user typed
    "catalogue/kinds.py",  # what the user typed
    "catalogue/resolve.py",  # what the user typed
    "catalogue/search.py",  # what the user typed
    "export/extract.py",  # what the user typed
    "export/maps.py",  # what the user typed
    "export/models.py",  # what the user typed
    "games/game.py",  # paths
    "gui/app/requirements.py",  # messages of the Qt library
    "export/dump.py",  # what the user typed
    "gameplay/text_slots.py",  # names of commands
    "gameplay/script_names.py",  # placeholders in texts of the game
    "games/script_tables.py",  # the notation of arguments in a table
    "naming.py",  # what the user typed
    "scene/link.py",  # what the user typed
    "world/headers/header.py",  # what the user typed
    "world/headers/room_names.py",  # names of the decompilation
    "inspector/script/script_listing.py",  # what the user typed
    "walk/path.py",  # what the user typed
    "export/files.py",  # names of files
    "rom/folder.py",  # names of files
    "source_tree/dangling.py",  # a file of an unpacked folder
    "cli/completion.py",  # names in a ROM
    "source_tree/folder.py",  # names of files
    "json_lines.py",  # a file of an unpacked folder
    "decomp/assembler.py",  # files of a source tree
    "decomp/brackets.py",  # files of a source tree
    "decomp/enumerations.py",  # files of a source tree
    "decomp/data.py",  # files of a source tree
    "decomp/listing.py",  # files of a source tree
    "decomp/tree.py",  # files of a source tree
    "decomp/c_source.py",  # files of a source tree
    "decomp/c_tables.py",  # files of a source tree
    "decomp/revisions.py",  # paths that the user typed
    "decomp/text_banks.py",  # files of a source tree
    "decomp/texts.py",  # files of a source tree
    "decomp/files.py",  # names of files
    "decomp/expressions.py",  # files of a source tree
    "decomp/preprocessor.py",  # files of a source tree
    "decomp/pictures.py",  # files of a source tree
    "source_tree/script_reader.py",  # a file of an unpacked folder
    "source_tree/script_syntax.py",  # names of commands
    "gameplay/conversation.py",  # texts of the ROM
    "rom/dspre_texts.py",  # texts of a project of DSPRE
    "world/sources/header_search.py",  # instructions of the program
    "gui/manual.py",  # pages of the manual
    "gui/model/maplist.py",  # numbers in names of places
    "system/libraries.py",  # versions and messages of the system's loader
}


def modules() -> dict[str, ast.Module]:
    root = Path(mapexplorer.__file__).parent
    return {
        path.relative_to(root).as_posix(): ast.parse(path.read_text("utf-8"))
        for path in sorted(root.rglob("*.py"))
        if path.relative_to(root).parts[0] not in ("data", "demo")
    }


def test_regular_expressions_read_no_sentences() -> None:
    """A module that begins to use `re` says here what it reads."""
    found = {
        name
        for name, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Import) and any(alias.name == "re" for alias in node.names)
    }
    assert found == USERS_OF_RE


def test_no_sentence_is_cut() -> None:
    """No string method that cuts or searches is called on a field or function that holds text for people."""
    cut = []
    for name, tree in modules().items():
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CUTTING):
                continue
            parts = {getattr(part, "attr", getattr(part, "id", "")) for part in ast.walk(node.func.value)}
            if parts & PROSE:
                cut.append(f"{name}:{node.lineno}")
    assert cut == []
