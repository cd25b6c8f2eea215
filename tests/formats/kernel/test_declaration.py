"""What a declaration refuses, and calls from Python."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from formats.kernel import entry, interpreted, kernel
from mapexplorer import kernels

ROOT = Path(__file__).resolve().parents[3]


def test_an_entry_names_its_parameters_in_their_order() -> None:
    with pytest.raises(TypeError, match=r"has the parameters \('a', 'b'\)"):

        @entry(b=int, a=int)
        def wrong(a: int, b: int) -> None: ...


def test_a_kernel_without_code_is_called_by_kernels_only() -> None:
    @kernel
    def double(value: int) -> int:
        return 2 * value

    with pytest.raises(TypeError, match="only be called by other kernels"):
        double(2)
    with interpreted():
        assert double(2) == 4
    with pytest.raises(TypeError):
        double(2)


def test_the_list_of_units_is_the_list_of_modules_with_entries() -> None:
    found = set()
    for folder in ("formats", "mapexplorer"):
        for path in (ROOT / folder).rglob("*.py"):
            if re.search(r"^@entry\(", path.read_text("utf-8"), re.MULTILINE):
                found.add(".".join(path.relative_to(ROOT).with_suffix("").parts))
    assert found == set(kernels.EVERYTHING)


def test_arguments_and_results_of_every_type(make_module: Callable[..., Path], run: Callable[..., str]) -> None:
    folder = make_module("numbers_of_kernels")
    program = """
import numpy as np, sys
from numbers_of_kernels import checked, count, everything, half, positive
values = np.array([1, 2, 4000000000], np.uint32)
values.flags.writeable = False
out = np.zeros((1, 3))
print(everything(values, 0.5, True, out), out.tolist(), count(np.zeros(7, np.int64)))
few = count.bound(values=np.zeros(2, np.int64))
print(few(), positive(3), positive(-3), half(3.0), checked(5), "numba" in sys.modules)
try:
    checked(-5)
except RuntimeError as error:
    print(error)
"""
    assert run(program, folder).splitlines() == [
        "(-4000000012, 1.0) [[0.5, 1.0, 2000000000.0]] 7",
        "2 True False 1.5 5 False",
        "the kernel checked raised an error",
    ]


def test_arrays_of_another_kind_are_refused(make_module: Callable[..., Path], run: Callable[..., str]) -> None:
    folder = make_module("refused_by_kernels")
    program = """
import numpy as np
from refused_by_kernels import everything
good = np.zeros(4, np.uint32), 1.0, False, np.zeros((1, 4))
frozen = np.zeros((1, 4)); frozen.flags.writeable = False
shifted = np.frombuffer(bytes(17), np.uint8)[1:].view(np.uint32)
for place, bad in [(0, good[0].view(np.int32)), (0, good[0].reshape(2, 2)), (0, np.zeros(8, np.uint32)[::2]),
                   (3, np.zeros((4, 1)).T[:, ::2]), (3, frozen), (0, shifted)]:
    arguments = list(good); arguments[place] = bad
    try:
        everything(*arguments)
    except TypeError as error:
        print(str(error).split(" a ")[0], "|", str(error).split(", not ")[1])
try:
    everything(*good[:3])
except ValueError:
    print("too few")
print(everything(*good)[0])
"""
    lines = run(program, folder).splitlines()
    assert [line.split("|")[0] for line in lines[:6]] == ["everything takes as values "] * 3 + [
        "everything takes as out "
    ] * 2 + ["everything takes as values "]
    assert "read-only" in lines[4]
    assert lines[6:] == ["too few", "12"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [("    return len(np.zeros(values[0]))", "Failed in nopython mode"), ("    return values + 'x'", "Typing")],
)
def test_what_cannot_be_compiled_is_told_and_nothing_hangs(
    body: str, reason: str, make_module: Callable[..., Path], run: Callable[..., str]
) -> None:
    text = "import numpy as np\nfrom formats.kernel import entry, reads\n\n\n"
    text += f"@entry(values=reads(np.int64), returns=int)\ndef bad(values):\n{body}\n"
    folder = make_module("bad_kernels", text)
    program = """
import numpy as np
from bad_kernels import bad
try:
    bad(np.zeros(1, np.int64))
except OSError as error:
    print(type(error).__name__, error)
"""
    told = run(program, folder)
    assert told.startswith("KernelError bad_kernels cannot be compiled") and reason in told


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_kernels_write_only_where_they_say_so(run: Callable[..., str]) -> None:
    """Every entry is typed with read-only arrays for what it does not declare as written, which numba then enforces."""
    program = """
import importlib
import numba, numpy as np
from formats.kernel import compiler
from formats.kernel.declaration import UNITS, Array
from mapexplorer.kernels import EVERYTHING
from numba.core import types
def kind(p):
    if not isinstance(p, Array):
        return compiler._type(p)
    return types.Array(numba.from_dtype(np.dtype(p.dtype)), p.dimensions, "C", readonly=not p.written)
done = 0
for unit in EVERYTHING:
    importlib.import_module(unit)
    for entry in UNITS[unit].values():
        compiler.dispatcher(entry).compile(tuple(kind(p) for p in entry.signature.parameters))
        done += 1
print(done == sum(len(UNITS[unit]) for unit in EVERYTHING))
"""
    assert run(program) == "True"


def test_results_are_those_of_the_interpreter(run: Callable[..., str]) -> None:
    """The machine code of the texel formats against the same text interpreted by Python."""
    program = """
import numpy as np
from formats.kernel import interpreted
from formats.nds import texels
random = np.random.default_rng(5)
data = random.integers(0, 256, 128, np.uint8)
palette = random.integers(0, 256, 512, np.uint8)
pairs = []
for call in (texels._decode, texels._decode.py_func):
    colors, alphas = np.zeros((8, 16), np.uint16), np.zeros((8, 16), np.uint8)
    with interpreted():
        call(data, data[:0], palette, 1, 31, colors, alphas)
    pairs.append((colors.tolist(), alphas.tolist()))
print(pairs[0] == pairs[1], np.unique(pairs[0][0]).size > 20)
"""
    assert run(program) == "True True"


@pytest.mark.slow
@pytest.mark.parametrize("unit", kernels.EVERYTHING)
def test_every_function_of_a_unit_is_compiled_once(run: Callable[..., str], unit: str) -> None:
    """Not for several types of the same argument, nor for literal arguments."""
    program = f"""
import importlib
from collections import Counter
from formats.kernel import compiler
from formats.kernel.declaration import UNITS
importlib.import_module("{unit}")
for entry in UNITS["{unit}"].values():
    compiler.dispatcher(entry).compile(tuple(map(compiler._type, entry.signature.parameters)))
counts = Counter(name for name in compiler.compiled if name.startswith(("formats.", "mapexplorer.")))
print(len(counts) > 0, [name for name, number in counts.items() if number > 1])
"""
    assert run(program) == "True []"
