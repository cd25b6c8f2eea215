"""The assembler over scripts that are written here, with macros of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from mapexplorer.decomp import preprocessor
from mapexplorer.decomp.assembler import Assembled, Assembler
from mapexplorer.decomp.enumerations import Enumerations
from mapexplorer.decomp.files import FolderFiles
from mapexplorer.decomp.preprocessor import Preprocessor
from mapexplorer.errors import SourceError

Write = Callable[[Mapping[str, str | bytes]], FolderFiles]

COMMANDS = """#include "constants.h"
    .macro inc x:req
        .set \\x, \\x + 1
    .endm
    .macro number constant:req
        .equiv \\constant, __count__
        inc __count__
    .endm
    .set __count__, 0
#define Command(constant, function) number constant
Command(CMD_NOOP, Noop)
Command(CMD_GOTO, GoTo)
Command(Cmd_Set, Set) // a name of its own
    .set OPEN, 1

    .macro Noop
    .short CMD_NOOP
    .endm

    .macro GoTo offset
    .short CMD_GOTO
    .long \\offset-.-4
    .endm

    .macro SetTo var, value=VAR_A - 1
    .if \\value >= VAR_A && \\value <= VAR_B
        .short Cmd_Set, \\var, \\value @ a variable
    .else
        .short Cmd_Set
        .short \\var
        .byte \\value
    .endif
    .endm

    .macro Count first, last
    .byte \\first
    .if \\first < \\last
        Count \\first + 1, \\last
    .endif
    .endm

    .macro Entry name
    .if OPEN == 1
        .long \\name-.-4
    .else
        .error "no Entry after EntryEnd"
    .endif
    .endm

    .macro EntryEnd
    .set OPEN, 0
    .short 0xFD13
    .endm

    .macro Step length = 1
    .short 5
    .short \\length
    .endm

    .macro All first, rest:vararg
    .ifnb \\first
        .byte \\first
        All \\rest
    .endif
    .endm

    .text
    .globl _start
