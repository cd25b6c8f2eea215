"""A program without its sources uses the library that comes with it, or says that it is not there."""

from __future__ import annotations

import sys

import pytest

from formats.kernel import KernelError, library, resolve


def test_a_program_without_sources_and_without_the_library_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = "mapexplorer.nowhere"
    assert library.trusted_stamp(unit) == ""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    with pytest.raises(KernelError, match=f"^this program lacks the compiled code of {unit}; install it again$"):
        resolve.prepare([unit])


def test_a_program_without_sources_trusts_the_stamps_of_its_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(library, "_description", lambda: {"units": {"one": "12ab"}})
    assert library.trusted_stamp("one") == "12ab"
