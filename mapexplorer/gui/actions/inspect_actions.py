"""The actions about what is on a map: facts and panels, scripts, names, flags and variables."""

from __future__ import annotations

from collections.abc import Sequence

from mapexplorer.gui.actions.action import Action
from mapexplorer.gui.actions.commands import Commands
from mapexplorer.gui.docks.docks import FILES
from mapexplorer.gui.model.history import BACK, FORWARD
from mapexplorer.gui.model.save_change import NO_CHANGE
from mapexplorer.gui.parts import Parts
from mapexplorer.gui.widgets.controls import copy_text
from mapexplorer.inspector.origins import origin_text


def inspect_actions(parts: Parts, commands: Commands) -> tuple[Action, ...]:
    """Facts and panels."""

    def panel(name: str, title: str, *keys: str, icon: str = "", pages: Sequence[str] = ()) -> Action:
        return Action(
            f"show_{name}",
            title,
            lambda: parts.docks.toggle(name),
            keys,
            icon=icon,
            checked=lambda: any(map(parts.docks.shown, (name, *pages))),
        )

    return (
        Action(
            "inspect_header",
            "Map header",
            lambda: commands.inspect("header", lambda place: place.header.id),
            ("I",),
            enabled=commands.has_place,
        ),
        Action(
            "inspect_area",
            "Area",
            lambda: commands.inspect("area", lambda place: place.area_id.value),
            enabled=commands.has_place,
        ),
        Action(
            "inspect_matrix",
            "Matrix",
            lambda: commands.inspect("matrix", lambda place: place.matrix_id.value),
            enabled=commands.has_place,
        ),
        panel("maps", "Maps", icon="list"),
        panel("events", "Events of the map", "F2", icon="people"),
        panel("encounters", "Wild Pokémon of the map", "F3", icon="grass"),
        panel("left", "Left here", "F8", icon="flag"),
        panel("files", "Files of the ROM", "F6", icon="files", pages=FILES),
        panel("names", "Search: species, items, flags, texts …", "N", icon="search"),
        Action(
            "show_matrix",
            "Matrix grid",
            commands.toggle_matrix,
            icon="matrix",
            hint="The cells of the matrix with the numbers of headers and lands, over the corner of the map",
            checked=lambda: parts.docks.shown("matrix"),
            enabled=commands.has_place,
        ),
        panel("inspector", "Inspector"),
        panel("script", "Script", "X"),
        panel("layers", "Layers", "Shift+L", icon="layers"),
        Action(
            "show_state",
            "State of what code adds",
            lambda: parts.docks.toggle("state"),
            ("J",),
            hint="Gyms, lifts, trams, furniture, hidden places: the state that is shown",
            checked=lambda: parts.docks.shown("state"),
            enabled=lambda: bool(parts.state.choices),
        ),
        Action(
            "next_state",
            "Next state",
            lambda: parts.state.step(1),
            ("Shift+J",),
            hint="Of what code adds to this map",
            enabled=lambda: bool(parts.state.choices),
        ),
        panel("heights", "Height inspector", "L"),
        panel("textures", "Textures", "T"),
        panel("models", "Models", "F4"),
        panel("bytes", "Raw bytes"),
        Action(
            "open_source",
            "Open source text",
            lambda: parts.inspection.open_source(*parts.inspection.source or ("", 0)),
            ("Ctrl+Alt+S",),
            hint="The file and the line of the selection, of a source tree, in the editor of the preferences",
            enabled=lambda: parts.inspection.source is not None,
        ),
        Action(
            "copy_source",
            "Copy file and line",
            lambda: copy_text(origin_text(parts.inspection.source or ("", 0))),
            ("Ctrl+Alt+F",),
            hint="Of the selection, of a source tree",
            enabled=lambda: parts.inspection.source is not None,
        ),
        Action(
            "copy_text",
            "Copy panel as text",
            lambda: parts.docks.front_panel.copy_text(),
            ("Ctrl+Alt+C",),
            icon="copy",
            hint="What the panel in front shows; a right click in any panel offers the same",
            enabled=commands.has_place,
        ),
        Action(
            "copy_json",
            "Copy panel as JSON",
            lambda: parts.docks.front_panel.copy_json(),
            ("Ctrl+Alt+J",),
            hint="What the panel in front shows, for other programs",
            enabled=commands.has_place,
        ),
    )


def event_actions(parts: Parts, commands: Commands) -> tuple[Action, ...]:
    """Scripts, names, flags and variables."""

    def names(name: str, title: str, kind: str, *, here: bool = False) -> Action:
        return Action(name, title, lambda: commands.show_names(kind, here=here), enabled=commands.has_place)

    explorer = parts.explorer
    return (
        Action(
            "map_scripts",
            "Scripts of the map",
            lambda: commands.show_scripts(parts.script.show_map),
            ("Shift+X",),
            enabled=commands.has_place,
        ),
        Action(
            "initial_scripts",
            "Initial scripts of the map",
            lambda: commands.show_scripts(parts.script.show_initial),
            hint="What runs on entering, and while variables have a value",
            enabled=commands.has_place,
        ),
        names("map_trainers", "Trainers of the map", "trainer", here=True),
        names("map_items", "Items of the map", "item", here=True),
        names("map_texts", "Texts of the map", "text", here=True),
        names("map_flags", "Flags of the map", "flag", here=True),
        names("trainers", "All trainers", "trainer"),
        names("items", "All items", "item"),
        names("texts", "All texts", "text"),
        names("flags", "All flags", "flag"),
        names("variables", "All variables", "variable"),
        names("unused_scripts", "Scripts that nothing runs", "unused"),
        Action(
            "switch_flag",
            "Selected flag is set",
            commands.switch_flag,
            ("Y",),
            hint="Of a selected person: the flag that hides it",
            checked=lambda: commands.selected_flag() in explorer.save.flags,
            enabled=lambda: commands.selected_flag() is not None,
        ),
        Action(
            "set_variable",
            "Value of the selected variable …",
            commands.set_variable,
            enabled=lambda: commands.is_selected("variable"),
        ),
        Action(
            "fresh_save",
            "Back to the new game",
            lambda: explorer.change_save(NO_CHANGE),
            hint="Flags and variables as they were before you changed any",
            enabled=lambda: explorer.save_change != NO_CHANGE,
        ),
        Action(
            "undo_change",
            "Undo the change of the save",
            lambda: explorer.undo_change(BACK),
            ("Ctrl+Z",),
            hint="A flag or variable that you changed",
            enabled=lambda: explorer.save_changes.can_go(BACK),
        ),
        Action(
            "redo_change",
            "Redo the change of the save",
            lambda: explorer.undo_change(FORWARD),
            ("Ctrl+Shift+Z",),
            enabled=lambda: explorer.save_changes.can_go(FORWARD),
        ),
    )
