"""The objects that a map's feature creates: they come, move and go as its state says."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from mapexplorer.features import Feature
from mapexplorer.map_objects.field_object import FieldObject
from mapexplorer.map_objects.manager import MapObjectManager
from mapexplorer.map_objects.setting import ObjectSetting
from mapexplorer.world.save import Save


@dataclass(eq=False)
class FeatureObjects:
    """The objects of the feature of a header among those of its map, which `manager` has."""

    _header: int
    _manager: MapObjectManager
    _save: Save
    _movers: dict[int, FieldObject] = field(default_factory=dict)

    def follow(self, feature: Feature) -> None:
        """Have the objects of the feature in its present state; one of another header changes nothing."""
        if feature.header != self._header:
            return
        wanted = {setting.local_id: setting for setting in feature.objects(self._save)}
        for number, mover in list(self._movers.items()):
            setting = wanted.get(number)
            if setting is None or _at_home(setting) != _at_home(mover.setting):
                self._manager.remove(self._movers.pop(number))
            elif setting != mover.setting:
                mover.put(setting)
        new = [setting for number, setting in wanted.items() if number not in self._movers]
        self._movers.update(zip((setting.local_id for setting in new), self._manager.add(new), strict=True))


def _at_home(setting: ObjectSetting) -> ObjectSetting:
    """A setting without where it is."""
    return replace(setting, x=0, z=0, height=0, position=None)
