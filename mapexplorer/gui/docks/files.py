"""The files of the ROM as a tree: folders, files, and the members of archives."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from PyQt5.QtCore import QModelIndex, QPoint, QPointF, QRect, Qt, pyqtSignal
from PyQt5.QtGui import QPainter
from PyQt5.QtWidgets import (
    QFileDialog,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from mapexplorer.export.extract import extract, forms_of
from mapexplorer.export.files import safe_name
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.worker import Task
from mapexplorer.gui.listing import paint_triangle
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.search import matches, plain
from mapexplorer.gui.widgets import Extra, copy_text, is_seen, offer_copy, rows_as_text
from mapexplorer.inspector.rom_files import ListedFile, ListedMember, list_files, list_members
from mapexplorer.values import count

_FILTERS: Final = {
    "stored": ("As it is stored (*)", ""), "json": ("JSON (*.json)", ".json"), "png": ("PNG (*.png)", ".png"),
    "glb": ("GLB (*.glb)", ".glb"),
}  # fmt: skip
"""Form -> the filter of the dialog for a file name, and the ending that is added."""

_LISTED: Final = Qt.UserRole


class _Tree(QTreeWidget):
    """A tree with the triangles of folders and archives, which the theme's style does not draw."""

    def drawBranches(self, painter: QPainter, rect: QRect, index: QModelIndex) -> None:
        """Draw the triangle of a row that can be opened."""
        item = self.itemFromIndex(index)
        if item is not None and (item.childCount() or item.childIndicatorPolicy() == QTreeWidgetItem.ShowIndicator):
            middle = QPointF(rect.right() - self.indentation() / 2 + 1, rect.center().y())
            painter.setRenderHint(QPainter.Antialiasing)
            paint_triangle(painter, middle, self.isExpanded(index))


