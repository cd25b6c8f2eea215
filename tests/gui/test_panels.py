"""What the panels of the docks have in common: when they ask a worker, and which answer they show."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from mapexplorer.gui.model.signal import Signal


class Jobs:
    """Keeps what is asked for, so that a test decides when it is answered."""

    def __init__(self) -> None:
        self.explorer = SimpleNamespace(rom_changed=Signal(), place_changed=Signal())
        self.asked: list[Any] = []
        self.told: list[str] = []

    def request(self, question: Callable[[Any], Any], answer: Callable[[Any], None], **options: Any) -> None:
        self.asked.append(SimpleNamespace(question=question, answer=answer, **options))

    def notify(self, title: str, error: BaseException) -> None:
        self.told.append(f"{title}: {error}")


@pytest.fixture
def jobs() -> Jobs:
    return Jobs()


@pytest.fixture
def panel(qtbot: Any, qapp: Any, jobs: Jobs) -> Any:
    """A panel that shows the double of a number, which is visible."""
    from mapexplorer.gui.docks.panel import LoadedPanel, copied_rows

    class Doubles(LoadedPanel):
        name = "doubles"
        number: int | None = None
        shown: int | None = None

        def wanted(self) -> Any:
            number = self.number
            return None if number is None else (number, lambda renderer: renderer * number)

        def show_loaded(self, answer: int) -> None:
            self.shown = answer

        def clear(self) -> None:
            self.shown = None

        def copied(self) -> Any:
            return copied_rows([{"number": self.number, "double": self.shown}])

    made = Doubles(jobs)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: made.windowHandle().isExposed())
    return made


def answer(request: Any) -> None:
    request.answer(request.question(2))


def test_a_panel_asks_once_and_shows_the_answer(panel: Any, jobs: Jobs) -> None:
    panel.load()
    assert not jobs.asked, "there is nothing to be shown"
    panel.number = 3
    panel.load()
    panel.load()
    [request] = jobs.asked
    answer(request)
    assert panel.shown == 6 and request.key == "doubles"
    assert panel.copied()[0] == "3\t6\n"


def test_only_the_answer_to_the_last_question_is_shown(panel: Any, jobs: Jobs) -> None:
    for panel.number in (3, 4):
        panel.load()
    first, second = jobs.asked
    answer(second)
    answer(first)
    assert panel.shown == 8
    panel.number = None
    panel.load()
    assert panel.shown is None, "nothing is to be shown any more"


def test_another_rom_is_read_anew(panel: Any, jobs: Jobs) -> None:
    panel.number = 3
    panel.load()
    jobs.explorer.rom_changed.emit()
    [before] = jobs.asked
    answer(before)
    assert panel.shown is None, "the answer is about the ROM before"
    jobs.explorer.place_changed.emit()
    answer(jobs.asked[1])
    assert panel.shown == 6


def test_a_hidden_panel_asks_when_it_is_seen(panel: Any, jobs: Jobs) -> None:
    panel.hide()
    panel.number = 3
    panel.load()
    assert not jobs.asked
    panel.show()
    panel.visibility_changed()
    assert len(jobs.asked) == 1


def test_an_error_is_told(panel: Any, jobs: Jobs) -> None:
    panel.number = 3
    panel.load()
    jobs.asked[0].failed(ValueError("damaged"))
    assert jobs.told == ["This cannot be read: damaged"] and panel.shown is None
