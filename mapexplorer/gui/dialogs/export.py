"""The export dialog: kind, options and target; exports run in the background and can be stopped."""

from __future__ import annotations

from concurrent.futures import CancelledError
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from PyQt5.QtCore import Qt, QUrl, pyqtSignal
from PyQt5.QtGui import QDesktopServices
from PyQt5.QtWidgets import (
    QFileDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QStackedWidget,
    QWidget,
)

from mapexplorer.errors import PlaceError
from mapexplorer.export.files import map_name
from mapexplorer.export.request import (
    AllMapsRequest,
    AllPicturesRequest,
    DatabaseRequest,
    FileRequest,
    KitRequest,
    MapRequest,
    MatrixRequest,
    ModelRequest,
    PictureRequest,
    PosterRequest,
    Request,
    TexturesRequest,
)
from mapexplorer.export.run import check
from mapexplorer.gui.dialogs.forms import Form, gltf_form, offer_paths, picture_form, picture_values, show_explorer
from mapexplorer.gui.dialogs.job_dialog import JobDialog
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.model.export_process import run_beside
from mapexplorer.gui.widgets.layout import bring_up, button, column, label, row, scrolled
from mapexplorer.inspector.request import FactsRequest, HeightsRequest
from mapexplorer.option import OptionError, Options
from mapexplorer.system.progress import Outcome

REQUESTS: Final[tuple[type[Request], ...]] = (
    MapRequest,
    MatrixRequest,
    KitRequest,
    AllMapsRequest,
    ModelRequest,
    PictureRequest,
    AllPicturesRequest,
    PosterRequest,
    TexturesRequest,
    HeightsRequest,
    FactsRequest,
    FileRequest,
    DatabaseRequest,
)


