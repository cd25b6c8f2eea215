"""The table of actions, from which menus, tool bar, shortcuts, command palette and keyboard sheet are made."""

from __future__ import annotations

from PyQt5.QtCore import Qt

from mapexplorer.export.request import PosterRequest
from mapexplorer.gui.actions.action import (
    CAMERA,
    COMPARE,
    EVENTS,
    FILE,
    GO,
    HELP,
    INSPECT,
    LAYERS,
    TIME,
    VIEW,
    WALK,
    Action,
)
from mapexplorer.gui.actions.commands import Commands
from mapexplorer.gui.model.comparison import Shown
from mapexplorer.gui.model.history import BACK, FORWARD
from mapexplorer.gui.model.layers import STANDARD, Layer
from mapexplorer.gui.model.save_change import NO_CHANGE
from mapexplorer.gui.parts import Parts
from mapexplorer.gui.views.area import BOTH, DS, GL
from mapexplorer.gui.widgets.controls import copy_image, copy_text
from mapexplorer.gui.widgets.layout import bring_up
from mapexplorer.gui.widgets.notices import INFO
from mapexplorer.gui.widgets.theme import SYSTEM
from mapexplorer.values import NO_WEATHER

HOUR = 3600
"""Seconds."""
STEP = 0.05
"""The share of the picture's width by which a key moves the slider."""


def action_table(parts: Parts, commands: Commands) -> tuple[Action, ...]:
    """Every action of a window, in the order of the menus."""
    return (
        *_file(parts, commands),
        *_go(parts, commands),
        *_walk(parts, commands),
        *_view(parts, commands),
        *_camera(parts, commands),
        *_time(parts, commands),
        *_layers(parts),
        *_inspect(parts, commands),
        *_events(parts, commands),
        *_compare(parts, commands),
        *_help(parts, commands),
    )


def _file(parts: Parts, commands: Commands) -> tuple[Action, ...]:
    return (
        Action(
            "open",
            "Open ROM image …",
            FILE,
            lambda: commands.ask_image("Open a ROM image", parts.jobs.open),
            ("Ctrl+O",),
            "open",
            "A .nds image of Platinum, Diamond, Pearl, HeartGold or SoulSilver",
        ),
        Action(
            "open_folder",
            "Open unpacked folder …",
            FILE,
            lambda: commands.ask_folder("Open an unpacked ROM", parts.jobs.open),
            ("Ctrl+Shift+O",),
            hint="Open a folder that ndstool, ds-rom or DSPRE unpacked",
        ),
        Action(
            "open_demo",
            "Open demo world",
            FILE,
            lambda: parts.jobs.open("demo"),
            hint="The small world that comes with the program",
        ),
        Action(
            "open_files",
            "Open loose files …",
            FILE,
            commands.open_files,
            hint="Models, textures and animations, several at once",
            separator=True,
        ),
        Action(
            "export",
            "Export …",
            FILE,
            lambda: commands.dialogs.export.open(),
            ("Ctrl+E",),
            "export",
            "Maps, models, pictures and tables as files",
            enabled=commands.has_place,
        ),
        Action(
            "export_now",
            "Export this map as GLB",
            FILE,
            commands.dialogs.export_now,
            ("Ctrl+Shift+E",),
            hint="With the options of the export dialog, into the folder of the last export",
            enabled=commands.has_place,
        ),
        Action(
            "poster",
            "Map from above …",
            FILE,
            lambda: commands.dialogs.export.open(PosterRequest),
            hint="This map, or its whole matrix, from above as a PNG",
            enabled=commands.has_place,
        ),
        Action(
            "screenshot",
            "Save picture …",
            FILE,
            commands.dialogs.show_screenshot,
            ("F12",),
            "camera",
            "The view as a PNG of any size",
            enabled=commands.has_place,
        ),
        Action(
            "copy_picture",
            "Copy picture",
            FILE,
            lambda: copy_image(parts.views.image()),
            ("Ctrl+Shift+C",),
            hint="The view to the clipboard",
            enabled=commands.has_place,
            separator=True,
        ),
        Action(
            "rom_page",
            "About this ROM …",
            FILE,
            lambda: commands.dialogs.rom_page.open(),
            ("Ctrl+I",),
            hint="Release, contents and notes; verification",
            enabled=commands.has_place,
        ),
        Action(
            "preferences",
            "Preferences …",
            FILE,
            lambda: bring_up(commands.dialogs.preferences),
            ("Ctrl+,",),
            hint="Shortcuts and the scale of the interface",
            separator=True,
        ),
        Action("quit", "Quit", FILE, parts.close, ("Ctrl+Q",)),
    )


