"""Pictures of the console enlarged for the screen."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PyQt5")

from mapexplorer.gui.rendering.images import enlarged


@pytest.mark.parametrize("size", [(256, 192), (512, 384), (629, 472), (700, 192)])
def test_enlarged_pixels_are_of_one_size(size: tuple[int, int]) -> None:
    """Each pixel of the result is the mean of the part of the picture that it covers."""
    pixels = np.random.default_rng(4).integers(0, 256, (192, 256, 4), np.uint8)
    width, height = size

    def shares(count: int, length: int) -> np.ndarray:
        edges = np.arange(length + 1) * count / length
        low, high = edges[:-1, None], edges[1:, None]
        places = np.arange(count)
        return np.clip(np.minimum(high, places + 1) - np.maximum(low, places), 0, None) * length / count

    expected = np.einsum("yj,jic,xi->yxc", shares(192, height), pixels.astype(float), shares(256, width), optimize=True)
    result = enlarged(pixels, width, height)
    assert result.shape == (height, width, 4)
    assert np.abs(result - expected).max() <= 4
    if width % 256 == 0 and height % 192 == 0:
        np.testing.assert_array_equal(result, np.repeat(np.repeat(pixels, height // 192, 0), width // 256, 1))
