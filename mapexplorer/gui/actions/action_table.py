"""The table of actions, from which menus, tool bar, rail, shortcuts, command palette and the page of keys are made."""

from __future__ import annotations

from dataclasses import replace

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
from mapexplorer.gui.actions.inspect_actions import event_actions, inspect_actions
from mapexplorer.gui.actions.view_actions import camera_actions, layer_actions, time_actions, view_actions, walk_actions
from mapexplorer.gui.manual import KEYS_PAGE, START_PAGE
from mapexplorer.gui.model.comparison import Shown
from mapexplorer.gui.model.history import BACK, FORWARD
from mapexplorer.gui.parts import Parts
from mapexplorer.gui.widgets.controls import copy_image, copy_text
from mapexplorer.gui.widgets.layout import bring_up
from mapexplorer.gui.widgets.notices import INFO
from mapexplorer.world.subject import subject

STEP = 0.05
"""The share of the picture's width by which a key moves the slider."""


def action_table(parts: Parts, commands: Commands) -> tuple[Action, ...]:
    """Every action of a window, by group."""
    groups = {
        FILE: _file(parts, commands),
        GO: _go(parts, commands),
        WALK: walk_actions(parts, commands),
        VIEW: view_actions(parts, commands),
        CAMERA: camera_actions(parts, commands),
        TIME: time_actions(parts, commands),
        LAYERS: layer_actions(parts),
        INSPECT: inspect_actions(parts, commands),
        EVENTS: event_actions(parts, commands),
        COMPARE: _compare(parts, commands),
        HELP: _help(parts, commands),
    }
    return tuple(replace(action, group=group) for group, actions in groups.items() for action in actions)


def _file(parts: Parts, commands: Commands) -> tuple[Action, ...]:
    return (
        Action(
            "open",
            "Open ROM image …",
            lambda: commands.ask_image("Open a ROM image", parts.jobs.open),
            ("Ctrl+O",),
            icon="open",
            hint="A .nds image of Platinum, Diamond, Pearl, HeartGold or SoulSilver",
        ),
        Action(
            "open_folder",
            "Open unpacked folder …",
            lambda: commands.ask_folder("Open an unpacked ROM", parts.jobs.open),
            ("Ctrl+Shift+O",),
            hint="A folder that ndstool, ds-rom or DSPRE unpacked, or the source tree of the decompilation",
        ),
        Action(
            "open_demo",
            "Open demo world",
            lambda: parts.jobs.open("demo"),
            hint="The small world that comes with the program",
        ),
        Action(
            "open_save",
            "Open save …",
            commands.ask_save,
            hint="The world as you left it, where you were: a .sav or .dsv file of Platinum, which is only read",
            enabled=commands.has_place,
        ),
        Action(
            "open_files",
            "Open loose files …",
            commands.open_files,
            hint="Models, textures and animations, several at once",
        ),
        Action(
            "export",
            "Export …",
            lambda: commands.dialogs.export.open(),
            ("Ctrl+E",),
            icon="export",
            hint="Maps, models, pictures and tables as files",
            enabled=commands.has_place,
        ),
        Action(
            "export_now",
            "Export this map as GLB",
            commands.dialogs.export_now,
            ("Ctrl+Shift+E",),
            hint="With the options of the export dialog, into the folder of the last export",
            enabled=commands.has_place,
        ),
        Action(
            "poster",
            "Map from above …",
            lambda: commands.dialogs.export.open(PosterRequest),
            hint="This map, or its whole matrix, from above as a PNG",
            enabled=commands.has_place,
        ),
        Action(
            "screenshot",
            "Save picture …",
            commands.save_picture,
            ("F12",),
            icon="camera",
            hint="The view as a PNG; a picture of another size is an export",
            enabled=commands.has_place,
        ),
        Action(
            "copy_picture",
            "Copy picture",
            lambda: copy_image(parts.views.image()),
            ("Ctrl+Shift+C",),
            hint="The view to the clipboard",
            enabled=commands.has_place,
        ),
        Action(
            "copy_link",
            "Copy link",
            lambda: copy_text(str(parts.map_mode.link)),
            ("Ctrl+Shift+L",),
            hint="The address of the view, for the search and the command line",
            enabled=commands.has_place,
        ),
        Action(
            "rom_page",
            "About this ROM",
            lambda: parts.inspection.show(subject("rom")),
            ("Ctrl+I",),
            hint="Release, contents and notes",
            enabled=commands.has_place,
        ),
        Action(
            "preferences",
            "Preferences …",
            lambda: bring_up(commands.dialogs.preferences),
            ("Ctrl+,",),
            hint="Shortcuts and the scale of the interface",
        ),
        Action("quit", "Quit", parts.close, ("Ctrl+Q",)),
    )