class ExportDialog(JobDialog):
    """Modeless: the window can be used while files are written. `progressed`: how far the export is, empty at its end;
    `ended`: what came of it while the dialog was closed."""

    progressed = pyqtSignal(str)
    ended = pyqtSignal(str)

    def __init__(self, parent: QWidget, jobs: JobController) -> None:
        super().__init__(parent, jobs, "Export", 820, 700)
        self.explorer = jobs.explorer
        self.outcome: Outcome | None = None
        self.model = 0
        self._running: type[Request] = MapRequest
        self.kinds = QListWidget()
        self.kinds.setObjectName("export kinds")
        self.kinds.setFixedWidth(210)
        for kind in REQUESTS:
            QListWidgetItem(kind.title, self.kinds).setToolTip(kind.hint)
        self.kinds.currentItemChanged.connect(self._kind_changed)
        self.hint = label()
        self.gltf, self.picture = gltf_form(), picture_form()
        shared: dict[type[Options], Form] = {PictureRequest: self.picture} | dict.fromkeys(self.gltf.classes, self.gltf)
        self.forms = {kind: shared.get(kind) or Form(kind) for kind in REQUESTS}
        self.file, self.pictures = self.forms[FileRequest], self.forms[AllPicturesRequest]
        self.pictures["resume"].set(True)
        self.pages = QStackedWidget()
        self._page_of = {
            form: self.pages.addWidget(scrolled(form, sideways=False)) for form in dict.fromkeys(self.forms.values())
        }
        self.target = QLineEdit()
        self.target.setObjectName("export target")
        self.progress = QProgressBar()
        self.progress.hide()
        self.message = label(selectable=True)
        self.show_files = button("Open folder", self._open_folder)
        self.show_files.hide()
        self.stop = button("Close", self._stop)
        self.start = button("Export", self.begin, default=True)
        choices = row(self.kinds, (column(self.hint, (self.pages, 1)), 1), spacing=14)
        target = row(QLabel("To"), (self.target, 1), button("Browse …", self._browse))
        buttons = row(self.show_files, None, self.stop, self.start)
        parts = (choices, 1), target, self.progress, self.message, buttons
        self.setLayout(column(*parts, margins=(14, 14, 14, 12), spacing=10))
        self.explorer.place_changed.connect(self._suggest)

    # --- kind and target

    @property
    def kind(self) -> type[Request]:
        """The kind of export chosen on the left."""
        return REQUESTS[self.kinds.currentRow()]

    @property
    def form(self) -> Form:
        """The form of the chosen kind."""
        return self.forms[self.kind]

    def open(self, kind: type[Request] = MapRequest, model: int | None = None) -> None:
        """Show the dialog for a kind of export."""
        chosen = self.explorer.selection
        if model is None and chosen is not None and chosen.kind == "prop":
            model = chosen.key[0]
        self.model = model if model is not None else self.model
        flags = Qt.ItemIsEnabled | Qt.ItemIsSelectable
        of_model = self.kinds.item(REQUESTS.index(ModelRequest))
        assert of_model is not None
        of_model.setFlags(flags if model is not None else Qt.NoItemFlags)
        of_model.setToolTip(
            ModelRequest.hint if model is not None else "Select a prop first, in the picture or a panel."
        )
        self.kinds.setCurrentRow(REQUESTS.index(kind))
        if not self.isVisible():
            show_explorer(self.picture, self.explorer)
            self.gltf["state"].set(self.explorer.state_text if kind is MapRequest else None)
            for form in (self.gltf, self.pictures):
                form["second"].set(self.explorer.clock.second)
            self._forget_outcome()
            if self.jobs.rom is not None:
                offer_paths(self.file, self.jobs.rom.world.rom.files)
        self._suggest()
        bring_up(self)
        self.activateWindow()

    def _kind_changed(self) -> None:
        self.hint.setText(self.kind.hint)
        self.pages.setCurrentIndex(self._page_of[self.form])
        self.form.choose(self.kind)
        self._forget_outcome()
        self._suggest()

    def _forget_outcome(self) -> None:
        """Remove what the last export said, unless one is running."""
        if self.task is None:
            self.message.clear()
            self.show_files.hide()

    def _suggest(self) -> None:
        place = self.explorer.place
        if place is None or self.kinds.currentItem() is None:
            return
        kind = self.kind
        base = self.explorer.settings.get("export folder", "") or str(Path.home())
        name = map_name(place.header.id, place.header.internal_name)
        suffix = kind.suffixes[0] if kind.suffixes else ""
        target = kind.named.format(map=name, kind=kind.kind, model=self.model)
        self.target.setText(str(Path(base) / f"{target}{suffix}"))

    def _browse(self) -> None:
        kind = self.kind
        if not kind.suffixes:
            name = QFileDialog.getExistingDirectory(self, "Export into", self.target.text())
        else:
            endings = " ".join(f"*{suffix}" for suffix in kind.suffixes)
            name, _ = QFileDialog.getSaveFileName(self, "Export to", self.target.text(), endings)
        if name:
            self.target.setText(name)

    # --- running

    def begin(self) -> None:
        """Start the export."""
        place, rom = self.explorer.place, self.jobs.rom
        if place is None or rom is None or self.task is not None or not self.target.text().strip():
            return
        target = Path(self.target.text()).expanduser()
        try:
            request = self._request(place.header.id, target)
            check(request, rom.world)
        except OptionError as error:
            titles = {name: field.declared.option.title for name, field in self.form.fields.items()}
            self.message.setText(error.said(lambda name: titles.get(name, name.capitalize())))
            return
        except (ValueError, PlaceError) as error:
            self.message.setText(str(error))
            return
        self._running = type(request)
        self.explorer.settings.set("export folder", str(target.parent))
        self.outcome = None
        self.message.setText("")
        self.show_files.hide()
        self.progress.setRange(0, 0)
        self.run(lambda task: run_beside(request, rom.path, task), self._done)

    def _request(self, header: int, target: Path) -> Request:
        """The request with the present settings. Raises OptionError, ValueError."""
        kind = self.kind
        if kind is PictureRequest:
            return PictureRequest(place=header, output=target, **picture_values(self.picture, self.explorer))
        names = {field.name for field in fields(kind)}
        others = {name: value for name, value in (("place", header), ("model", self.model)) if name in names}
        return kind.made(self.form.values(), output=target, **others)

    def show_progress(self, done: int, total: int, text: str) -> None:
        """Show the number of files, and the present one."""
        self.progress.setRange(0, total)
        self.progress.setValue(done)
        self.progress.setFormat(f"{done} of {total}")
        self.progressed.emit(f"Export: {done} of {total}")
        self.message.setText(text)

    def show_running(self, runs: bool) -> None:
        """Show the progress instead of what begins an export."""
        self.progress.setVisible(runs)
        self.start.setEnabled(not runs)
        self.stop.setText("Stop" if runs else "Close")
        self.stop.setEnabled(True)
        self.progressed.emit("Export …" if runs else "")

    def _say(self, text: str) -> None:
        self.message.setText(text)
        if not self.isVisible():
            self.ended.emit(text)

    def _done(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self._say("\n".join((f"Done: {outcome.sentence}.", *outcome.notices[:8])))
        self.show_files.show()

    def show_failure(self, error: BaseException, trace: str) -> None:
        """Show why the export ended early; what was not expected also as a notice."""
        if isinstance(error, CancelledError):
            self._say(f"Stopped. {self._running.stopped}")
        elif isinstance(error, ValueError | PlaceError):
            self._say(str(error))
        else:
            self.message.setText(f"Failed: {error}")
            self.jobs.notify("The export failed", error, trace)

    def _stop(self) -> None:
        if self.task is None:
            self.close()
        else:
            self.cancel()
            self.stop.setEnabled(False)
            self.message.setText("Stopping …")

    def _open_folder(self) -> None:
        if self.outcome is not None and self.outcome.files:
            file = self.outcome.files[0]
            folder = file if file.is_dir() else file.parent
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def reject(self) -> None:
        """Close the dialog on Escape; a running export continues."""
        self.hide()

    def closeEvent(self, event: Any) -> None:
        """As `reject`."""
        self.hide()
        event.ignore()