def _go(parts: Parts, commands: Commands) -> tuple[Action, ...]:
    history = parts.explorer.history
    return (
        Action(
            "back",
            "Back",
            GO,
            lambda: parts.explorer.go_in_history(BACK),
            ("Alt+Left",),
            "back",
            "To the previous place",
            enabled=lambda: history.can_go(BACK),
        ),
        Action(
            "forward",
            "Forward",
            GO,
            lambda: parts.explorer.go_in_history(FORWARD),
            ("Alt+Right",),
            "forward",
            enabled=lambda: history.can_go(FORWARD),
            separator=True,
        ),
        Action(
            "palette",
            "Find anything …",
            GO,
            commands.dialogs.show_palette,
            ("Ctrl+K", "Ctrl+P"),
            "search",
            "Maps and actions by a few letters",
        ),
        Action("filter", "Filter the map list", GO, commands.filter_maps, ("Ctrl+F",)),
        Action(
            "next_map",
            "Next map in the list",
            GO,
            lambda: commands.neighbour(1),
            ("Ctrl+PgDown",),
            enabled=commands.has_place,
        ),
        Action(
            "previous_map",
            "Previous map in the list",
            GO,
            lambda: commands.neighbour(-1),
            ("Ctrl+PgUp",),
            enabled=commands.has_place,
        ),
        Action(
            "follow_warp",
            "Follow selected warp",
            GO,
            commands.follow_warp,
            ("Ctrl+Return",),
            enabled=lambda: commands.is_selected("warp"),
            separator=True,
        ),
        Action(
            "go_to_tile",
            "Go to tile …",
            GO,
            commands.dialogs.ask_tile,
            ("Ctrl+T",),
            hint="A tile of the matrix by its numbers",
            enabled=commands.has_place,
        ),
        Action(
            "add_bookmark",
            "Add bookmark …",
            GO,
            commands.dialogs.ask_bookmark,
            ("Ctrl+D",),
            hint="The present view with its camera, under a name",
            enabled=commands.has_place,
        ),
    )


def _walk(parts: Parts, commands: Commands) -> tuple[Action, ...]:
    walking = parts.walk_mode.walking
    return (
        Action(
            "walk",
            "Walk",
            WALK,
            parts.walk_mode.toggle,
            ("K",),
            "walk",
            "Arrows or W A S D walk by the game's rules, Shift runs, Enter is the action button",
            lambda: walking.active,
            commands.has_place,
            separator=True,
        ),
        Action(
            "walk_interact",
            "Action button",
            WALK,
            walking.interact,
            hint="Surf, Rock Climb, Waterfall, talk, read (Enter or E)",
            enabled=lambda: walking.active,
        ),
        Action(
            "walk_bicycle",
            "Bicycle",
            WALK,
            walking.toggle_bicycle,
            ("R",),
            hint="Get on or off",
            checked=lambda: walking.rides,
            enabled=lambda: walking.active,
        ),
        Action("walk_gear", "Change gear", WALK, walking.shift_gear, ("Shift+R",), enabled=lambda: walking.rides),
        Action("walk_run", "Always run", WALK, walking.toggle_always_run, checked=lambda: walking.always_run),
        Action(
            "walk_surf",
            "Surf when pushing against water",
            WALK,
            walking.toggle_surf,
            ("U",),
            checked=lambda: walking.surfs_by_itself,
        ),
        Action(
            "walk_people",
            "People block tiles",
            WALK,
            lambda: walking.set_people(not walking.people),
            checked=lambda: walking.people,
        ),
        Action(
            "walk_ghost",
            "Ghost: walk through everything",
            WALK,
            lambda: walking.set_ghost(not walking.ghost),
            ("O",),
            checked=lambda: walking.ghost,
            separator=True,
        ),
        Action(
            "reachable",
            "Reachable tiles",
            WALK,
            parts.routes.toggle_reached,
            ("Shift+K",),
            hint="The tiles of this matrix to which the player, or the middle of the picture, has a way on foot",
            checked=lambda: parts.routes.shown,
            enabled=commands.has_place,
        ),
        Action(
            "hide_way",
            "Hide the way",
            WALK,
            parts.routes.hide_way,
            enabled=lambda: bool(parts.explorer.marks.way),
            separator=True,
        ),
        Action(
            "walk_back",
            "Back through the last warp",
            WALK,
            walking.back,
            ("Backspace",),
            enabled=lambda: walking.active,
        ),
    )