_start:
"""
CONSTANTS = "#define VAR_A 0x4000\n#define VAR_B (VAR_A + 15)\nenum Side { LEFT = 2, RIGHT };\n"


@pytest.fixture
def assemble(tree: Write) -> Callable[[str], Assembled]:
    """The bytes of a script behind the line that includes its macros."""

    def assembled(text: str) -> Assembled:
        files = tree(
            {"asm/commands.inc": COMMANDS, "include/constants.h": CONSTANTS, "a.s": '#include "commands.inc"\n' + text}
        )
        return Assembler(Preprocessor(Enumerations(files))).assemble("a.s")

    return assembled


Assemble = Callable[[str], Assembled]


def test_entries_commands_labels_and_lines(assemble: Assemble) -> None:
    made = assemble(
        "\n    Entry First\n    Entry Seçond»\n    EntryEnd\n\nFirst:\n    Noop\nSeçond»: GoTo First\n"
        "#define LOCAL VAR_A\n    SetTo LOCAL, RIGHT\n    SetTo VAR_B, VAR_A\n"
    )
    entries = bytes.fromhex("06000000 04000000 13fd")
    commands = bytes.fromhex("0000 0100 f8ffffff 0200 0040 03 0200 0f40 0040")
    assert made.data == entries + commands
    assert made.labels == {"First": (10, 7), "Seçond»": (12, 9)}
    assert [made.line_at(offset) for offset in (0, 3, 4, 8, 10, 12, 17, 18, 23, 99)] == [
        3,
        3,
        4,
        5,
        8,
        9,
        9,
        11,
        12,
        12,
    ]
    assert set(made.files) == {"a.s", "asm/commands.inc", "include/constants.h"}


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("Count 1, 3", "01 02 03"),
        ("Count 1 3", "01 02 03"),
        ("Count first=2, last=RIGHT", "02 03"),
        ("Count last=RIGHT,first = LEFT", "02 03"),
        ("SetTo VAR_A", "0200 0040 ff"),
        ("SetTo LEFT - 1 RIGHT", "0200 0100 03"),
        ("Step\nStep 4", "0500 0100 0500 0400"),
        ("All 1, 2, 3", "01 02 03"),
        (".byte 1; .byte 2", "01 02"),
        (".byte -1, 0x1FF, 'a'", "ff ff 61"),
        (".byte 1\n.balign 4, 0xEE\n.byte 2", "01 ee ee ee 02 00 00 00"),
        (".byte 1\n.balign 0\n.byte 2", "01 02"),
        (".long here - . , .\nhere: .word 1", "08000000 04000000 01000000"),
        (".macro A b, c\n.byte \\b\\()\\c\n.endm\nA 1 2", "0c"),
        (".macro A\n.macro B\n.byte 7\n.endm\n.endm\nA\nB", "07"),
        (".ifdef OPEN\n.byte 1\n.else\n.byte 2\n.endif\n.ifndef NONE\n.byte 3\n.endif", "01 03"),
        (".if 0\n.if 1\n.byte 1\n.endif\n.elseif 2\n.byte 2\n.else\n.byte 3\n.endif", "02"),
    ],
)
def test_statements(assemble: Assemble, text: str, data: str) -> None:
    assert assemble(text).data == bytes.fromhex(data)


def test_names_hold_for_one_script(tree: Write) -> None:
    files = tree(
        {
            "asm/commands.inc": COMMANDS,
            "include/constants.h": CONSTANTS,
            "a.s": '#include "commands.inc"\n#define CHOICE 1\n#undef VAR_B\n#define VAR_B 5\n'
            ".byte CHOICE, VAR_B\nEntryEnd\n",
            "b.s": '#include "commands.inc"\n#define CHOICE 2\nEntry L\n.byte CHOICE\n.short VAR_B\nL: Noop\n',
            "c.s": ".byte 3\n",
            "d.s": "",
        }
    )
    assembler = Assembler(Preprocessor(Enumerations(files)))
    made = [assembler.assemble(f"{name}.s").data.hex() for name in "abcd"]
    assert made == ["010513fd", "03000000020f400000", "03", ""]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("GoTo Frist\nFirst: Noop", "line 2: nothing defines Frist; did you mean First?"),
        ("Noop\n SetTo VAR_A, RIHGT", "line 3: nothing defines RIHGT; did you mean RIGHT?"),
        ("Nop", "line 2: Nop is no macro; did you mean Noop?"),
        ("A:\nA:", "line 3: the label A exists already (a.s, line 2)"),
        ("Noop 1", "line 2: Noop has 0 arguments at most, not 1"),
        ("inc", "line 2: inc needs its argument x"),
        ("EntryEnd\n Entry A", "line 3: no Entry after EntryEnd"),
        (".short 1 +", "line 2: '1 +' is no expression"),
        (".byte 1 / 0", "line 2: a division by zero"),
        (".if 1\nNoop", "line 2: this condition has no .endif"),
        (".endif", "line 2: no .if stands before this"),
        (".macro A\n.if 1\n.endm\nA\n.endif", "line 5: the macro A does not end what it begins"),
        (".macro A\nNoop", "line 2: the macro A has no .endm"),
        (".macro A\nA\n.endm\nA", "line 5: macros call each other more than 100 deep, at last A"),
        (".macro A b\nA \\b\\b\n.endm\nA 1", "line 5: the macro A makes a statement of more than 16,384 characters"),
        (".macro", "line 2: .macro needs a name"),
        (".set A", "line 2: a name, a comma and a value are needed here"),
        (".equiv OPEN, 1", "line 2: OPEN has a value already"),
        (".balign 3", "line 2: .balign needs a power of two up to 4096, not 3"),
        (".balign 0x7fffffff", "line 2: .balign needs a power of two up to 4096, not 2147483647"),
        (".rept 5", "line 2: .rept is no directive that this version reads"),
        ("\x00\x01", "line 2: \x00\x01 is no macro"),
    ],
)
def test_what_is_wrong_has_a_file_and_a_line(assemble: Assemble, text: str, why: str) -> None:
    with pytest.raises(SourceError) as error:
        assemble(text)
    assert str(error.value) == f"a.s, {why}"


def test_what_grows_without_end_is_refused(assemble: Assemble, monkeypatch: pytest.MonkeyPatch) -> None:
    """A macro that calls itself twice, and one that writes much."""
    monkeypatch.setattr(preprocessor, "MOST_STEPS", 5000)
    with pytest.raises(SourceError, match="lines and macros follow from this file"):
        assemble(".macro A n\n.if \\n\nA \\n - 1\nA \\n - 1\n.endif\n.endm\nA 60")
    with pytest.raises(SourceError, match="the file has more than"):
        assemble(".macro A n\n.balign 4096\n.byte 1\n.if \\n\nA \\n - 1\nA \\n - 1\n.endif\n.endm\nA 60")
