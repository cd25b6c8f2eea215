"""The actions about what the picture shows: walking, views, camera, time and layers."""

from __future__ import annotations

from functools import partial

from PyQt5.QtCore import Qt

from mapexplorer.gui.actions.action import Action
from mapexplorer.gui.actions.commands import Commands
from mapexplorer.gui.model.layers import STANDARD, Layer
from mapexplorer.gui.model.walking import GHOST, PEOPLE, RUN, SURF
from mapexplorer.gui.parts import Parts
from mapexplorer.gui.views.area import BOTH, DS, GL, MAP
from mapexplorer.gui.widgets.theme import SYSTEM
from mapexplorer.scene.view import ENTERED, NEW, WEEKDAYS
from mapexplorer.values import NO_WEATHER

HOUR = 3600
"""Seconds."""


def walk_actions(parts: Parts, commands: Commands) -> tuple[Action, ...]:
    """Walking and ways."""
    walking = parts.walk_mode.walking
    return (
        Action(
            "walk",
            "Walk",
            parts.walk_mode.toggle,
            ("K",),
            icon="walk",
            hint="Arrows or W A S D walk by the game's rules, Shift runs, Enter is the action button",
            checked=lambda: walking.active,
            enabled=commands.has_place,
        ),
        Action(
            "walk_interact",
            "Action button",
            parts.walk_mode.press_button,
            hint="Surf, Rock Climb, Waterfall, talk, read (Enter or E)",
            enabled=lambda: walking.active,
        ),
        Action(
            "walk_bicycle",
            "Bicycle",
            walking.toggle_bicycle,
            ("R",),
            hint="Get on or off",
            checked=lambda: walking.rides,
            enabled=lambda: walking.active,
        ),
        Action("walk_gear", "Change gear", walking.shift_gear, ("Shift+R",), enabled=lambda: walking.rides),
        Action("walk_run", "Always run", partial(walking.switch, RUN), checked=lambda: RUN in walking.modes),
        Action(
            "walk_surf",
            "Surf when pushing against water",
            partial(walking.switch, SURF),
            ("U",),
            checked=lambda: SURF in walking.modes,
        ),
        Action(
            "walk_people",
            "People block tiles",
            partial(walking.switch, PEOPLE),
            checked=lambda: PEOPLE in walking.modes,
        ),
        Action(
            "walk_ghost",
            "Ghost: walk through everything",
            partial(walking.switch, GHOST),
            ("O",),
            checked=lambda: GHOST in walking.modes,
        ),
        Action(
            "reachable",
            "Reachable tiles",
            parts.routes.toggle_reached,
            ("Shift+K",),
            hint="The tiles of this matrix to which the player, or the middle of the picture, has a way on foot",
            checked=lambda: parts.routes.shown,
            enabled=commands.has_place,
        ),
        Action(
            "hide_way",
            "Hide the way",
            parts.routes.hide_way,
            enabled=lambda: bool(parts.explorer.marks.way),
        ),
        Action("walk_back", "Back through the last warp", walking.back, ("Backspace",), enabled=lambda: walking.active),
    )


def view_actions(parts: Parts, commands: Commands) -> tuple[Action, ...]:
    """Views, what they show, the theme and the panels."""

    def view(name: str, title: str, key: str, icon: str, hint: str, which: str) -> Action:
        return Action(
            name,
            title,
            lambda: parts.views.show_view(which),
            (key,),
            icon=icon,
            hint=hint,
            checked=lambda: parts.views.shown == which,
        )

    def theme(name: str, title: str) -> Action:
        return Action(
            f"theme_{name}",
            f"Theme: {title}",
            lambda: commands.set_theme(name),
            checked=lambda: parts.explorer.settings.get("theme", SYSTEM) == name,
        )

    return (
        view("ds_view", "DS picture", "Ctrl+1", "", "The exact picture of the console", DS),
        view("gl_view", "OpenGL view", "Ctrl+2", "", "The window's full resolution", GL),
        view("split_view", "Side by side", "Ctrl+3", "split", "Both pictures of the same moment", BOTH),
        Action(
            "map_view",
            "Map",
            parts.views.toggle_map,
            ("M", "Ctrl+4"),
            icon="map",
            hint="The whole matrix from above at any scale; a double click enters a place",
            checked=lambda: parts.map_mode.on,
            enabled=commands.has_place,
        ),
        Action(
            "whole_matrix",
            "Whole matrix",
            lambda: parts.explorer.choose(all_cells=not parts.explorer.options.all_cells),
            ("Shift+M",),
            icon="matrix",
            hint="Every cell of the matrix in view instead of the four that the game loads",
            checked=lambda: parts.explorer.options.all_cells,
        ),
        Action(
            "all_objects",
            "All people and things",
            lambda: parts.explorer.choose(all_objects=not parts.explorer.options.all_objects),
            hint="Those that the flags of a new game hide, too",
            checked=lambda: parts.explorer.options.all_objects,
        ),
        Action(
            "my_save",
            "My save",
            commands.switch_save,
            hint="The saved game that was opened last, or a new game",
            checked=lambda: parts.explorer.has_saved_game,
            enabled=commands.can_switch_save,
        ),
        Action(
            "before_scripts",
            "Before any script",
            lambda: parts.explorer.choose(save=ENTERED if parts.explorer.options.save == NEW else NEW),
            hint="Maps as their files hold them, before the scripts that run on entering",
            checked=lambda: parts.explorer.options.save == NEW,
        ),
        Action(
            "sharp",
            "Whole pixels only",
            lambda: parts.views.set_sharp(not parts.views.ds.sharp),
            hint="Enlarge the DS picture by whole numbers",
            checked=lambda: parts.views.ds.sharp,
        ),
        theme("system", "follow the system"),
        theme("light", "light"),
        theme("dark", "dark"),
        Action(
            "hide_panels",
            "Hide panels",
            lambda: parts.docks.hide_all(not parts.docks.hidden),
            ("Z",),
            checked=lambda: parts.docks.hidden,
        ),
        Action(
            "full_screen",
            "Full screen",
            lambda: parts.setWindowState(parts.windowState() ^ Qt.WindowFullScreen),
            ("F11",),
            checked=parts.isFullScreen,
        ),
        Action("default_layout", "Default layout of panels", parts.docks.arrange),
    )


