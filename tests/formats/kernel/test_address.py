"""Where the elements of an array are, which kernels are told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from formats.kernel.call import _address

RECORD = np.dtype([("a", "<i4", 3), ("b", "u1")])


@pytest.mark.parametrize(
    "array",
    [
        np.arange(5),
        np.arange(24.0).reshape(2, 3, 4)[1],
        np.zeros(4, RECORD)[2:],
        np.frombuffer(b"abcdef", np.uint8)[3:],
        np.empty(0, np.uint16),
        np.ones((1, 1), bool),
    ],
)
def test_the_address_is_that_of_the_array_interface(array: Any) -> None:
    assert _address(array) == array.__array_interface__["data"][0]
