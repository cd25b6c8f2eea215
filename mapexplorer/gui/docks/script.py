"""The script of what is selected, as coloured lines with links."""

from __future__ import annotations

from typing import Any

from PyQt5.QtCore import Qt, pyqtSignal
from PyQt5.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from mapexplorer.gui import icons
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.history import History
from mapexplorer.gui.script_view import ScriptView
from mapexplorer.gui.widgets import ElidedLabel, copy_text, is_seen, offer_copy
from mapexplorer.inspector.parts import Part, plain_text
from mapexplorer.inspector.script_page import SUBJECTS, ScriptPage, read_page
from mapexplorer.inspector.script_text import ScriptRow
from mapexplorer.world.subject import Subject, subject


class ScriptPanel(QWidget):
    """The script of the selection, or all scripts of the map. `followed`: a link to a thing was clicked;
    `path_chosen`: the tiles of the movement list that was chosen, none for another line."""

    followed = pyqtSignal(object)
    path_chosen = pyqtSignal(object)

    def __init__(self, explorer: Explorer, jobs: JobController) -> None:
        super().__init__()
        self.explorer, self.jobs = explorer, jobs
        self.page: ScriptPage | None = None
        self.history: History[tuple[Subject, int | None]] = History()
        self._wanted: Subject | None = None
        self._goal: int | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 2, 8, 4)
        column.setSpacing(4)
        row = QHBoxLayout()
        row.setSpacing(2)
        self.back_button, self.forward_button = QToolButton(), QToolButton()
        for button, title, run in (
            (self.back_button, "Back in the scripts", self.back),
            (self.forward_button, "Forward in the scripts", self.forward),
        ):
            button.setToolTip(title)
            button.setFocusPolicy(Qt.NoFocus)
            button.clicked.connect(lambda _=False, run=run: run())
            row.addWidget(button)
        self.title = ElidedLabel()
        self.title.setProperty("role", "muted")
        row.addWidget(self.title, 1)
        whole = QPushButton("All of the map")
        whole.setToolTip("All scripts of this map, what runs them, and the code that nothing runs")
        whole.clicked.connect(lambda _=False: self.show_map())
        row.addWidget(whole)
        column.addLayout(row)
        self.view = ScriptView()
        self.view.followed.connect(self._follow)
        self.view.line_chosen.connect(self._line_chosen)
        column.addWidget(self.view, 1)
        offer_copy(self, self.view, lambda point: [("Copy lines", lambda: copy_text(self.view.selected_text()))])
        explorer.rom_changed.connect(self._rom_changed)
        explorer.selection_changed.connect(self._selected)
        self.refresh_icons()
        self._update_buttons()

    def refresh_icons(self) -> None:
        """Redraw the icons in the colours of the theme."""
        self.back_button.setIcon(icons.icon("back"))
        self.forward_button.setIcon(icons.icon("forward"))

    def _rom_changed(self) -> None:
        self.page, self._wanted = None, None
        self.history.clear()
        self.view.show_rows(())
        self._say("")

    # --- what is shown

    def look(self) -> None:
        """Show what is wanted, if the panel is visible; at first the script of the selection, else of the map."""
        if not is_seen(self) or self.explorer.place is None:
            return
        if self._wanted is None:
            chosen = self.explorer.selection
            if chosen is not None and chosen.kind in SUBJECTS:
                self._want(chosen)
            else:
                self.show_map()
        elif self.page is None or self.page.shown != self._wanted:
            self._ask()

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
            self._go_to_goal()
        else:
            self.look()

    def _ask(self) -> None:
        chosen, place = self._wanted, self.explorer.place
        assert chosen is not None and place is not None
        header = place.header.id
        self.jobs.ask(
            lambda renderer: read_page(renderer.world, header, chosen), lambda page: self._show(chosen, page),
            key="script", title="This script cannot be read", failed=lambda error: self._failed(chosen, error),
        )  # fmt: skip

    def _show(self, chosen: Subject, page: ScriptPage | None) -> None:
        if chosen != self._wanted:
            return
        self.page = page
        title, *rows = (
            page.rows
            if page is not None
            else (ScriptRow((Part(f"{chosen.kind.capitalize()} {chosen.key[-1]} runs no script."),)),)
        )
        self.view.show_rows(rows if not rows or rows[0].parts else rows[1:])
        self._say(plain_text(title.parts))
        self._go_to_goal()

    def _failed(self, chosen: Subject, error: BaseException) -> None:
        if chosen == self._wanted:
            self.page = None
            self.view.show_rows(())
            self._say(str(error))

    def _say(self, text: str) -> None:
        self.title.setText(text)
        self.title.setToolTip(text)

    def _go_to_goal(self) -> None:
        goal = self._goal if self._goal is not None or self.page is None else self.page.goal
        if goal is not None:
            self.view.go_to(goal)
        else:
            self.view.scrollToTop()

    # --- links

    def _follow(self, target: Subject | int) -> None:
        if isinstance(target, int):
            self._jump(target)
        elif target.kind in ("script", "scripts"):
            self._want(target)
        else:
            self.followed.emit(target)

    def _jump(self, offset: int) -> None:
        """Go to a command of the shown script, and keep the line from which it was left."""
        if self.page is None or self.view.script.line_of(offset) is None:
            return
        present = self.view.currentIndex()
        if present.isValid():
            row = self.view.script.rows[self.view.script.lines[present.row()].row]
            self.history.replace((self.page.shown, row.offset))
        self._want(self.page.shown, offset)
        self._line_chosen(offset)

    def _line_chosen(self, offset: int | None) -> None:
        paths = self.page.paths if self.page is not None else {}
        self.path_chosen.emit(paths.get(offset, ()) if offset is not None else ())

    def back(self) -> None:
        """To the script or line that was shown before."""
        self._return_to(self.history.back())

    def forward(self) -> None:
        """The opposite of `back`."""
        self._return_to(self.history.forward())

    def _return_to(self, visit: tuple[Subject, int | None] | None) -> None:
        if visit is not None:
            self._show_wanted(*visit)

    def _update_buttons(self) -> None:
        self.back_button.setEnabled(self.history.can_go_back)
        self.forward_button.setEnabled(self.history.can_go_forward)

    # --- copying

    def as_text(self) -> str:
        """The whole script, as the command line prints it."""
        world = self.explorer.world
        return self.page.as_text(world) if self.page is not None and world is not None else ""

    def as_value(self) -> Any:
        """The same as plain values."""
        return self.page.as_value() if self.page is not None else None
