"""The people and things of a map while the player walks there."""

from __future__ import annotations

from collections.abc import Sequence

from mapexplorer.features import Feature
from mapexplorer.map_objects.drawn import ObjectInstance
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.field_objects import FieldObjects, ShownObjects
from mapexplorer.scene.view import View
from mapexplorer.world.events.map_objects import MapObject
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.save import Save


class WalkObjects:
    """The map objects of a place, which start as when it is entered and are updated once per field update, with the
    player among them. Both what is drawn and what stands in the way are taken from here. A place whose events
    cannot be read has none.
    """

    def __init__(self, place: FieldPlace, view: View, save: Save) -> None:
        """`view` and `save` determine the objects that exist and what code adds to the map."""
        conditions = Conditions.of_view(place, view, save)
        self._place, self._chosen = place, _chosen(view)
        self._header = place.header.id
        self._objects = FieldObjects.of_view(conditions, view)
        self._objects.moving = True
        self._objects.of(self._header)

    def are_of(self, place: FieldPlace, view: View) -> bool:
        """Whether they are the objects of a place and view."""
        return place is self._place and self._chosen == _chosen(view)

    def step(
        self,
        player: ObjectInstance | None,
        second: int,
        feature: Feature | None = None,
        moved: Sequence[MapObject] = (),
    ) -> ShownObjects:
        """One field update with the player in a new state (None: they are not on the map) at a second of the day, with
        what code adds to the map and the objects that the walk has moved; returns what is drawn."""
        objects = self._objects
        objects.feature = feature
        objects.set_second(second)
        objects.set_player(player)
        objects.lead(moved)
        objects.step()
        drawn = tuple(objects.shown([self._header], player=True, effects=True))
        return ShownObjects(self._header, None if player is None else player.position, drawn)

    def on(self, zone: int, x: int, z: int) -> list[MapObject]:
        """The objects that are on a tile or are leaving it; those of other zones than the place's do not exist, as in
        the game."""
        return [
            MapObject(
                self._header,
                setting.event,
                mover.x,
                mover.z,
                mover.position_y,
                setting.graphics.id,
                mover.facing,
                setting.script,
                setting.hidden_flag,
                setting.movement.id,
                setting.trainer_type,
                setting.parameters[0],
            )
            for mover in self._objects.of(self._header).objects
            if mover.occupies(x, z) and (setting := mover.setting).event is not None
        ]


def _chosen(view: View) -> tuple[bool, bool, str | None]:
    """The choices of a view that determine the objects."""
    return view.all_objects, view.features, view.state