def camera_actions(parts: Parts, commands: Commands) -> tuple[Action, ...]:
    """Cameras and the ruler."""

    def camera(kind: str, title: str, key: str, hint: str) -> Action:
        return Action(
            f"camera_{kind}",
            title,
            lambda: parts.explorer.use_camera(kind),
            (key,),
            icon=kind,
            hint=hint,
            checked=lambda: parts.explorer.camera.kind == kind and parts.views.shown != MAP,
        )

    return (
        camera("game", "Game camera", "1", "As the header's camera type has it"),
        camera("orbit", "Orbit", "2", "Drag to turn around a point"),
        camera("fly", "Fly", "3", "W A S D, Q down, E up, wheel: ahead, Ctrl+wheel: speed"),
        camera("top", "Top", "4", "Straight above, north is up"),
        Action("camera_reset", "Reset camera", commands.reset_camera, ("Home",), enabled=commands.has_place),
        Action("camera_selection", "Look at selection", commands.look_at_selection, ("F",), enabled=commands.has_place),
        Action("zoom_in", "Zoom in", lambda: commands.zoom(2.0), ("Ctrl+=", "Ctrl++")),
        Action("zoom_out", "Zoom out", lambda: commands.zoom(-2.0), ("Ctrl+-",)),
        Action(
            "fit_place",
            "Fit the place",
            parts.map_mode.fit_place,
            ("Shift+F",),
            hint="All cells of the place on the map",
            enabled=commands.has_place,
        ),
        Action(
            "fit_region",
            "Fit the region",
            parts.map_mode.fit_region,
            ("Shift+Home",),
            hint="The whole matrix on the map",
            enabled=commands.has_place,
        ),
        Action(
            "ruler",
            "Ruler",
            parts.map_mode.toggle_ruler,
            ("Ctrl+R",),
            hint="A drag on the map measures a distance",
            checked=lambda: parts.map_mode.measures,
            enabled=commands.has_place,
        ),
    )


def time_actions(parts: Parts, commands: Commands) -> tuple[Action, ...]:
    """The clock."""
    explorer, clock = parts.explorer, parts.explorer.clock
    return (
        Action(
            "play",
            "Play",
            lambda: clock.play(not clock.playing),
            ("Space",),
            icon="play",
            hint="Start the clock",
            checked=lambda: clock.playing,
            enabled=commands.has_place,
        ),
        Action(
            "step", "One field update", clock.step, (".",), icon="step", hint="1/29.9 s", enabled=commands.has_place
        ),
        Action(
            "restart",
            "Back to tick 0",
            clock.restart,
            (",",),
            icon="restart",
            enabled=commands.has_place,
        ),
        Action(
            "hour_later",
            "An hour later",
            lambda: clock.set_second(clock.second + HOUR),
            ("]",),
            enabled=commands.has_place,
        ),
        Action(
            "hour_earlier",
            "An hour earlier",
            lambda: clock.set_second(clock.second - HOUR),
            ("[",),
            enabled=commands.has_place,
        ),
        Action("noon", "Noon", lambda: clock.set_second(12 * HOUR), enabled=commands.has_place),
        Action(
            "next_weekday",
            "Next day of the week",
            lambda: explorer.choose(weekday=WEEKDAYS[(WEEKDAYS.index(explorer.options.weekday) + 1) % len(WEEKDAYS)]),
            hint="For scripts that ask for it; Monday if nothing is chosen",
            enabled=commands.has_place,
        ),
        Action("evening", "Evening, 20:00", lambda: clock.set_second(20 * HOUR), enabled=commands.has_place),
    )


def layer_actions(parts: Parts) -> tuple[Action, ...]:
    """The layers of the picture, in their order."""
    explorer = parts.explorer
    layers = explorer.layers

    def action(layer: Layer) -> Action:
        return Action(
            f"layer_{layer.id}",
            layer.title,
            lambda: layers.show(layer.id, not layers[layer.id].visible),
            layer.keys,
            hint=layer.hint,
            checked=lambda: layers[layer.id].visible,
        )

    weather = Action(
        "weather",
        "Weather",
        explorer.toggle_weather,
        ("Alt+0",),
        hint="Fog, rain, snow and the like of the map, with the game's camera",
        checked=lambda: explorer.options.weather != NO_WEATHER,
    )
    in_both, in_one = [layer for layer in STANDARD if not layer.view], [layer for layer in STANDARD if layer.view]
    return (*map(action, in_both), weather, *map(action, in_one))