class FilesPanel(QWidget):
    """`chosen`: what a file holds is to be shown (Subject); `told`: what was done, as a title and a sentence."""

    chosen = pyqtSignal(object)
    told = pyqtSignal(str, str)

    def __init__(self, explorer: Explorer, jobs: JobController) -> None:
        super().__init__()
        self.explorer, self.jobs = explorer, jobs
        self._files: tuple[ListedFile, ...] = ()
        self._world: object = None
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 4, 4)
        column.setSpacing(6)
        self.filter = QLineEdit()
        self.filter.setObjectName("file filter")
        self.filter.setPlaceholderText("Filter by path")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._fill)
        column.addWidget(self.filter)
        self.tree = _Tree()
        self.tree.setObjectName("file tree")
        self.tree.setHeaderLabels(["File", "Bytes"])
        self.tree.setUniformRowHeights(True)
        self.tree.setIndentation(11)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(60)
        header.setSectionResizeMode(0, QHeaderView.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeToContents)
        self.tree.setExpandsOnDoubleClick(False)
        self.tree.itemExpanded.connect(self._expanded)
        self.tree.itemActivated.connect(lambda item, _: self._open(item))
        column.addWidget(self.tree, 1)
        self.words = QLabel()
        self.words.setProperty("role", "muted")
        self.words.setWordWrap(True)
        column.addWidget(self.words)
        offer_copy(self, self.tree, self._entries)
        explorer.rom_changed.connect(self.look)

    # --- filling

    def look(self) -> None:
        """List the files of the ROM that is open, if the panel is visible and shows another one."""
        world = self.explorer.world
        if world is None or world is self._world or not is_seen(self):
            return
        self._world = world
        self.words.setText("Reading …")
        self.jobs.ask(lambda renderer: list_files(renderer.world), self._take, key="files")

    def _take(self, files: tuple[ListedFile, ...]) -> None:
        self._files = files
        self._fill()

    def _fill(self) -> None:
        words = plain(self.filter.text()).split()
        shown = [one for one in self._files if matches(words, plain(one.path))]
        self.tree.clear()
        folders: dict[str, QTreeWidgetItem] = {}
        for one in shown:
            folder, _, name = one.path.rpartition("/")
            item = QTreeWidgetItem(self._folder(folders, folder), [name, f"{one.size:,}"])
            item.setTextAlignment(1, int(Qt.AlignRight | Qt.AlignVCenter))
            item.setData(0, _LISTED, one)
            item.setToolTip(0, one.problem or one.path)
            if one.problem:
                item.setText(1, "damaged")
            if one.members:
                item.setChildIndicatorPolicy(QTreeWidgetItem.ShowIndicator)
        if words:
            for folder_item in folders.values():
                folder_item.setExpanded(True)
        total = sum(one.size for one in shown)
        self.words.setText(f"{count(len(shown), 'file')}, {total:,} bytes")

    def _folder(self, folders: dict[str, QTreeWidgetItem], path: str) -> QTreeWidgetItem:
        """The row of a folder; of no folder, that of the tree itself."""
        if not path:
            return self.tree.invisibleRootItem()
        if path not in folders:
            parent, _, name = path.rpartition("/")
            folders[path] = QTreeWidgetItem(self._folder(folders, parent), [name])
        return folders[path]

    def _expanded(self, item: QTreeWidgetItem) -> None:
        """List the members of an archive that is opened for the first time."""
        listed = item.data(0, _LISTED)
        if not isinstance(listed, ListedFile) or item.childCount():
            return
        wanted = self._files

        def take(members: tuple[ListedMember, ...]) -> None:
            row = self._row(listed) if wanted is self._files else None
            if row is not None and not row.childCount():
                row.addChildren([_member_row(one) for one in members])

        self.jobs.ask(lambda renderer: list_members(renderer.world, listed.path), take)

    def _row(self, listed: ListedFile) -> QTreeWidgetItem | None:
        """The row of a file, which the filter may have made anew."""
        name = listed.path.rpartition("/")[2]
        found = self.tree.findItems(name, Qt.MatchExactly | Qt.MatchRecursive)
        return next((item for item in found if item.data(0, _LISTED) == listed), None)

    # --- opening and extracting

    def _open(self, item: QTreeWidgetItem) -> None:
        """Show what a member holds; folders and archives are opened or closed."""
        listed = item.data(0, _LISTED)
        if isinstance(listed, ListedMember) and listed.thing is not None:
            self.chosen.emit(listed.thing)
        elif listed is None or (isinstance(listed, ListedFile) and listed.members):
            item.setExpanded(not item.isExpanded())
        else:
            self.words.setText("The window has no view of this file; Extract … in its menu writes it.")

    def _entries(self, point: QPoint) -> Extra:
        item = self.tree.itemAt(point)
        listed = item.data(0, _LISTED) if item is not None else None
        if item is None or listed is None:
            return []
        opens = isinstance(listed, ListedMember) and listed.thing is not None
        return [
            *([("Open", lambda: self._open(item))] if opens else []),
            ("Extract …", lambda: self._ask(listed)),
            ("Copy path", lambda: copy_text(_address(listed))),
        ]

    def _ask(self, listed: ListedFile | ListedMember) -> None:
        """Ask for the file and the form in which something is written."""
        thing = listed.thing if isinstance(listed, ListedMember) else None
        forms = {_FILTERS[form][0]: form for form in forms_of(thing.kind if thing is not None else "file")}
        name = safe_name(_address(listed).rpartition("/")[2].replace("#", "-"))
        path, chosen = QFileDialog.getSaveFileName(self, "Extract", name, ";;".join(forms))
        if path:
            form = forms.get(chosen, "stored")
            ending = _FILTERS[form][1]
            self._extract(listed, Path(path if path.lower().endswith(ending) else path + ending), form)

    def _extract(self, listed: ListedFile | ListedMember, output: Path, form: str) -> None:
        opened = self.jobs.rom
        if opened is None:
            return
        world, address = opened.world, _address(listed)
        thing = listed.thing if isinstance(listed, ListedMember) and form in ("png", "glb") else None
        kind, key = (thing.kind, thing.key) if thing is not None else ("file", ())

        def write(task: Task) -> str:
            outcome = extract(world, kind, key, address, output, form)
            return " ".join((f"{outcome.sentence} in {output}.", *outcome.notices))

        self.jobs.work.submit(
            write, lambda words: self.told.emit(f"{address} is extracted", words),
            lambda error, trace: self.jobs.tell(f"{address} cannot be extracted", error, trace),
        )  # fmt: skip

    # --- copying

    def as_text(self) -> str:
        """The paths and sizes of all files, as they are filtered."""
        return rows_as_text([list(row.values()) for row in self.as_value()])

    def as_value(self) -> Any:
        """The same as plain values."""
        words = plain(self.filter.text()).split()
        return [
            {"path": one.path, "size": one.size, "members": one.members}
            for one in self._files
            if matches(words, plain(one.path))
        ]


def _address(listed: ListedFile | ListedMember) -> str:
    """PATH or PATH#NUMBER."""
    return listed.address if isinstance(listed, ListedMember) else listed.path


def _member_row(member: ListedMember) -> QTreeWidgetItem:
    thing = member.thing
    kind = "" if thing is None else f"{thing.kind} {thing.key[0]}"
    size = f"{member.size:,}" if member.size >= 0 else "damaged"
    item = QTreeWidgetItem([f"{member.number}  {member.name or kind}".rstrip(), size])
    item.setTextAlignment(1, int(Qt.AlignRight | Qt.AlignVCenter))
    item.setToolTip(0, f"{member.address}, {kind}" if kind else member.address)
    item.setData(0, _LISTED, member)
    return item
