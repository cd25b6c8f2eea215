"""The export dialog: kind, options, target and what becomes of them; exports run in the background."""

from __future__ import annotations

from concurrent.futures import CancelledError
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Final

from PyQt5.QtCore import Qt, QUrl
from PyQt5.QtGui import QDesktopServices, QImage, QPixmap
from PyQt5.QtWidgets import QDialog, QFileDialog, QLabel, QLineEdit, QProgressBar, QStyledItemDelegate, QWidget

from mapexplorer.errors import PlaceError, in_words
from mapexplorer.export.files import map_name
from mapexplorer.export.options import ConvertOptions
from mapexplorer.export.preview import preview
from mapexplorer.export.request import (
    AllMapsRequest,
    AllPicturesRequest,
    ConvertRequest,
    DatabaseRequest,
    FileRequest,
    KitRequest,
    MapRequest,
    MatrixRequest,
    ModelRequest,
    ModelsRequest,
    PictureRequest,
    PosterRequest,
    Request,
    TexturesRequest,
)
from mapexplorer.export.run import check
from mapexplorer.features import choices
from mapexplorer.gui.dialogs.forms import Form, form_of, picture_values, show_explorer
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.worker import Task
from mapexplorer.gui.model.export_process import run_beside
from mapexplorer.gui.model.loose import LooseExport
from mapexplorer.gui.rendering.images import image_of
from mapexplorer.gui.widgets.controls import ComboBox, fit_to_screen
from mapexplorer.gui.widgets.layout import MUTED, bring_up, button, column, label, row, scrolled, timer
from mapexplorer.gui.widgets.notices import INFO, JOB, WARNING, Notices
from mapexplorer.option import OptionError, Options
from mapexplorer.system.progress import Outcome

REQUESTS: Final[tuple[type[Request], ...]] = (
    MapRequest,
    MatrixRequest,
    KitRequest,
    AllMapsRequest,
    ModelRequest,
    ModelsRequest,
    PictureRequest,
    AllPicturesRequest,
    PosterRequest,
    TexturesRequest,
    FileRequest,
    DatabaseRequest,
    ConvertRequest,
)

_MISSING: Final[dict[type[Request], str]] = {
    ModelRequest: "Select a prop first, in the picture or a panel.",
    ConvertRequest: "Open loose files first.",
}
"""Kinds of export that are of something that is to be chosen before, and what says so."""
_WIDTH, _HEIGHT = 256, 192
"""Pixels of the picture of the preview."""


