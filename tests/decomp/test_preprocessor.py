"""The C preprocessor over sources of a tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from mapexplorer.decomp import preprocessor
from mapexplorer.decomp.enumerations import Enumerations
from mapexplorer.decomp.expressions import ExpressionError, expression
from mapexplorer.decomp.files import FolderFiles
from mapexplorer.decomp.preprocessor import Preprocessor, Scope
from mapexplorer.errors import SourceError

Write = Callable[[Mapping[str, str | bytes]], FolderFiles]


def reader(files: FolderFiles) -> Preprocessor:
    return Preprocessor(Enumerations(files))


def lines(files: FolderFiles, path: str, scope: Scope | None = None) -> list[str]:
    scope = Scope() if scope is None else scope
    return [scope.expanded(file, line, text) for file, (line, text) in reader(files).read(path, scope)]


def refused(files: FolderFiles, path: str = "a.s") -> str:
    with pytest.raises(SourceError) as error:
        lines(files, path)
    return str(error.value)


@pytest.mark.parametrize(
    ("text", "in_c", "in_assembler"),
    [
        ("1 + 2 * 3", 7, 7),
        ("-7 / 2", -3, -3),
        ("-7 % 2", -1, -1),
        ("0x10 | 0b11", 0x13, 0x13),
        ("017 - 'a'", 15 - 97, 15 - 97),
        ("1 + 2 | 4", 7, 7),
        ("1 + 4 | 1", 5, 6),
        ("2 == 2", 1, -1),
        ("1 << 2 + 1", 8, 5),
        ("5 < 2 + 1", 0, 1),
        ("!0 && ~0 == -1", 1, 1),
        ("A >= 5 && (A <= 7 || 0)", 1, 1),
        ("1 << 100", 0, 0),
    ],
)
def test_an_expression(text: str, in_c: int, in_assembler: int) -> None:
    assert expression(text)({"A": 6}) == in_c
    assert expression(text, assembler=True)({"A": 6}) == in_assembler


@pytest.mark.parametrize(
    "text", ["", "1 +", "(1", "1 2", "a b", "#", "09", "1 +* 2", "(" * 5000, "9" * 5000, "é" * 3 + " ="]
)
def test_what_is_no_expression(text: str) -> None:
    with pytest.raises(ExpressionError):
        expression(text)
    with pytest.raises(ExpressionError):
        expression(text, assembler=True)


def test_a_division_by_zero_has_no_value() -> None:
    with pytest.raises(ExpressionError):
        expression("1 / (2 - 2)")({})


def test_includes_guards_and_conditions(tree: Write) -> None:
    files = tree(
        {
            "include/one.h": "#ifndef ONE_H\n#define ONE_H\n#define FIRST 3\nfirst\n#endif // ONE_H\n",
            "asm/two.inc": '#include "one.h"\nsecond\n',
            "src/a.s": '#include "two.inc"\n#include "one.h"\n#include "beside.h"\n#include <absent.h>\n'
            "#if defined(FIRST) && FIRST == 3 && !UNKNOWN\nyes\n#else\nno\n#endif\n"
            "#ifdef ABSENT\nno\n#elif FIRST > 2\nalso\n#else\nno\n#endif\n",
            "src/beside.h": "third /* a\ncomment */ line // rest\n",
        }
    )
    assert lines(files, "src/a.s") == ["first", "second", "third", "line", "yes", "also"]


def test_macros_are_replaced_and_numbers_are_names(tree: Write) -> None:
    files = tree(
        {
            "a.s": "#define SUM(a, b) ((a) + b)\n#define JOIN(a) left_ ## a\n#define WORDS two words\n"
            "#define SELF SELF + 1\n#define NUMBER (LATER * 2)\n#define LATER 4\n#define EMPTY\n"
            'SUM(1, SUM(2, 3)) JOIN(x) WORDS NUMBER SELF SUM \\\n EMPTY end "WORDS"\n'
        }
    )
    scope = Scope()
    assert lines(files, "a.s", scope) == ['((1) + ((2) + 3)) left_x two words (4 * 2) SELF + 1 SUM    end "WORDS"']
    assert [scope.number("a.s", 1, name) for name in ("NUMBER", "SUM", "ABSENT")] == [8, None, None]
    assert scope.macros["LATER"][2:] == ("a.s", 6)


def test_enumerators_have_numbers_and_lines(tree: Write) -> None:
    files = tree(
        {
            "include/a.h": "enum Kind {\n    ROCK,\n    SAND = 7, MUD,\n    LAST = MUD,\n    NEXT = (1 << 4), //\n};\n"
            "typedef enum {\n    A = sizeof(int),\n    B,\n    C = 2\n} Other;\nenum Kind f(enum Kind kind);\n"
            "enum Third { X = 1, Y };\nenum Fourth\n{\n    Z = Y + 1\n};\n"
        }
    )
    names = reader(files).constants("include/a.h")
    numbers = {"ROCK": 0, "SAND": 7, "MUD": 8, "LAST": 8, "NEXT": 16, "C": 2, "X": 1, "Y": 2, "Z": 3}
    assert dict(names) == numbers
    assert names.origin("MUD") == ("include/a.h", 3)
    assert lines(files, "include/a.h") == ["enum Kind f(enum Kind kind);"]


def test_headers_that_only_a_build_makes(tree: Write) -> None:
    files = tree(
        {
            "generated/items.txt": "ITEM_NONE\nITEM_BALL\n",
            "generated/trainers.txt": "TRAINER_NONE\nTRAINER_A\nMAX_TRAINERS\n",
            "res/text/town.json": '{"key": 1, "messages": [{"id": "Hi", "en_US": "x"},\n{"id": "Bye", "en_US": "y"}]}',
            "res/events/town.json": '{"object_events": [{"id": "LOCALID_A"}, {"id": "LOCALID_B"}]}',
            "res/maps/map.order": "one.bin\ntwo\n",
            "res/maps/other.order": "three\n",
            "res/maps/meson.build": "x = custom_target('map_archive.narc',\n  command: [files('map.order')])\n",
            "a.s": '#include "generated/items.h"\n#include "res/text/bank/town.h"\n#include "res/events/town.h"\n'
            '#include "res/maps/map_archive.naix"\n#include "res/x/trainer_scripts.h"\n#include "generated/absent.h"\n',
        }
    )
    scope = Scope()
    made = ["ScriptEntry Battles_Trainer"] * 2 + ["ScriptEntry Battles_ApproachingTrainer", "ScriptEntryEnd"]
    assert lines(files, "a.s", scope) == made
    names = {"ITEM_BALL": 1, "Hi": 0, "Bye": 1, "LOCALID_B": 1, "one_bin": 0, "two": 1}
    assert {name: scope[name] for name in names} == names
    assert scope.numbers["Bye"][:3] == (1, "res/text/town.json", 2)
    assert scope.numbers["two"][:3] == (1, "res/maps/map.order", 2)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("#if 1\nx\n", "a.s, line 1: this condition has no #endif"),
        ("x\n#endif\n", "a.s, line 2: no #if stands before this"),
        ("#if 1 +\n#endif\n", "a.s, line 1: '1 +' is no expression"),
        ("x /* y\n", "a.s, line 1: the comment that begins here has no */"),
        ("#include name\n", "a.s, line 1: #include needs a name in quotes, not name"),
        ("#define 1\n", "a.s, line 1: #define needs a name, not 1"),
        ('#error "no"\n', "a.s, line 1: no"),
        ("#define F(a) a\nF(1, 2)\n", "a.s, line 2: the macro F needs 1 argument, not 2"),
        ('\n#include "a.s"\n', "a.s, line 2: a.s is included inside 64 others; one of them includes itself"),
    ],
)
def test_what_is_wrong_has_a_file_and_a_line(tree: Write, text: str, why: str) -> None:
    assert refused(tree({"a.s": text})) == why


def test_what_grows_without_end_is_refused(tree: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Macros that double, to a long text or to nothing, and files that include two others each."""
    monkeypatch.setattr(preprocessor, "MOST_STEPS", 5000)
    doubling = "".join(f"#define M{n} M{n + 1} M{n + 1}\n" for n in range(40))
    fan = {f"include/h{n}.h": f'#include "h{n + 1}.h"\n#include "h{n + 1}.h"\n' for n in range(40)}
    files = tree(
        {
            "a.s": f"{doubling}#define M40 {'x' * 200}\nM0\n",
            "b.s": f"{doubling}#define M40\nM0\n",
            "c.s": '#include "h0.h"\n',
        }
        | fan
    )
    assert "makes more than 65,536 characters of this line" in refused(files)
    for path in ("b.s", "c.s"):
        assert "more than 5,000 lines and macros follow from this file" in refused(files, path)
