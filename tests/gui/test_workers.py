"""Threads that work for the window, and what must not happen in them."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError
from typing import Any

import pytest
from PyQt5 import sip
from PyQt5.QtCore import Qt, QUrl
from PyQt5.QtWidgets import QPlainTextEdit, QWidget

from mapexplorer.gui.jobs import controller, gc_control
from mapexplorer.gui.jobs.worker import NICE, Worker
from mapexplorer.gui.rendering import images
from mapexplorer.gui.views import ds_view
from mapexplorer.scene import start_position
from mapexplorer.world.subject import subject


class Cyclic:
    """Garbage that only a search for cycles finds; it says in which thread it was freed."""

    def __init__(self, freed: list[str]) -> None:
        self.own = self
        self.freed = freed

    def __del__(self) -> None:
        self.freed.append(threading.current_thread().name)


def test_cycles_are_freed_in_the_window_s_thread(qapp: Any, qtbot: Any) -> None:
    freed: list[str] = []
    worker = Worker("busy")
    gc_control.take_over()

    def work(task: Any) -> int:
        for _ in range(30_000):
            Cyclic(freed)
        return len(freed)

    done: list[int] = []
    worker.submit(work, done.append)
    # A window that another test shares may have collected, too, while the worker worked.
    qtbot.waitUntil(lambda: bool(done) and len(freed) == 30_000, timeout=20_000)
    worker.stop()
    assert not gc.isenabled()
    assert set(freed) == {threading.main_thread().name}


def test_nobody_is_told_of_a_job_whose_owner_is_deleted(qapp: Any, qtbot: Any) -> None:
    worker, begin = Worker("busy"), threading.Event()
    told: list[object] = []
    dialog, field = QWidget(), QPlainTextEdit()
    jobs = [
        worker.submit(lambda task: begin.wait(20), told.append, owner=dialog),
        worker.submit(lambda task: 1 / 0, None, lambda *problem: told.append(problem), owner=dialog),
        worker.submit(lambda task: "text", field.setPlainText),
    ]
    for widget in (dialog, field):
        sip.delete(widget)
    begin.set()
    qtbot.waitUntil(lambda: worker.idle and all(job.finished for job in jobs), timeout=20_000)
    worker.stop()
    assert not told


def test_jobs_in_the_background_leave_time_to_a_picture_that_moves(qapp: Any, qtbot: Any) -> None:
    worker = Worker("busy", background=5, moving=lambda: True)
    order: list[str] = []
    times: dict[str, float] = {}

    def work(name: str, seconds: float) -> None:
        times[name] = time.monotonic()
        time.sleep(seconds)
        order.append(name)

    worker.submit(lambda task: work("thumbnail", 0.1), priority=5)
    worker.submit(lambda task: work("next thumbnail", 0), priority=5)
    qtbot.waitUntil(lambda: order == ["thumbnail"])
    worker.submit(lambda task: work("question", 0))
    qtbot.waitUntil(lambda: len(order) == 3, timeout=20_000)
    worker.stop()
    assert order == ["thumbnail", "question", "next thumbnail"]
    assert times["next thumbnail"] - times["thumbnail"] >= 0.5


@pytest.mark.skipif(sys.platform != "linux", reason="threads have a nice value of their own on Linux only")
@pytest.mark.parametrize("more", [0, 7, 30])
def test_workers_of_a_process_with_low_priority_have_a_lower_one(more: int) -> None:
    """Only a privileged user may lower a nice value, so that a thread keeps at least that of its process."""
    program = f"""
import os, threading
from PyQt5.QtCore import QCoreApplication
from mapexplorer.gui.jobs.worker import Worker
os.nice({more})
application = QCoreApplication([])
worker = Worker("work")
found = threading.Event()
values = []
def work(task):
    values.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
    found.set()
