"""The script of what is selected, as coloured lines with links."""

from __future__ import annotations

from collections.abc import Sequence

from PyQt5.QtCore import Qt, pyqtSignal

from mapexplorer.gui.docks.panel import Copied, LoadedPanel, Wanted
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.model.history import BACK, FORWARD, History
from mapexplorer.gui.widgets.controls import ElidedLabel, copy_text, show_text
from mapexplorer.gui.widgets.layout import button, column, icon_button, line_edit, row
from mapexplorer.gui.widgets.script_view import ScriptView
from mapexplorer.inspector.script.script_lines import plain_text
from mapexplorer.inspector.script.script_listing import script_json
from mapexplorer.inspector.script.script_page import SUBJECTS, ScriptPage, read_page
from mapexplorer.inspector.script.script_text import ScriptRow, script_text
from mapexplorer.world.subject import Subject, subject


class ScriptPanel(LoadedPanel):
    """The script of the selection, or all scripts of the map. `chosen`: a link to a thing was clicked;
    `path_chosen`: the tiles of the movement list that was chosen, none for another line."""

    name, title = "script", "Script"
    problem = "This script cannot be read"
    path_chosen = pyqtSignal(object)

    def __init__(self, jobs: JobController) -> None:
        super().__init__(jobs)
        self.page: ScriptPage | None = None
        self.history: History[tuple[Subject, int | None]] = History()
        self._wanted: Subject | None = None
        self._goal: int | None = None
        self.back_button = icon_button("back", "Back in the scripts", lambda: self._return_to(BACK), Qt.NoFocus)
        self.forward_button = icon_button(
            "forward", "Forward in the scripts", lambda: self._return_to(FORWARD), Qt.NoFocus
        )
        self.heading = ElidedLabel()
        self.heading.setProperty("role", "muted")
        hint = "All scripts of this map, what runs them, and the code that nothing runs"
        whole = button("All", self.show_map, hint)
        self.view = ScriptView()
        self.first = self.field = line_edit(
            "Find in the script", name="script field", rows=self.view, choose_first=self.view.currentIndex
        )
        self.field.textChanged.connect(lambda _: self._find(again=False))
        self.field.returnPressed.connect(lambda: self._find(again=True))
        self.message.hide()
        self.view.followed.connect(self._follow)
        self.view.line_chosen.connect(self._line_chosen)
        top = row(self.back_button, self.forward_button, (self.heading, 1), whole, spacing=2)
        self.setLayout(column(top, self.field, self.message, (self.view, 1), margins=(4, 2, 8, 4), spacing=4))
        self.offer_copy(self.view, lambda point: [("Copy lines", lambda: copy_text(self.view.selected_text()))])
        self.explorer.selection_changed.connect(self._selected)
        self._update_buttons()

    def clear(self) -> None:
        """Forget the scripts of the previous ROM."""
        self._wanted = None
        self.history.clear()
        self._update_buttons()
        self._show(None, "")

    # --- what is shown

    def load(self) -> None:
        """Show what is wanted, if the panel is visible; at first the script of the selection, else of the map."""
        place, chosen = self.explorer.place, self.explorer.selection
        if self._wanted is None and place is not None and self.isVisible():
            runs_script = chosen is not None and chosen.kind in SUBJECTS
            self._want(chosen if chosen and runs_script else subject("header", place.header.id))
        else:
            super().load()

    def wanted(self) -> Wanted | None:
        """The script that is wanted."""
        place, wanted = self.explorer.place, self._wanted
        if place is None or wanted is None:
            return None
        header = place.header.id
        return wanted, lambda renderer: read_page(renderer.world, header, wanted)

    def show_map(self) -> None:
        """Show all scripts of the present map."""
        if self.explorer.place is not None:
            self._want(subject("header", self.explorer.place.header.id))

    def show_initial(self) -> None:
        """Show the initial scripts of the present map."""
        if self.explorer.place is not None:
            self._want(subject("scripts", self.explorer.place.header.init_scripts))

    def _selected(self) -> None:
        chosen = self.explorer.selection
        if chosen is not None and chosen.kind in SUBJECTS and chosen != self._wanted:
            self._want(chosen)

    def _want(self, chosen: Subject, goal: int | None = None) -> None:
        self.history.visit((chosen, goal))
        self._show_wanted(chosen, goal)

    def _show_wanted(self, chosen: Subject, goal: int | None) -> None:
        self._wanted, self._goal = chosen, goal
        self._update_buttons()
        if self.page is not None and self.page.shown == chosen:
            self._loaded = chosen  # another script that is being read is not shown
            self._go_to_goal()
        else:
            self.load()

    def show_loaded(self, page: ScriptPage | None) -> None:
        """Show the lines of a script."""
        if page is None:
            assert self._wanted is not None
            self._show(None, f"{self._wanted.kind.capitalize()} {self._wanted.key[-1]} runs no script.")
        else:
            title, *rows = page.rows
            self._show(page, plain_text(title.parts), rows if not rows or rows[0].parts else rows[1:])
        self._go_to_goal()

    def show_error(self, error: BaseException) -> None:
        """Show the error in place of the lines."""
        self._show(None, str(error))

    def _show(self, page: ScriptPage | None, title: str, rows: Sequence[ScriptRow] = ()) -> None:
        self.page = page
        self.view.show_rows(rows)
        self.heading.setText(title)
        self.heading.setToolTip(title)

    def _go_to_goal(self) -> None:
        goal = self._goal if self._goal is not None or self.page is None else self.page.goal
        if goal is not None:
            self.view.go_to(goal)
        else:
            self.view.scrollToTop()

    # --- links

    def _find(self, *, again: bool) -> None:
        """Go to the next line with the words of the field, or say that there is none."""
        text = self.field.text()
        is_there = not text.strip() or self.view.go_to_text(text, again=again)
        show_text(self.message, "" if is_there else "No line has these words.")

    def _follow(self, target: Subject | int) -> None:
        if isinstance(target, int):
            self._jump(target)
        elif target.kind in ("script", "scripts"):
            self._want(target)
        else:
            self.chosen.emit(target)

    def _jump(self, offset: int) -> None:
        """Go to a command of the shown script, and keep the line from which it was left."""
        if self.page is None or not self.view.has(offset):
            return
        present = self.view.currentIndex()
        if present.isValid():
            row = self.view.rows[self.view.lines[present.row()].row]
            self.history.replace((self.page.shown, row.offset))
        self._want(self.page.shown, offset)
        self._line_chosen(offset)

    def _line_chosen(self, offset: int | None) -> None:
        paths = self.page.paths if self.page is not None else {}
        self.path_chosen.emit(paths.get(offset, ()) if offset is not None else ())

    def _return_to(self, step: int) -> None:
        """Show what was shown before or after this."""
        visit = self.history.go(step)
        if visit is not None:
            self._show_wanted(*visit)

    def _update_buttons(self) -> None:
        self.back_button.setEnabled(self.history.can_go(BACK))
        self.forward_button.setEnabled(self.history.can_go(FORWARD))

    # --- copying

    def copied(self) -> Copied:
        """The whole script, as the command line prints it."""
        page, world = self.page, self.explorer.world
        return (
            ("", None) if page is None or world is None else (script_text(world, page.facts), script_json(page.facts))
        )
