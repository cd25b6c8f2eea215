"""The view of the window as a link, and the camera and the selection of a link."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mapexplorer.catalogue.kinds import EVENT_LISTS, KINDS, kind_of
from mapexplorer.catalogue.resolve import ALL, find_thing
from mapexplorer.gui.model.camera import FLY, ORBIT, ViewCamera
from mapexplorer.gui.model.map_camera import MapCamera
from mapexplorer.gui.model.opened_map import ground_at, middle_of
from mapexplorer.scene.link import Link
from mapexplorer.scene.view import FREE, View
from mapexplorer.world import FieldPlace, FieldWorld
from mapexplorer.world.cells import CELL_TILES, TILE_UNITS
from mapexplorer.world.subject import Subject, subject


def link_of(place: FieldPlace, picture: View, camera: ViewCamera | MapCamera, **more: Any) -> Link:
    """The link of a place with the options of a picture, seen by a camera; `more`: see `Link.of`."""
    if isinstance(camera, MapCamera):
        target = ground_at(place, camera.x, camera.z)
        more |= {"view": "map", "map_scale": camera.scale}
    else:
        target, picture = camera.focus, replace(picture, **camera.view_fields)
        more |= {"distance": camera.distance if camera.kind == ORBIT else None}
    cells = place.matrix.width, place.matrix.height
    x, z = (min(max(0.0, at // TILE_UNITS), CELL_TILES * n - 1.0) for at, n in zip(target[::2], cells, strict=True))
    if picture.camera != FREE and target != ground_at(place, *middle_of(x, z)):
        more |= {"target": target}
    return Link.of(place, replace(picture, at=(x, z)), **more)


def camera_of(link: Link, camera: ViewCamera) -> ViewCamera:
    """A camera, which looks at the tile of a link, as the link has it."""
    picture = link.picture
    if picture.camera != FREE:
        return replace(camera, kind=picture.camera, target=link.target or camera.target, scale=picture.zoom)
    flying = replace(
        camera,
        kind=FLY,
        position=picture.eye or camera.switched(FLY).position,
        yaw=picture.yaw,
        pitch=picture.pitch,
        fov=picture.fov,
    )
    if link.distance is None:
        return flying
    target = flying.flown(0.0, 0.0, link.distance).position
    return replace(flying, kind=ORBIT, target=target, distance=link.distance)


def selection_of(place: FieldPlace, chosen: Subject | None) -> str:
    """What is selected, as the link of a place has it; empty for its header and for what has no address."""
    if chosen is None or chosen == subject("header", place.header.id):
        return ""
    if chosen.key[0] == _own(place, chosen.kind):
        return Subject(chosen.kind, chosen.key[1:]).address.replace("/", ",")
    return chosen.address if chosen.kind in ALL else ""


def target_of(link: Link, world: FieldWorld) -> tuple[FieldPlace, Subject | None]:
    """The place of a link in a ROM, and what it selects there; None for the header. Raises PlaceError."""
    place, text = link.place(world), link.select
    kind, _, name = text.partition(":")
    own = _own(place, kind_of(kind))
    if own is not None:
        text = "/".join((f"{kind}:{own}", *name.split(",")))
    return place, find_thing(world, text, ALL if own is None else KINDS).subject if text else None


def _own(place: FieldPlace, kind: str) -> int | None:
    """The number with which the keys of things of a place begin: of events the header, of tiles, cells, placed props
    and plates the matrix; None for other kinds."""
    headers = dict.fromkeys(EVENT_LISTS, place.header.id)
    return (headers | dict.fromkeys(("tile", "cell", "placed prop", "plate"), place.matrix_id.value)).get(kind)
