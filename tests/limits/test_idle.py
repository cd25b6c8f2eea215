"""The processor time of a window that shows the demo world and has nothing to do. It is the only window."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tests.gui.conftest import background_done


def test_idle_uses_no_processor(demo: Any, qtbot: Any, settle: Callable[[Any], None]) -> None:
    settle(demo)
    background_done(demo, qtbot)
    start = time.process_time()
    qtbot.wait(3000)
    assert time.process_time() - start < 0.03
