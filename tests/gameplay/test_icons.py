"""The pictures of all items and species are there, with as many colours as they use."""

from __future__ import annotations

import pytest

from formats import FormatError
from mapexplorer.gameplay.icons import item_icon, species_icon
from mapexplorer.world import FieldWorld


def test_every_species_has_two_frames_and_a_palette(real: FieldWorld) -> None:
    for species in range(540):
        icon = species_icon(real, species)
        assert len(icon.tiles.data) == 2 * 32 * 32 // 2 and len(icon.colors) == 16
    with pytest.raises(FormatError):
        species_icon(real, 540)


def test_every_item_has_a_picture_and_a_palette(real: FieldWorld) -> None:
    for item in range(468):
        icon = item_icon(real, item)
        assert len(icon.tiles.data) == 32 * 32 // 2 and len(icon.colors) == 16
    assert item_icon(real, 100_000).tiles is item_icon(real, 0).tiles