class ExportDialog(QDialog):
    """Modeless: the window can be used while files are written. `status` shows how far the export is, and a notice what
    came of it while the dialog was closed."""

    def __init__(self, parent: QWidget, jobs: JobController, status: QLabel, notices: Notices) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export")
        self.jobs, self.explorer, self.status, self.notices = jobs, jobs.explorer, status, notices
        self.task: Task | None = None
        self.outcome: Outcome | None = None
        self.model: int | None = None
        self.loose: LooseExport | None = None
        self.kinds = ComboBox(
            [(request.kind.title, request) for request in REQUESTS], name="export kinds", hint="What is written"
        )
        self.kinds.setMaxVisibleItems(len(REQUESTS))
        self.kinds.setItemDelegate(QStyledItemDelegate(self.kinds))  # draws disabled entries as the theme has them
        self.hint = label(role=MUTED)
        self.opened = {"", *map(str, self.explorer.settings.get("export sections", []))}
        self.forms: dict[type[Options], Form] = {}
        """Those that were wanted, by each class of options that they are for."""
        self._current: set[Form] = set()
        """Those that have the state that the window had since the dialog was opened."""
        page = QWidget()
        self._pages = column(None, margins=(0, 0, 0, 0))
        page.setLayout(self._pages)
        self.page = scrolled(page, sideways=False)
        self.shown_picture, self.shown = QLabel(), label(selectable=True)
        self.shown_picture.setFixedSize(_WIDTH, _HEIGHT)
        self.shown.setFixedWidth(_WIDTH)
        self._later = timer(self, 250, self._preview)
        self._previews: Task | None = None
        self.message = label(selectable=True)
        self.target = QLineEdit()
        self.target.setAccessibleName("To")
        self.progress = QProgressBar()
        self.progress.hide()
        self.show_files = button("Open folder", lambda: open_folder(self.outcome))
        self.stop = button("Close", self._stop)
        self.start = button("Export", self.begin, default=True)
        options = row((self.page, 1), column(self.shown_picture, self.shown, None), spacing=14)
        target = row(QLabel("To"), (self.target, 1), button("Browse …", self._browse))
        buttons = row(self.show_files, None, self.stop, self.start)
        parts = self.kinds, self.hint, (options, 1), target, self.progress, self.message, buttons
        self.setLayout(column(*parts, margins=(14, 14, 14, 12), spacing=10))
        self.kinds.currentIndexChanged.connect(self._kind_changed)
        self.explorer.place_changed.connect(self._suggest)
        for changed in (
            self.target.textChanged,
            self.jobs.overlay_ready,
        ):
            changed.connect(self._changed)
        self.finished.connect(self._changed)
        fit_to_screen(self, 860, 620)

    # --- kind and target

    @property
    def wanted(self) -> type[Request]:
        """The chosen kind of export."""
        return REQUESTS[self.kinds.currentIndex()]

    @property
    def options(self) -> type[Options]:
        """The class of the options of the chosen kind."""
        return self.wanted if self.loose is None or self.wanted is not ConvertRequest else self.loose.options

    @property
    def form(self) -> Form:
        """The form of the chosen kind."""
        return self.form_of(self.options)

    def form_of(self, kind: type[Options]) -> Form:
        """The form of a class of options, made when it is first wanted."""
        if kind not in self.forms:
            made = form_of(kind, self.opened)
            made.changed.connect(self._changed)
            self._pages.insertWidget(0, made)
            self.forms |= dict.fromkeys(made.classes, made)
        return self.forms[kind]

    def open(
        self, kind: type[Request] = MapRequest, model: int | None = None, loose: LooseExport | None = None
    ) -> None:
        """Show the dialog for a kind of export, with a model or loose files for those that are of them."""
        chosen = self.explorer.selection
        if model is None and chosen is not None and chosen.kind == "prop":
            model = chosen.key[0]
        self.model, self.loose = model, loose
        for (needing, missing), given in zip(_MISSING.items(), (model, loose), strict=True):
            number = REQUESTS.index(needing)
            # Qt has the flags of an entry as its last internal role.
            self.kinds.setItemData(number, 0 if given is None else None, Qt.UserRole - 1)
            self.kinds.setItemData(number, missing if given is None else needing.kind.hint, Qt.ToolTipRole)
        self.kinds.setCurrentIndex(REQUESTS.index(kind))
        if not self.isVisible():
            self._current.clear()
        self._kind_changed()
        bring_up(self)
        self.activateWindow()

    def _kind_changed(self) -> None:
        self.hint.setText(self.wanted.kind.hint)
        self.form.choose(self.options)
        for form in self.forms.values():
            form.setVisible(form is self.form)
        if self.form not in self._current:
            self._current.add(self.form)
            show_explorer(self.form, self.explorer)
        self.page.verticalScrollBar().setValue(0)
        self.shown_picture.setVisible({"place", "model"} & {field.name for field in fields(self.wanted)} == {"place"})
        self._forget_outcome()
        self._suggest()

    def _forget_outcome(self) -> None:
        """Remove what the last export said, unless one is running."""
        if self.task is None:
            self.outcome = None
            self.message.clear()
            self.show_files.hide()

    def _suggest(self) -> None:
        place, kind = self.explorer.place, self.wanted.kind
        if place is None:
            return
        self.form.offer(
            {
                "path": place.world.rom.files,
                "cell": [f"{cell.x},{cell.z}" for cell in place.cells],
                "state": [choice.name for choice in choices(place.world.game.tables, place.header.id)],
            }
        )
        base = self.explorer.settings.get("export folder", "") or str(Path.home())
        suffix = next(iter(kind.suffixes), "")
        header = map_name(place.header.id, place.header.internal_name)
        loose = "" if self.loose is None else self.loose.named
        target = kind.named.format(map=header, kind=kind.name, model=self.model, loose=loose)
        self.target.setText(str(Path(base) / f"{target}{suffix}"))

    def _browse(self) -> None:
        if not self.wanted.kind.suffixes:
            name = QFileDialog.getExistingDirectory(self, "Export into", self.target.text())
        else:
            endings = " ".join(f"*{suffix}" for suffix in self.wanted.kind.suffixes)
            name, _ = QFileDialog.getSaveFileName(self, "Export to", self.target.text(), endings)
        if name:
            self.target.setText(name)

    # --- preview

    def _changed(self) -> None:
        """End the preview, which is made anew a moment later."""
        if self._previews is not None:
            self._previews.cancel()
        self._later.start()

    def _preview(self) -> None:
        """Have a worker find out what the options give, unless it writes files."""
        self.explorer.settings.set("export sections", sorted(self.opened))
        wanted = self.isVisible() and self.task is None
        world, request = self.explorer.world, self._request(self.shown) if wanted else None
        self._previewed = request
        if world is not None and request is not None:
            self.shown.setText("…")
            self._previews = self.jobs.work.submit(
                lambda task: preview(request, world, task),
                lambda made: self._show(request, *made),
                lambda error, trace: self._show(request, [str(error)], b""),
                owner=self,
            )

    def _show(self, request: Request, lines: list[str], png: bytes) -> None:
        """Show the preview of a request, unless another one is wanted by now."""
        frame = self.jobs.frame
        if request is self._previewed and not self._later.isActive():
            image = QImage.fromData(png) if png or frame is None else image_of(frame.picture)
            self.shown.setText("\n".join(lines))
            self.shown_picture.setPixmap(QPixmap.fromImage(image.scaled(_WIDTH, _HEIGHT, Qt.KeepAspectRatio)))

    # --- running

    def begin(self) -> None:
        """Start the export."""
        request = self._request(self.message) if self.task is None else None
        if request is None:
            return
        self._running = type(request)
        self.explorer.settings.set("export folder", str(request.output.parent))
        self._forget_outcome()
        self._show_running(True)
        work = partial(run_beside, request, self.explorer.rom_path)
        self.task = self.jobs.work.submit(work, self._done, self._failed, progress=self._show_progress, owner=self)

    def _request(self, told: QLabel) -> Request | None:
        """The request with the present settings; None where there is none, and the label says why."""
        place, world = self.explorer.place, self.explorer.world
        if place is None or world is None or not self.target.text().strip():
            told.setText("To which file or folder?")
            return None
        try:
            request = self._made(place.header.id, Path(self.target.text()).expanduser())
            check(request, world)
        except OptionError as error:
            titles = {"output": "To"} | {name: field.declared.option.title for name, field in self.form.fields.items()}
            told.setText(error.said(lambda name: titles.get(name, name.capitalize())))
        except (ValueError, PlaceError) as error:
            told.setText(str(error))
        else:
            return request
        return None

    def _made(self, header: int, target: Path) -> Request:
        """The request with the present settings. Raises OptionError, ValueError."""
        kind = self.wanted
        if kind is PictureRequest:
            return PictureRequest(place=header, output=target, **picture_values(self.form, self.explorer))
        if self.loose is not None and kind is ConvertRequest:
            defaults = {option.name: option.default for option in self.options.declared()}
            chosen = {name: value for name, value in self.form.values().items() if value != defaults[name]}
            return ConvertRequest(files=self.loose.files, output=target, options=ConvertOptions.made(chosen))
        names = {field.name for field in fields(kind)}
        others = {name: value for name, value in (("place", header), ("model", self.model)) if name in names}
        return kind.made(self.form.values(), output=target, **others)

    def _show_progress(self, done: int, total: int, text: str) -> None:
        """Show the number of files, and the present one."""
        self.progress.setRange(0, total)
        self.progress.setValue(done)
        self.progress.setFormat(f"{done} of {total}")
        self.status.setText(f"Export: {done} of {total}" if total else f"Export: {text}")
        self.message.setText(text)

    def _show_running(self, runs: bool) -> None:
        """Show the progress instead of what begins an export."""
        self.progress.setVisible(runs)
        self.start.setEnabled(not runs)
        self.stop.setText("Stop" if runs else "Close")
        self.stop.setEnabled(True)
        self.status.setText("Export …" if runs else "")
        self.notices.end(*([JOB] if runs else []))
        self._changed()

    def _say(self, text: str) -> None:
        self.message.setText(text)
        if not self.isVisible():
            written, folder = self.outcome, button("Open folder", partial(open_folder, self.outcome))
            level, actions = (WARNING, []) if written is None else (INFO, [folder])
            self.notices.notify(level, "Export", text, about=JOB, actions=actions)

    def _end(self) -> None:
        self.task = None
        self._show_running(False)

    def _done(self, outcome: Outcome) -> None:
        self._end()
        self.outcome = outcome
        of_models = (notice for model in outcome.facts.get("models", ()) for notice in model["notices"])
        self._say("\n".join((f"Done: {outcome.sentence}.", *[*outcome.notices, *of_models][:8])))
        self.show_files.show()

    def _failed(self, error: BaseException, trace: str) -> None:
        """Show why the export ended early; what was not expected also as a notice."""
        self._end()
        if isinstance(error, CancelledError):
            self._say(f"Stopped. {self._running.kind.stopped}")
        elif isinstance(error, ValueError | PlaceError):
            self._say(str(error))
        else:
            self.message.setText(f"Failed: {in_words(error)}")
            self.jobs.notify("The export failed", error, trace)

    def _stop(self) -> None:
        if self.task is None:
            self.close()
        else:
            self.task.cancel()
            self.message.setText("Stopping …")
            self.stop.setEnabled(False)


def open_folder(outcome: Outcome | None) -> None:
    """Show the folder of the files that were written in the system's file manager."""
    if outcome is not None and outcome.files:
        file = outcome.files[0]
        folder = file if file.is_dir() else file.parent
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
