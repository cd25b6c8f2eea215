"""What tests share: the real ROM and the ground-truth vectors, through environment variables.

MAPEXPLORER_TEST_ROM is an image; MAPEXPLORER_VECTORS and MAPEXPLORER_REFERENCES are folders. Where one is unset the
tests that need it skip with a clear reason; with MAPEXPLORER_REQUIRE=1 they fail instead.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def required_path(variable: str) -> Path:
    """The path in an environment variable; skips (or fails, see above) when it is unset or names nothing."""
    value = os.environ.get(variable, "")
    if value and Path(value).exists():
        return Path(value).resolve()
    reason = f"{variable} is not set" if not value else f"{variable} names nothing: {value}"
    if os.environ.get("MAPEXPLORER_REQUIRE") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def rom_path() -> Path:
    """The real ROM image."""
    return required_path("MAPEXPLORER_TEST_ROM")


@pytest.fixture(scope="session")
def vectors() -> Path:
    """The folder of ground-truth vectors."""
    return required_path("MAPEXPLORER_VECTORS")


@pytest.fixture(scope="session")
def references() -> Path:
    """The folder of the peers' outputs and timings."""
    return required_path("MAPEXPLORER_REFERENCES")
