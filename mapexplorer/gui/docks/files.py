"""The files of the ROM as a tree: folders, files, and the members of archives."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PyQt5.QtCore import QPoint, Qt
from PyQt5.QtWidgets import QFileDialog, QHeaderView, QTreeWidgetItem

from mapexplorer.export.extract import extract, forms_of
from mapexplorer.export.files import safe_name
from mapexplorer.gui.docks.panel import Copied, Extra, LoadedPanel, Wanted, copied_rows
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.worker import Task
from mapexplorer.gui.model.search import filtered
from mapexplorer.gui.widgets.controls import copy_text
from mapexplorer.gui.widgets.layout import column, line_edit, table, table_row
from mapexplorer.gui.widgets.notices import INFO, Notices
from mapexplorer.inspector.roms.rom_files import ListedFile, list_files, list_members
from mapexplorer.values import count

_FILTERS: Final = {
    "stored": ("As it is stored (*)", ""),
    "json": ("JSON (*.json)", ".json"),
    "png": ("PNG (*.png)", ".png"),
    "glb": ("GLB (*.glb)", ".glb"),
}
"""Form -> the filter of the dialog for a file name, and the ending that is added."""

_LISTED: Final = Qt.UserRole


class FilesPanel(LoadedPanel):
    """`chosen`: what a file holds is to be shown (Subject)."""

    name, title = "files", "Files"

    def __init__(self, jobs: JobController, notices: Notices) -> None:
        super().__init__(jobs)
        self._notices = notices
        self._files: tuple[ListedFile, ...] = ()
        self._rows: dict[str, QTreeWidgetItem] = {}
        """Path of a file that the filter keeps -> its row."""
        self.tree = table("file tree", "File", "Bytes", tree=True)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(60)
        header.setSectionResizeMode(0, QHeaderView.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeToContents)
        self.tree.setExpandsOnDoubleClick(False)
        self.tree.itemExpanded.connect(self._expanded)
        self.tree.itemActivated.connect(lambda item, _: self._open(item))
        self.first = self.filter = line_edit(
            "Filter by path", lambda _: self._fill(), name="file filter", rows=self.tree
        )
        self.setLayout(column(self.filter, (self.tree, 1), self.message, margins=(8, 4, 4, 4), spacing=6))
        self.offer_copy(self.tree, self._entries)
        self.explorer.rom_changed.connect(self.load)

    # --- filling

    def wanted(self) -> Wanted | None:
        """The files of the ROM that is open."""
        return None if self.explorer.world is None else (True, lambda renderer: list_files(renderer.world.rom))

    def show_loaded(self, files: tuple[ListedFile, ...]) -> None:
        """Fill the tree."""
        self._files = files
        self._fill()

    def _shown(self) -> list[ListedFile]:
        """The files that the filter keeps."""
        return filtered(self.filter.text(), self._files, lambda file: file.path)

    def _fill(self) -> None:
        self.tree.clear()
        self._rows = {}
        folders: dict[str, QTreeWidgetItem] = {}
        files = self._shown()
        for file in files:
            folder, _, name = file.path.rpartition("/")
            size = "damaged" if file.problem else f"{file.size:,}"
            item = self._rows[file.path] = table_row(
                self._folder(folders, folder), (name, size), file, {0: file.problem or file.path}, right=(1,)
            )
            if file.members:
                item.setChildIndicatorPolicy(QTreeWidgetItem.ShowIndicator)
        if self.filter.text().strip():
            for folder_item in folders.values():
                folder_item.setExpanded(True)
        self.message.setText(f"{count(len(files), 'file')}, {sum(file.size for file in files):,} bytes")

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
        if listed is None or listed.number is not None or item.childCount():
            return
        wanted = self._files

        def take(members: tuple[ListedFile, ...]) -> None:
            row = self._rows.get(listed.path) if wanted is self._files else None
            if row is not None and not row.childCount():
                for member in members:
                    _member_row(row, member)

        self.jobs.request(lambda renderer: list_members(renderer.world, listed.path), take)

    # --- opening and extracting

    def _open(self, item: QTreeWidgetItem) -> None:
        """Show what a member holds; folders and archives are opened or closed."""
        listed = item.data(0, _LISTED)
        if listed is None or listed.members:
            item.setExpanded(not item.isExpanded())
        elif listed.thing is not None:
            self.chosen.emit(listed.thing)
        else:
            self.message.setText("The window has no view of this file; Extract … in its menu writes it.")

    def _entries(self, point: QPoint) -> Extra:
        item = self.tree.itemAt(point)
        listed = item.data(0, _LISTED) if item is not None else None
        if item is None or listed is None:
            return []
        return [
            *([("Open", lambda: self._open(item))] if listed.thing is not None else []),
            ("Extract …", lambda: self._choose_form(listed)),
            ("Copy path", lambda: copy_text(listed.address)),
        ]

    def _choose_form(self, listed: ListedFile) -> None:
        """Ask for the file and the form in which something is written."""
        forms = {
            _FILTERS[form][0]: form for form in forms_of(listed.thing.kind if listed.thing is not None else "file")
        }
        name = safe_name(listed.address.rpartition("/")[2].replace("#", "-"))
        path, chosen = QFileDialog.getSaveFileName(self, "Extract", name, ";;".join(forms))
        if path:
            form = forms.get(chosen, "stored")
            ending = _FILTERS[form][1]
            self._extract(listed, Path(path if path.lower().endswith(ending) else path + ending), form)

    def _extract(self, listed: ListedFile, output: Path, form: str) -> None:
        opened = self.jobs.rom
        if opened is None:
            return
        world, address = opened.world, listed.address
        thing = listed.thing if form in ("png", "glb") else None
        kind, key = (thing.kind, thing.key) if thing is not None else ("file", ())

        def write(task: Task) -> str:
            outcome = extract(world, kind, key, address, output, form)
            return " ".join((f"{outcome.sentence} in {output}.", *outcome.notices))

        self.jobs.work.submit(
            write,
            lambda text: self._notices.notify(INFO, f"{address} is extracted", text),
            lambda error, trace: self.jobs.notify(f"{address} cannot be extracted", error, trace),
        )

    # --- copying

    def copied(self) -> Copied:
        """The paths and sizes of all files, as they are filtered."""
        return copied_rows([{"path": file.path, "size": file.size, "members": file.members} for file in self._shown()])


def _member_row(parent: QTreeWidgetItem, member: ListedFile) -> QTreeWidgetItem:
    kind = "" if member.thing is None else f"{member.thing.kind} {member.thing.key[0]}"
    size = f"{member.size:,}" if member.size >= 0 else "damaged"
    hint = f"{member.address}, {kind}" if kind else member.address
    name = f"{member.number}  {member.name or kind}".rstrip()
    return table_row(parent, (name, size), member, {0: hint}, right=(1,))