worker.submit(work)
found.wait(60)
worker.stop()
print(os.nice(0), *values)
"""
    started = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert started.returncode == 0, started.stderr
    of_process, of_thread = (int(word) for word in started.stdout.split())
    assert of_thread == min(of_process + NICE, 19)


def test_older_objects_are_collected_before_they_are_many(qapp: Any, qtbot: Any) -> None:
    gc_control.take_over()
    gc.collect()
    generations: list[int] = []
    ends = [0]
    """How many collections there were before each job, and after the last one."""

    def note(phase: str, facts: dict[str, int]) -> None:
        if phase == "start":
            generations.append(facts["generation"])

    worker = Worker("busy")
    gc.callbacks.append(note)
    try:
        kept = []
        for number in range(12):
            worker.submit(lambda task: [[] for _ in range(25_000)], kept.append)
            before = len(generations)  # a window that another test shares may have collected, too
            qtbot.waitUntil(
                lambda number=number, before=before: len(kept) == number + 1 and len(generations) > before,
                timeout=20_000,
            )
            ends.append(len(generations))
    finally:
        gc.callbacks.remove(note)
        worker.stop()
    # Generation 1 is collected with every third job, each of which leaves 25 000 objects. A window that replaced
    # its ROM collects all generations a little later, after which the jobs are counted anew.
    assert all(max(generations[first:last]) >= 1 for first, last in zip(ends, ends[3:], strict=False))
    assert {0, 1} <= set(generations)


def test_what_a_job_holds_is_let_go_in_the_window_s_thread(qapp: Any, qtbot: Any) -> None:
    freed: list[str] = []
    worker = Worker("holder")
    done: list[int] = []

    class Held:
        def __del__(self) -> None:
            freed.append(threading.current_thread().name)

    def ask() -> None:
        held = Held()
        worker.submit(lambda task: id(held), lambda result: done.append(result + 0 * id(held)))

    for _ in range(50):
        ask()
    qtbot.waitUntil(lambda: len(done) == 50, timeout=20_000)
    worker.stop()
    assert freed == [threading.main_thread().name] * 50


def test_a_job_that_is_stopped_while_it_waits_says_so(qapp: Any, qtbot: Any) -> None:
    worker = Worker("queue")
    free = threading.Event()
    heard: list[object] = []
    worker.submit(lambda task: free.wait(20), lambda result: heard.append("first"))
    waiting = worker.submit(lambda task: heard.append("ran"), failed=lambda error, trace: heard.append(type(error)))
    waiting.cancel()
    free.set()
    qtbot.waitUntil(lambda: len(heard) == 2, timeout=20_000)
    worker.stop()
    assert heard == ["first", CancelledError]


def test_the_default_position_of_a_chosen_map_is_found_in_a_worker(
    demo: Any, qtbot: Any, settle: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = start_position._find
    threads: list[threading.Thread] = []

    def find_and_note(place: Any) -> Any:
        threads.append(threading.current_thread())
        return find(place)

    monkeypatch.setattr(start_position, "_find", find_and_note)
    explorer = demo.explorer
    by_list, by_palette, by_link = [h.id for h in explorer.world.headers if h.id != explorer.place.header.id][:3]

    def entered(header: int) -> None:
        qtbot.waitUntil(lambda: explorer.place.header.id == header)
        settle(demo)

    demo.maps.chosen.emit(subject("header", by_list))
    entered(by_list)
    demo.action("palette").trigger()
    qtbot.keyClicks(demo.dialogs.palette.field, f"#{by_palette} ")
    qtbot.keyClick(demo.dialogs.palette.field, Qt.Key_Return)
    entered(by_palette)
    demo.inspector.browser.anchorClicked.emit(QUrl(f"header:{by_link}"))
    entered(by_link)
    step = next(step for step in (1, -1) if demo.maps.neighbour(step) is not None)
    by_step = demo.maps.neighbour(step)
    demo.commands.neighbour(step)
    entered(by_step)
    # A ROM is opened at the map that was shown last.
    before = explorer.world
    demo.open("demo")
    qtbot.waitUntil(lambda: explorer.world is not before)
    entered(by_step)
    assert threads and threading.main_thread() not in threads


@pytest.mark.parametrize("way", ["another map", "opened again"])
def test_the_first_picture_of_a_place_is_drawn_before_panels_are_read(
    demo: Any, qtbot: Any, settle: Any, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.setattr(controller, "FIRST_FRAME", 30)  # without a picture, panels would be read after that only
    jobs, explorer = demo.jobs, demo.explorer
    order: list[str] = []

    def read(renderer: Any) -> None:
        order.append("panel")

    def ask(*place: Any) -> None:
        jobs.request(read, lambda nothing: None)

    def drawn(frame: Any) -> None:
        order.append("picture")

    explorer.place_changed.connect(ask)
    jobs.frame_ready.connect(drawn)
    if way == "another map":
        jobs.go(next(header.id for header in explorer.world.headers if header.id != explorer.place.header.id))
    else:
        demo.open("demo")
    qtbot.waitUntil(lambda: "panel" in order)
    explorer.place_changed.disconnect(ask)
    jobs.frame_ready.disconnect(drawn)
    settle(demo)
    assert order[0] == "picture"


def test_the_ds_picture_is_enlarged_in_the_worker_that_has_drawn_it(
    demo: Any, qtbot: Any, settle: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[str] = []
    enlarged = images.enlarged_image

    def watched(*arguments: Any) -> Any:
        threads.append(threading.current_thread().name)
        return enlarged(*arguments)

    for module in (images, ds_view):
        monkeypatch.setattr(module, "enlarged_image", watched)
    for _ in range(3):
        demo.explorer.clock.step()
        settle(demo)
        demo.views.ds.repaint()
    assert threads == ["draw"] * 3
    demo.resize(demo.width() - 40, demo.height() - 90)
    qtbot.waitUntil(lambda: demo.views.ds._enlarged.width() == round(demo.views.ds.picture().width()))