def _view(parts: Parts, commands: Commands) -> tuple[Action, ...]:
    def view(name: str, title: str, key: str, icon: str, hint: str, which: str, separator: bool = False) -> Action:
        return Action(
            name,
            title,
            VIEW,
            lambda: parts.views.show_view(which),
            (key,),
            icon,
            hint,
            lambda: parts.views.shown == which,
            separator=separator,
        )

    def theme(name: str, title: str, separator: bool = False) -> Action:
        return Action(
            f"theme_{name}",
            f"Theme: {title}",
            VIEW,
            lambda: commands.set_theme(name),
            checked=lambda: parts.explorer.settings.get("theme", SYSTEM) == name,
            separator=separator,
        )

    return (
        view("ds_view", "DS picture", "Ctrl+1", "", "The exact picture of the console", DS),
        view("gl_view", "OpenGL view", "Ctrl+2", "", "The window's full resolution", GL),
        view("split_view", "Side by side", "Ctrl+3", "split", "Both pictures of the same moment", BOTH),
        Action(
            "map_view",
            "Map",
            VIEW,
            parts.views.toggle_map,
            ("M", "Ctrl+4"),
            "map",
            "The whole matrix from above at any scale; a double click enters a place",
            lambda: parts.map_mode.on,
            commands.has_place,
            separator=True,
        ),
        Action(
            "whole_matrix",
            "Whole matrix",
            VIEW,
            lambda: parts.jobs.set_whole_matrix(not parts.jobs.whole_matrix),
            ("Shift+M",),
            "matrix",
            "Every cell of the matrix in view instead of the four that the game loads",
            lambda: parts.jobs.whole_matrix,
        ),
        Action(
            "all_objects",
            "All people and things",
            VIEW,
            lambda: parts.explorer.set_all_objects(not parts.explorer.all_objects),
            hint="Those that the flags of a new game hide, too",
            checked=lambda: parts.explorer.all_objects,
        ),
        Action(
            "sharp",
            "Whole pixels only",
            VIEW,
            lambda: parts.views.set_sharp(not parts.views.ds.sharp),
            hint="Enlarge the DS picture by whole numbers",
            checked=lambda: parts.views.ds.sharp,
            separator=True,
        ),
        theme("system", "follow the system"),
        theme("light", "light"),
        theme("dark", "dark", True),
        Action(
            "hide_panels",
            "Hide panels",
            VIEW,
            lambda: parts.docks.hide_all(not parts.docks.hidden),
            ("Z",),
            checked=lambda: parts.docks.hidden,
        ),
        Action(
            "float_panel",
            "Detach panel",
            VIEW,
            parts.docks.toggle_floating,
            hint="The panel in front as a window of its own, or back between the others; a "
            "double click on its tab does the same",
            checked=parts.docks.front_floats,
        ),
        Action(
            "full_screen",
            "Full screen",
            VIEW,
            lambda: parts.setWindowState(parts.windowState() ^ Qt.WindowFullScreen),
            ("F11",),
            checked=parts.isFullScreen,
        ),
        Action("default_layout", "Default layout of panels", VIEW, parts.docks.arrange),
    )


