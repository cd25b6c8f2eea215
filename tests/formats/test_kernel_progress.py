"""What is told of compilation, and asking for what is compiled without compiling. Each runs in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

_UNIT = "formats.nds.display_list"  # a small one

_PROGRESS = f"""
import importlib, json, threading
from formats.kernel import progress, resolve
importlib.import_module({_UNIT!r})
early, late = [], []
half = threading.Event()

def first(state):
    early.append(state)
    if len(early) == 1:
        progress.observe(late.append)
        half.set()

progress.observe(first)
resolve.prepare([{_UNIT!r}])
assert half.is_set()
while early[-1].done < early[-1].total:
    half.wait(0.1)
after = []
progress.observe(after.append)
print(json.dumps([early, late, after]))
"""

_WAITED = f"""
import importlib, json, threading
from formats.kernel import cache, compilation, progress
from formats.kernel.stamp import stamp
importlib.import_module({_UNIT!r})
seen, after = [], []
progress.observe(seen.append)
cache.acquire_in_steps = lambda lock: iter((None, None))
load, cache.load = cache.load, lambda unit, made_from: load(unit, made_from) if seen else None
compilation.submit({_UNIT!r}, stamp({_UNIT!r})).wait()
for thread in threading.enumerate():
    if thread is not threading.current_thread():
        thread.join(60)
progress.observe(after.append)
print(json.dumps([seen, after]))
"""

_LACKING = f"""
import importlib, json, threading
from formats.kernel import resolve
importlib.import_module({_UNIT!r})
print(json.dumps([resolve.lacking([{_UNIT!r}] * 2), sorted(resolve.sources), threading.active_count()]))
"""

_LARGER = "formats.nds.texels"
_ORDER = f"""
import importlib, json
from formats.kernel import NotCompiledError, compilation, resolve
units = [{_UNIT!r}, {_LARGER!r}]
for unit in units:
    importlib.import_module(unit)
queued = []

def submit(unit, stamp):
    queued.append(unit)
    return compilation.Ticket(unit, stamp)

compilation.submit = submit
resolve.never_wait()
try:
    resolve.prepare(units)
except NotCompiledError:
    print(json.dumps(queued))
"""


def _answer(code: str, cache: Path) -> Any:
    environment = os.environ | {"MAPEXPLORER_KERNEL_CACHE": str(cache)}
    child = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, timeout=240, check=True
    )
    return json.loads(child.stdout)


def test_progress_is_told_from_the_beginning_to_the_end_also_to_who_comes_later(tmp_path: Path) -> None:
    early, late, after = _answer(_PROGRESS, tmp_path)
    done, total, waiting = early[0]
    assert done == 0 and total > 1 and not waiting
    assert early[-1][0] == early[-1][1]
    assert late[0] == early[0] and late[1:] == early[1:]
    assert after == []


def test_the_wait_for_another_process_is_over_when_its_result_is_loaded(tmp_path: Path) -> None:
    _answer(_PROGRESS, tmp_path)
    seen, after = _answer(_WAITED, tmp_path)
    assert seen[0][2] and not seen[-1][2] and seen[-1][0] == seen[-1][1]
    assert after == []


def test_what_lacks_is_named_and_not_compiled(tmp_path: Path) -> None:
    assert _answer(_LACKING, tmp_path) == [[_UNIT], [], 1]
    assert not list(tmp_path.glob("*.kernel"))
    _answer(_PROGRESS, tmp_path)
    assert _answer(_LACKING, tmp_path) == [[], [_UNIT], 1]


def test_the_largest_of_the_units_asked_for_together_is_queued_first(tmp_path: Path) -> None:
    assert _answer(_ORDER, tmp_path) == [_LARGER, _UNIT]