def _go(parts: Parts, commands: Commands) -> tuple[Action, ...]:
    history = parts.explorer.history
    return (
        Action(
            "back",
            "Back",
            lambda: parts.explorer.go_in_history(BACK),
            ("Alt+Left",),
            icon="back",
            hint="To the previous place",
            enabled=lambda: history.can_go(BACK),
        ),
        Action(
            "forward",
            "Forward",
            lambda: parts.explorer.go_in_history(FORWARD),
            ("Alt+Right",),
            icon="forward",
            enabled=lambda: history.can_go(FORWARD),
        ),
        Action(
            "palette",
            "Find anything …",
            commands.dialogs.palette.open,
            ("Ctrl+K", "Ctrl+P"),
            icon="search",
            hint="Maps and actions by a few letters",
        ),
        Action(
            "filter",
            "Find in the panel",
            parts.docks.search,
            ("Ctrl+F",),
            hint="In the panel that has the focus: its filter, words of a script; else the filter of the maps",
        ),
        Action(
            "next_map",
            "Next map in the list",
            lambda: commands.neighbour(1),
            ("Ctrl+PgDown",),
            enabled=commands.has_place,
        ),
        Action(
            "previous_map",
            "Previous map in the list",
            lambda: commands.neighbour(-1),
            ("Ctrl+PgUp",),
            enabled=commands.has_place,
        ),
        Action(
            "follow_warp",
            "Follow selected warp",
            commands.follow_warp,
            ("Ctrl+Return",),
            enabled=lambda: commands.is_selected("warp"),
        ),
        Action(
            "go_to_tile",
            "Go to tile …",
            commands.dialogs.ask_tile,
            ("Ctrl+T",),
            hint="A tile of the matrix by its numbers",
            enabled=commands.has_place,
        ),
        Action(
            "add_bookmark",
            "Add bookmark …",
            commands.dialogs.ask_bookmark,
            ("Ctrl+D",),
            hint="The present view with its camera, under a name",
            enabled=commands.has_place,
        ),
    )


def _compare(parts: Parts, commands: Commands) -> tuple[Action, ...]:
    mode = parts.compare_mode
    state = mode.state

    def active() -> bool:
        return state.active

    def shown(which: Shown, title: str, key: str, hint: str) -> Action:
        return Action(
            f"compare_{which}",
            title,
            lambda: mode.show(which),
            (key,),
            hint=hint,
            checked=lambda: state.active and state.shown is which,
            enabled=active,
        )

    return (
        Action(
            "compare",
            "Compare with ROM image …",
            lambda: commands.ask_image("The ROM as it was before", mode.open),
            ("Ctrl+Alt+O",),
            hint="That ROM is the one before, the open one the one after",
            enabled=commands.has_place,
        ),
        Action(
            "compare_folder",
            "Compare with unpacked folder …",
            lambda: commands.ask_folder("The unpacked ROM as it was before", mode.open),
            enabled=commands.has_place,
        ),
        Action(
            "compare_commit",
            "Compare with commit …",
            commands.dialogs.ask_commit,
            hint="A source tree as it was in a commit, read by git",
            enabled=commands.has_place,
        ),
        Action(
            "compare_swap",
            "Swap the ROMs",
            mode.swap,
            hint="The other ROM is opened, and the open one becomes the one before",
            enabled=active,
        ),
        Action("compare_close", "Stop comparing", mode.close, enabled=active),
        shown(Shown.AFTER, "After", "Alt+A", "The picture of the open ROM"),
        shown(Shown.BEFORE, "Before", "Alt+B", "The picture of the other ROM"),
        shown(Shown.DIFFERENCE, "Difference", "Alt+D", "The pixels that differ, in one colour"),
        shown(Shown.SLIDER, "Slider", "Alt+S", "Both along a line that can be dragged"),
        Action(
            "slider_left", "Slider to the left", lambda: state.slide(state.slider - STEP), ("Alt+,",), enabled=active
        ),
        Action(
            "slider_right",
            "Slider to the right",
            lambda: state.slide(state.slider + STEP),
            ("Alt+.",),
            enabled=active,
        ),
        Action("next_change", "Next changed place", lambda: mode.go(1), ("Alt+PgDown",), enabled=active),
        Action(
            "previous_change",
            "Previous changed place",
            lambda: mode.go(-1),
            ("Alt+PgUp",),
            enabled=active,
        ),
        Action(
            "show_changes",
            "Changed places",
            lambda: parts.docks.toggle("changes"),
            ("F7",),
            icon="changes",
            checked=lambda: parts.docks.shown("changes"),
        ),
    )


def _help(parts: Parts, commands: Commands) -> tuple[Action, ...]:
    return (
        Action("manual", "Manual", lambda: commands.dialogs.manual.open_page(START_PAGE), ("F1",)),
        Action("keys", "Keyboard and mouse", lambda: commands.dialogs.manual.open_page(KEYS_PAGE), ("H", "?")),
        Action("welcome", "Welcome page", commands.dialogs.welcome.open),
        Action(
            "opengl_state",
            "OpenGL on this machine",
            lambda: parts.notices.notify(INFO, "OpenGL on this machine", parts.views.opengl_text()),
        ),
        Action("about", "About", commands.show_about),
    )