def _camera(parts: Parts, commands: Commands) -> tuple[Action, ...]:
    def camera(kind: str, title: str, key: str, hint: str, separator: bool = False) -> Action:
        return Action(
            f"camera_{kind}",
            title,
            CAMERA,
            lambda: parts.explorer.use_camera(kind),
            (key,),
            kind,
            hint,
            lambda: parts.explorer.camera.kind == kind,
            separator=separator,
        )

    return (
        camera("game", "Game camera", "1", "As the header's camera type has it"),
        camera("orbit", "Orbit", "2", "Drag to turn around a point"),
        camera("fly", "Fly", "3", "W A S D, Q down, E up, wheel: ahead, Ctrl+wheel: speed"),
        camera("top", "Top", "4", "Straight above, north is up", True),
        Action("camera_reset", "Reset camera", CAMERA, commands.reset_camera, ("Home",), enabled=commands.has_place),
        Action(
            "camera_selection",
            "Look at selection",
            CAMERA,
            commands.look_at_selection,
            ("F",),
            enabled=commands.has_place,
        ),
        Action("zoom_in", "Zoom in", CAMERA, lambda: commands.zoom(2.0), ("Ctrl+=", "Ctrl++")),
        Action("zoom_out", "Zoom out", CAMERA, lambda: commands.zoom(-2.0), ("Ctrl+-",)),
        Action(
            "fit_place",
            "Fit the place",
            CAMERA,
            parts.map_mode.fit_place,
            ("Shift+F",),
            hint="All cells of the place on the map",
            enabled=commands.has_place,
        ),
        Action(
            "fit_region",
            "Fit the region",
            CAMERA,
            parts.map_mode.fit_region,
            ("Shift+Home",),
            hint="The whole matrix on the map",
            enabled=commands.has_place,
        ),
        Action(
            "ruler",
            "Ruler",
            CAMERA,
            parts.map_mode.toggle_ruler,
            ("Ctrl+R",),
            hint="A drag on the map measures a distance",
            checked=lambda: parts.map_mode.measures,
            enabled=commands.has_place,
            separator=True,
        ),
        Action(
            "copy_camera",
            "Copy camera pose",
            CAMERA,
            lambda: copy_text(parts.explorer.camera.words()),
            enabled=commands.has_place,
        ),
    )


def _time(parts: Parts, commands: Commands) -> tuple[Action, ...]:
    clock = parts.explorer.clock
    return (
        Action(
            "play",
            "Play",
            TIME,
            lambda: clock.play(not clock.playing),
            ("Space",),
            "play",
            "Start the clock",
            lambda: clock.playing,
            commands.has_place,
        ),
        Action("step", "One field update", TIME, clock.step, (".",), "step", "1/29.9 s", enabled=commands.has_place),
        Action(
            "restart",
            "Back to tick 0",
            TIME,
            clock.restart,
            (",",),
            "restart",
            enabled=commands.has_place,
            separator=True,
        ),
        Action(
            "hour_later",
            "An hour later",
            TIME,
            lambda: clock.set_second(clock.second + HOUR),
            ("]",),
            enabled=commands.has_place,
        ),
        Action(
            "hour_earlier",
            "An hour earlier",
            TIME,
            lambda: clock.set_second(clock.second - HOUR),
            ("[",),
            enabled=commands.has_place,
        ),
        Action("noon", "Noon", TIME, lambda: clock.set_second(12 * HOUR), enabled=commands.has_place),
        Action("evening", "Evening, 20:00", TIME, lambda: clock.set_second(20 * HOUR), enabled=commands.has_place),
    )


def _layers(parts: Parts) -> tuple[Action, ...]:
    explorer = parts.explorer
    layers = explorer.layers

    def action(layer: Layer) -> Action:
        return Action(
            f"layer_{layer.id}",
            layer.title,
            LAYERS,
            lambda: layers.show(layer.id, not layers[layer.id].visible),
            layer.keys,
            hint=layer.hint,
            checked=lambda: layers[layer.id].visible,
        )

    weather = Action(
        "weather",
        "Weather",
        LAYERS,
        explorer.toggle_weather,
        ("Alt+0",),
        hint="Fog, rain, snow and the like of the map, with the game's camera",
        checked=lambda: explorer.weather != NO_WEATHER,
    )
    in_both, in_one = [layer for layer in STANDARD if not layer.view], [layer for layer in STANDARD if layer.view]
    return (*map(action, in_both), weather, *map(action, in_one))


