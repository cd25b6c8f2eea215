"""Compilation beside the program: several processes, progress, interrupts."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

USE = """
import sys
from formats.kernel.progress import observe
seen = []
observe(seen.append)
from formats.nds.display_list import unpack
from formats.kernel import resolve
unpack(bytes(4))
print(resolve.sources["formats.nds.display_list"], any(p.waiting for p in seen), seen[-1].done == seen[-1].total)
"""


def test_of_many_processes_one_compiles_and_the_others_wait(start: Callable[..., Any]) -> None:
    processes = [start(USE) for _ in range(8)]
    told = [process.communicate(timeout=250) for process in processes]
    assert [process.returncode for process in processes] == [0] * 8, told
    words = [out.split() for out, _ in told]
    assert [w[0] for w in words].count("compiled") <= 8
    compiled = [w for w in words if w[1] == "False" and w[0] == "compiled"]
    assert len(compiled) == 1, words


def test_progress_counts_functions_up_to_all_of_them(run: Callable[..., str]) -> None:
    program = """
from formats.kernel.progress import observe
seen = []
observe(seen.append)
from mapexplorer.kernels import FILES, prepare
prepare(FILES)
done = [p.done for p in seen]
print(done == sorted(done) or done, seen[-1].done == seen[-1].total, max(p.total for p in seen) > 12, len(seen) > 10)
"""
    assert run(program) == "True True True True"


def test_a_thread_that_never_waits_is_told_and_called_back(run: Callable[..., str]) -> None:
    program = """
import threading
from formats.kernel import NotCompiledError
from formats.kernel.resolve import never_wait
from formats.nds.display_list import unpack
steps, called = [], threading.Event()
def work():
    never_wait()
    try:
        unpack(bytes(4))
    except NotCompiledError as missing:
        steps.append("missing")
        missing.then(called.set)
    called.wait(150)
    steps.append(unpack(bytes(4)).size)
thread = threading.Thread(target=work)
thread.start(); thread.join()
print(steps)
"""
    assert run(program) == "['missing', 0]"


@pytest.mark.skipif(sys.platform == "win32", reason="signals of a terminal")
def test_an_interrupt_ends_compilation_and_its_children(start: Callable[..., Any], tmp_path: Path) -> None:
    program = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where a shell runs the tests in the background
from formats.kernel.progress import observe
observe(lambda p: print(p.done, flush=True))
from mapexplorer.kernels import ENGINE, prepare
try:
    prepare(ENGINE)
except KeyboardInterrupt:
    sys.exit(130)
"""
    process = start(program)
    assert process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert not list((tmp_path / "cache").glob("*.kernel.*"))


def test_without_numba_the_sentence_says_what_to_do(run: Callable[..., str]) -> None:
    program = """
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "numba" else find(name, *rest)
from formats.nds.display_list import unpack
try:
    unpack(bytes(4))
except OSError as error:
    print(error)
"""
    assert run(program).endswith("numba, which compiles it, is not installed: pip install numba")


def test_a_compiler_that_dies_is_told(run: Callable[..., str]) -> None:
    program = """
import sys
from formats.kernel import compilation
compilation.CHILD = "import os; os._exit(7)"
from formats.nds.display_list import unpack
try:
    unpack(bytes(4))
except OSError as error:
    print(error)
"""
    assert "cannot be used: it ended with status 7" in run(program)


OUTSIDE = """
import numpy as np
from formats.kernel import entry, reads


@entry(values=reads(np.int64), index=int, returns=int)
def taken(values, index):
    return values[index]
"""


def test_bounds_are_checked_on_request(run: Callable[..., str], make_module: Callable[..., Path]) -> None:
    folder = make_module("outside", OUTSIDE)
    program = """
import numpy as np
from outside import taken
found = [taken(np.arange(5, dtype=np.int64), 2)]
try:
    taken(np.arange(5, dtype=np.int64), 5)
except RuntimeError as error:
    found.append(str(error))
print(found)
"""
    assert run(program, folder, MAPEXPLORER_KERNEL_BOUNDS="1") == "[2, 'the kernel taken raised an error']"
    plain = "from outside import taken; import numpy as np; taken(np.arange(5), 2); "
    plain += "from formats.kernel import resolve; print(resolve.sources['outside'])"
    assert run(plain, folder) == "compiled"  # not the code with checks
    assert run(plain, folder) == "cache"
