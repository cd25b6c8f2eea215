"""Counts over the whole ROM that any misreading would change."""

from __future__ import annotations

from collections import Counter

import numpy as np

from mapexplorer.world import FieldWorld


def test_props(real: FieldWorld) -> None:
    props = [real.land_sections(index).read_props() for index in range(666)]
    records = np.concatenate(props)
    assert (len(records), max(map(len, props)), len(np.unique(records["model"]))) == (3476, 32, 360)
    assert not records["rotation"].any()
    assert (records["scale"] == 4096).all()
    assert int((records["unused"] == (1, 0)).all(1).sum()) == 16
    assert int(records["unused"].any(1).sum()) == 16


def test_events(real: FieldWorld) -> None:
    from formats.field import ZoneEvents

    archive = real.rom.archive("fielddata/eventdata/zone_event.narc")
    events = [ZoneEvents.from_bytes(archive.reader(index)) for index in range(len(archive))]
    totals = [sum(len(getattr(one, part)) for one in events) for part in ("objects", "warps", "background", "triggers")]
    assert len(events) == 534
    assert totals == [3555, 1213, 682, 186]


def test_areas_and_lights(real: FieldWorld) -> None:
    areas = [real.area(index) for index in range(75)]
    assert Counter(area.light_set for area in areas) == {0: 22, 1: 50, 2: 3}
    assert sum(area.prop_set == index for index, area in enumerate(areas)) == 3
    assert sum(area.terrain_set == index for index, area in enumerate(areas)) == 21
    assert [len(real.light_set(index).blocks) for index in range(4)] == [15] * 4


def test_prop_animations(real: FieldWorld) -> None:
    entries = [real.prop_animations(model) for model in range(590)]
    animated = [entry for entry in entries if entry is not None and entry.has_animations]
    assert len(animated) == 112
    assert Counter(entry.flags for entry in animated) == {0: 75, 2: 3, 3: 34}
    assert Counter(len(entry.used) for entry in animated) == {1: 81, 2: 19, 3: 1, 4: 11}
    lists = real.draw_lists
    assert lists is not None
    static = [pairs is not None for pairs in lists.models]
    assert static == [entry is None or not entry.has_animations for entry in entries]
    assert sum(len(pairs) for pairs in lists.models if pairs is not None) == 1009


def test_texture_sets(real: FieldWorld) -> None:
    assert sum(len(real.terrain_textures(index).textures.textures) for index in range(74)) == 3130


def test_plates_at_every_tile_centre(real: FieldWorld) -> None:
    centres = [(16 * tile + 8 - 256) * 4096 for tile in range(32)]
    found = Counter[int]()
    for index in range(666):
        bdhc = real.land_sections(index).read_bdhc()
        for z in centres:
            for x in centres:
                found[min(3, len(bdhc.candidates(x, z)[1]))] += 1
    assert found == {0: 161_211, 1: 517_486, 2: 2_502, 3: 785}