def _inspect(parts: Parts, commands: Commands) -> tuple[Action, ...]:
    def dock(name: str, title: str, *keys: str, separator: bool = False) -> Action:
        return Action(
            f"show_{name}",
            title,
            INSPECT,
            lambda: parts.docks.toggle(name),
            keys,
            checked=lambda: parts.docks.shown(name),
            separator=separator,
        )

    return (
        Action(
            "inspect_header",
            "Map header",
            INSPECT,
            lambda: commands.inspect("header", lambda place: place.header.id),
            ("I",),
            enabled=commands.has_place,
        ),
        Action(
            "inspect_area",
            "Area",
            INSPECT,
            lambda: commands.inspect("area", lambda place: place.area_id.value),
            enabled=commands.has_place,
        ),
        Action(
            "inspect_matrix",
            "Matrix",
            INSPECT,
            lambda: commands.inspect("matrix", lambda place: place.matrix_id.value),
            enabled=commands.has_place,
            separator=True,
        ),
        dock("maps", "Maps"),
        dock("events", "Events of the map", "F2"),
        dock("encounters", "Wild Pokémon of the map", "F3"),
        Action(
            "browse",
            "All models, textures and sprites …",
            INSPECT,
            lambda: commands.dialogs.browse.open_kind(),
            ("F4",),
            hint="Every prop model, texture set and sprite of the ROM as a picture",
            enabled=commands.has_place,
        ),
        dock("files", "Files of the ROM", "F6"),
        dock("names", "Names: species, items, flags, texts …", "N"),
        dock("matrix", "Matrix grid"),
        dock("inspector", "Inspector"),
        dock("script", "Script", "X"),
        dock("layers", "Layers"),
        Action(
            "show_state",
            "State of what code adds",
            INSPECT,
            lambda: parts.docks.toggle("state"),
            ("J",),
            hint="Gyms, lifts, trams, furniture, hidden places: the state that is shown",
            checked=lambda: parts.docks.shown("state"),
            enabled=lambda: bool(parts.state.choices),
        ),
        Action(
            "next_state",
            "Next state",
            INSPECT,
            lambda: parts.state.step(1),
            ("Shift+J",),
            hint="Of what code adds to this map",
            enabled=lambda: bool(parts.state.choices),
        ),
        dock("heights", "Height inspector", "L"),
        dock("textures", "Textures", "T"),
        dock("models", "Models"),
        dock("bytes", "Raw bytes", separator=True),
        Action(
            "copy_text",
            "Copy panel as text",
            INSPECT,
            lambda: parts.docks.front_panel.copy_text(),
            ("Ctrl+Alt+C",),
            "copy",
            "What the panel in front shows; a right click in any panel offers the same",
            enabled=commands.has_place,
        ),
        Action(
            "copy_json",
            "Copy panel as JSON",
            INSPECT,
            lambda: parts.docks.front_panel.copy_json(),
            ("Ctrl+Alt+J",),
            hint="What the panel in front shows, for other programs",
            enabled=commands.has_place,
        ),
    )


def _events(parts: Parts, commands: Commands) -> tuple[Action, ...]:
    def names(name: str, title: str, kind: str, *, here: bool = False, separator: bool = False) -> Action:
        return Action(
            name,
            title,
            EVENTS,
            lambda: commands.show_names(kind, here=here),
            enabled=commands.has_place,
            separator=separator,
        )

    explorer = parts.explorer
    return (
        Action(
            "map_scripts",
            "Scripts of the map",
            EVENTS,
            lambda: commands.show_scripts(parts.script.show_map),
            ("Shift+X",),
            enabled=commands.has_place,
        ),
        Action(
            "initial_scripts",
            "Initial scripts of the map",
            EVENTS,
            lambda: commands.show_scripts(parts.script.show_initial),
            hint="What runs on entering, and while variables have a value",
            enabled=commands.has_place,
            separator=True,
        ),
        names("map_trainers", "Trainers of the map", "trainer", here=True),
        names("map_items", "Items of the map", "item", here=True),
        names("map_texts", "Texts of the map", "text", here=True),
        names("map_flags", "Flags of the map", "flag", here=True, separator=True),
        names("trainers", "All trainers", "trainer"),
        names("items", "All items", "item"),
        names("texts", "All texts", "text"),
        names("flags", "All flags", "flag"),
        names("variables", "All variables", "variable"),
        names("unused_scripts", "Scripts that nothing runs", "unused", separator=True),
        Action(
            "switch_flag",
            "Selected flag is set",
            EVENTS,
            commands.switch_flag,
            ("Y",),
            hint="Of a selected person: the flag that hides it",
            checked=lambda: commands.selected_flag() in explorer.save.flags,
            enabled=lambda: commands.selected_flag() is not None,
        ),
        Action(
            "set_variable",
            "Value of the selected variable …",
            EVENTS,
            commands.set_variable,
            enabled=lambda: commands.is_selected("variable"),
        ),
        Action(
            "fresh_save",
            "Flags and variables of a new game",
            EVENTS,
            lambda: explorer.change_save(NO_CHANGE),
            enabled=lambda: explorer.save_change != NO_CHANGE,
        ),
    )


