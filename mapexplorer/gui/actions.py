"""The one table of actions: menus, tool bar, shortcuts, command palette and keyboard sheet are made from it.

`run` names a method of `mapexplorer.gui.commands.Commands`; `checked` and `enabled` name properties of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Action:
    """An action: its id, title, menu, keys, icon, what it does, and when it is checked or can be used."""

    id: str
    title: str
    menu: str
    run: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    hint: str = ""
    checked: str = ""
    enabled: str = ""
    argument: object = None
    separator: bool = False


FILE, GO, WALK, VIEW, CAMERA, TIME, LAYERS, INSPECT, HELP = (
    "&File", "&Go", "Wal&k", "&View", "&Camera", "&Time", "&Layers", "&Inspect", "&Help",
)  # fmt: skip
MENUS: Final = (FILE, GO, WALK, VIEW, CAMERA, TIME, LAYERS, INSPECT, HELP)

ACTIONS: Final = (
    Action("open", "Open ROM image …", FILE, "open_image", ("Ctrl+O",), "open", "A .nds image of Pokémon Platinum"),
    Action("open_folder", "Open unpacked folder …", FILE, "open_folder", ("Ctrl+Shift+O",), hint="Open a folder that "
           "ndstool, ds-rom or DSPRE unpacked"),
    Action("open_demo", "Open demo world", FILE, "open_demo", hint="The small world that comes with the program"),
    Action("open_files", "Open loose files …", FILE, "open_files", hint="Models, textures and animations, several "
           "at once", separator=True),
    Action("export", "Export …", FILE, "export", ("Ctrl+E",), "export", "Maps, models, pictures and tables as files",
           enabled="has_place"),
    Action("screenshot", "Save picture …", FILE, "screenshot", ("F12",), "camera", "The view as a PNG of any size",
           enabled="has_place"),
    Action("copy_picture", "Copy picture", FILE, "copy_picture", ("Ctrl+Shift+C",), hint="The view to the clipboard",
           enabled="has_place", separator=True),
    Action("quit", "Quit", FILE, "quit", ("Ctrl+Q",)),
    Action("back", "Back", GO, "back", ("Alt+Left",), "back", "To where you were before", enabled="can_go_back"),
    Action("forward", "Forward", GO, "forward", ("Alt+Right",), "forward", enabled="can_go_forward", separator=True),
    Action("palette", "Find anything …", GO, "palette", ("Ctrl+K", "Ctrl+P"), "search", "Maps and actions by a few "
           "letters"),
    Action("filter", "Filter the map list", GO, "filter", ("Ctrl+F",)),
    Action("next_map", "Next map in the list", GO, "next_map", ("Ctrl+PgDown",), enabled="has_place"),
    Action("previous_map", "Previous map in the list", GO, "previous_map", ("Ctrl+PgUp",), enabled="has_place"),
    Action("follow_warp", "Follow selected warp", GO, "follow_warp", ("Ctrl+Return",), enabled="warp_selected"),
    Action("walk", "Walk", WALK, "toggle_walk", ("K",), "walk", "Arrows or W A S D walk by the game's rules, Shift "
           "runs, Enter is the action button", checked="walks", enabled="has_place", separator=True),
    Action("walk_interact", "Action button", WALK, "walk_interact", hint="Surf, Rock Climb, Waterfall, talk, read "
           "(Enter or E)", enabled="walks"),
    Action("walk_bicycle", "Bicycle", WALK, "walk_bicycle", ("R",), hint="Get on or off", checked="rides",
           enabled="walks"),
    Action("walk_gear", "Change gear", WALK, "walk_gear", ("Shift+R",), enabled="rides"),
    Action("walk_run", "Always run", WALK, "toggle_run", checked="always_runs"),
    Action("walk_surf", "Surf when pushing against water", WALK, "toggle_surf", ("U",), checked="surfs_by_itself"),
    Action("walk_people", "People stand in the way", WALK, "toggle_walk_people", checked="meets_people"),
    Action("walk_ghost", "Ghost: walk through everything", WALK, "toggle_ghost", ("O",), checked="is_ghost",
           separator=True),
    Action("walk_back", "Back through the last warp", WALK, "walk_back", ("Backspace",), enabled="walks"),
    Action("ds_view", "DS picture", VIEW, "show_view", ("Ctrl+1",), "", "The exact picture of the console",
           checked="ds_shown", argument="ds"),
    Action("gl_view", "OpenGL view", VIEW, "show_view", ("Ctrl+2",), "", "The window's full resolution",
           checked="gl_shown", argument="gl"),
    Action("split_view", "Side by side", VIEW, "show_view", ("Ctrl+3",), "split", "Both pictures of the same moment",
           checked="both_shown", argument="both", separator=True),
    Action("whole_matrix", "Whole matrix", VIEW, "toggle_whole_matrix", ("M",), "matrix", "Every cell of the matrix "
           "instead of the four that the game keeps loaded", checked="whole_matrix"),
    Action("sharp", "Whole pixels only", VIEW, "toggle_sharp", hint="Enlarge the DS picture by whole numbers",
           checked="sharp", separator=True),
    Action("theme_system", "Theme: follow the system", VIEW, "set_theme", checked="theme_is_system", argument="system"),
    Action("theme_light", "Theme: light", VIEW, "set_theme", checked="theme_is_light", argument="light"),
    Action("theme_dark", "Theme: dark", VIEW, "set_theme", checked="theme_is_dark", argument="dark", separator=True),
    Action("hide_panels", "Hide panels", VIEW, "toggle_panels", ("Z",), checked="panels_hidden"),
    Action("float_panel", "Detach panel", VIEW, "toggle_floating", hint="The panel in front as a window of its own, or "
           "back between the others; a double click on its tab does the same", checked="panel_floats"),
    Action("full_screen", "Full screen", VIEW, "toggle_full_screen", ("F11",), checked="is_full_screen"),
    Action("default_layout", "Default layout of panels", VIEW, "default_layout"),
    Action("camera_game", "Game camera", CAMERA, "use_camera", ("1",), "game", "As the header's camera type has it",
           checked="camera_is_game", argument="game"),
    Action("camera_orbit", "Orbit", CAMERA, "use_camera", ("2",), "orbit", "Drag to turn around a point",
           checked="camera_is_orbit", argument="orbit"),
    Action("camera_fly", "Fly", CAMERA, "use_camera", ("3",), "fly", "W A S D, Q down, E up, wheel: speed",
           checked="camera_is_fly", argument="fly"),
    Action("camera_top", "Top", CAMERA, "use_camera", ("4",), "top", "Straight above, north is up",
           checked="camera_is_top", argument="top", separator=True),
    Action("camera_reset", "Reset camera", CAMERA, "reset_camera", ("Home",), enabled="has_place"),
    Action("camera_selection", "Look at selection", CAMERA, "look_at_selection", ("F",), enabled="has_place"),
    Action("zoom_in", "Zoom in", CAMERA, "zoom", ("Ctrl+=", "Ctrl++"), argument=2.0),
    Action("zoom_out", "Zoom out", CAMERA, "zoom", ("Ctrl+-",), argument=-2.0),
    Action("copy_camera", "Copy camera pose", CAMERA, "copy_camera", enabled="has_place"),
    Action("play", "Play", TIME, "toggle_playing", ("Space",), "play", "Let the clock run", checked="is_playing",
           enabled="has_place"),
    Action("step", "One field update", TIME, "step", (".",), "step", "1/29.9 s", enabled="has_place"),
    Action("restart", "Back to tick 0", TIME, "restart", (",",), "restart", enabled="has_place", separator=True),
    Action("hour_later", "An hour later", TIME, "add_hours", ("]",), argument=1, enabled="has_place"),
    Action("hour_earlier", "An hour earlier", TIME, "add_hours", ("[",), argument=-1, enabled="has_place"),
    Action("noon", "Noon", TIME, "set_hour", argument=12, enabled="has_place"),
    Action("evening", "Evening, 20:00", TIME, "set_hour", argument=20, enabled="has_place"),
    Action("layer_terrain", "Terrain", LAYERS, "toggle_layer", ("Alt+1",), checked="layer", argument="terrain"),
    Action("layer_props", "Map props", LAYERS, "toggle_layer", ("Alt+2",), checked="layer", argument="props"),
    Action("layer_people", "People", LAYERS, "toggle_layer", ("Alt+3",), checked="layer", argument="people"),
    Action("layer_collision", "Collision", LAYERS, "toggle_layer", ("Alt+4", "C"), checked="layer",
           argument="collision"),
    Action("layer_behaviours", "Tile behaviours", LAYERS, "toggle_layer", ("Alt+5", "B"), checked="layer",
           argument="behaviours"),
    Action("layer_plates", "Height plates", LAYERS, "toggle_layer", ("Alt+6", "P"), checked="layer", argument="plates"),
    Action("layer_events", "Events and warps", LAYERS, "toggle_layer", ("Alt+7", "V"), checked="layer",
           argument="events"),
    Action("layer_grid", "Grid", LAYERS, "toggle_layer", ("Alt+8", "G"), checked="layer", argument="grid"),
    Action("layer_wireframe", "Wireframe", LAYERS, "toggle_layer", ("Alt+9",), checked="layer", argument="wireframe"),
    Action("layer_missing", "Missing textures in magenta", LAYERS, "toggle_layer", checked="layer", argument="missing"),
    Action(
        "layer_missing_ds", "Missing textures in the DS picture, too", LAYERS, "toggle_layer", checked="layer",
        argument="missing_ds",
    ),
    Action("inspect_header", "Map header", INSPECT, "inspect_header", ("I",), enabled="has_place"),
    Action("inspect_area", "Area", INSPECT, "inspect_area", enabled="has_place"),
    Action("inspect_matrix", "Matrix", INSPECT, "inspect_matrix", enabled="has_place", separator=True),
    Action("show_maps", "Maps", INSPECT, "show_dock", argument="maps", checked="dock"),
    Action("show_matrix", "Matrix grid", INSPECT, "show_dock", argument="matrix", checked="dock"),
    Action("show_inspector", "Inspector", INSPECT, "show_dock", argument="inspector", checked="dock"),
    Action("show_layers", "Layers", INSPECT, "show_dock", argument="layers", checked="dock"),
    Action("show_heights", "Height laboratory", INSPECT, "show_dock", ("L",), argument="heights", checked="dock"),
    Action("show_textures", "Textures", INSPECT, "show_dock", ("T",), argument="textures", checked="dock"),
    Action("show_models", "Models", INSPECT, "show_dock", argument="models", checked="dock"),
    Action("show_bytes", "Raw bytes", INSPECT, "show_dock", argument="bytes", checked="dock", separator=True),
    Action("copy_text", "Copy panel as text", INSPECT, "copy_text", ("Ctrl+Alt+C",), "copy", "What the panel in front "
           "shows; a right click in any panel offers the same", enabled="has_place"),
    Action("copy_json", "Copy panel as JSON", INSPECT, "copy_json", ("Ctrl+Alt+J",), hint="What the panel in front "
           "shows, for other programs", enabled="has_place"),
    Action("keys", "Keyboard and mouse", HELP, "show_keys", ("H", "?")),
    Action("welcome", "Welcome page", HELP, "show_welcome"),
    Action("opengl_state", "OpenGL on this machine", HELP, "show_opengl"),
    Action("about", "About", HELP, "about"),
)  # fmt: skip

BY_ID: Final = {action.id: action for action in ACTIONS}

TOOLBAR: Final = (
    "open", "export", "screenshot", "", "back", "forward", "", "camera_game", "camera_orbit", "camera_fly",
    "camera_top", "", "walk", "", "whole_matrix", "",
)  # fmt: skip

MOUSE: Final = (
    ("Click", "Inspect what is under the cursor"),
    ("Double click", "Follow a warp; while walking, put the player there"),
    ("Left drag", "Turn, or move (game, top)"),
    ("Right drag", "Move over the ground"),
    ("Wheel", "Zoom; speed when flying"),
    ("Right click in a panel", "Copy it as text or JSON"),
    ("Double click on a tab", "Detach its panel"),
    ("W A S D, arrows", "Move the camera"),
    ("Q, E", "Down and up when flying"),
    ("Shift", "Four times as fast"),
)
"""What the keyboard sheet says of the mouse and of keys that are held."""
