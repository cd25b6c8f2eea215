"""An unpacking that ends between any two of its renames is finished by the next run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.source_tree.conftest import stopped_and_finished


@pytest.mark.parametrize(
    ("replace", "moved"), [*((False, moved) for moved in range(5)), *((True, moved) for moved in range(9))]
)
def test_what_was_ended_between_two_renames_is_finished(tmp_path: Path, replace: bool, moved: int) -> None:
    stopped_and_finished(tmp_path, moved, replace=replace)