def _compare(parts: Parts, commands: Commands) -> tuple[Action, ...]:
    mode = parts.compare_mode
    state = mode.state

    def active() -> bool:
        return state.active

    def shown(which: Shown, title: str, key: str, hint: str, separator: bool = False) -> Action:
        return Action(
            f"compare_{which}",
            title,
            COMPARE,
            lambda: mode.show(which),
            (key,),
            hint=hint,
            checked=lambda: state.active and state.shown is which,
            enabled=active,
            separator=separator,
        )

    return (
        Action(
            "compare",
            "Compare with ROM image …",
            COMPARE,
            lambda: commands.ask_image("The ROM as it was before", mode.open),
            ("Ctrl+Alt+O",),
            hint="That ROM is the one before, the open one the one after",
            enabled=commands.has_place,
        ),
        Action(
            "compare_folder",
            "Compare with unpacked folder …",
            COMPARE,
            lambda: commands.ask_folder("The unpacked ROM as it was before", mode.open),
            enabled=commands.has_place,
        ),
        Action("compare_close", "Stop comparing", COMPARE, mode.close, enabled=active, separator=True),
        shown(Shown.AFTER, "After", "Alt+A", "The picture of the open ROM"),
        shown(Shown.BEFORE, "Before", "Alt+B", "The picture of the other ROM"),
        shown(Shown.DIFFERENCE, "Difference", "Alt+D", "The pixels that differ, in one colour"),
        shown(Shown.SLIDER, "Slider", "Alt+S", "Both along a line that can be dragged", True),
        Action(
            "slider_left",
            "Slider to the left",
            COMPARE,
            lambda: state.slide(state.slider - STEP),
            ("Alt+,",),
            enabled=active,
        ),
        Action(
            "slider_right",
            "Slider to the right",
            COMPARE,
            lambda: state.slide(state.slider + STEP),
            ("Alt+.",),
            enabled=active,
            separator=True,
        ),
        Action("next_change", "Next changed place", COMPARE, lambda: mode.go(1), ("Alt+PgDown",), enabled=active),
        Action(
            "previous_change",
            "Previous changed place",
            COMPARE,
            lambda: mode.go(-1),
            ("Alt+PgUp",),
            enabled=active,
            separator=True,
        ),
        Action(
            "show_changes",
            "Changed places",
            COMPARE,
            lambda: parts.docks.toggle("changes"),
            ("F7",),
            checked=lambda: parts.docks.shown("changes"),
        ),
    )


def _help(parts: Parts, commands: Commands) -> tuple[Action, ...]:
    return (
        Action(
            "whats_this",
            "What is this?",
            HELP,
            commands.dialogs.whats_this.begin,
            ("Shift+F1",),
            hint="The next click on a part of the window opens the manual there",
            checked=lambda: commands.dialogs.whats_this.active,
        ),
        Action("manual", "Manual", HELP, commands.dialogs.whats_this.open_manual, ("F1",), separator=True),
        Action("keys", "Keyboard and mouse", HELP, commands.dialogs.show_keys, ("H", "?")),
        Action("welcome", "Welcome page", HELP, commands.dialogs.welcome.open),
        Action(
            "opengl_state",
            "OpenGL on this machine",
            HELP,
            lambda: parts.notices.tell(INFO, "OpenGL on this machine", parts.views.opengl_words()),
        ),
        Action("about", "About", HELP, commands.show_about),
    )
