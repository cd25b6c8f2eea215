"""Fills the inspector with facts about the selection and explanations of pixels."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any, Final

from PyQt5.QtCore import QProcess, QUrl
from PyQt5.QtGui import QDesktopServices

from mapexplorer.catalogue.kinds import WITH_ICON
from mapexplorer.export.icons import readable_picture
from mapexplorer.gui.docks.bytes import BytesPanel
from mapexplorer.gui.docks.docks import Docks
from mapexplorer.gui.docks.files import FilesPanel
from mapexplorer.gui.docks.inspector import InspectorPanel
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.model.editors import FIRST, editor_command
from mapexplorer.gui.rendering.place_renderer import FrameRequest, PlaceRenderer
from mapexplorer.gui.widgets.layout import timer
from mapexplorer.inspector.describe import describe
from mapexplorer.inspector.facts import Description
from mapexplorer.inspector.origins import SOURCE, source_of
from mapexplorer.inspector.script.script_page import SUBJECTS
from mapexplorer.rom.rom import Origin
from mapexplorer.world.subject import Subject

EDITOR: Final = "editor"
"""The setting of the editor of source text."""
_SETTLED: Final = 250
"""Milliseconds without another hour after which a pixel is explained anew."""


class Inspection:
    """Selects things, and requests descriptions of the selection from a worker."""

    def __init__(self, jobs: JobController, docks: Docks, inspector: InspectorPanel, raw_bytes: BytesPanel) -> None:
        self.explorer, self.jobs, self.docks = jobs.explorer, jobs, docks
        self.inspector, self.bytes = inspector, raw_bytes
        explorer = self.explorer
        self._pixel: Description | None = None
        """The explanation of the pixel that selected its subject."""
        self._drawn: tuple[FrameRequest, int, int] | None = None
        """The request, the column and the row of the pixel of the DS picture that is explained."""
        self._again = timer(self.inspector, _SETTLED, self._explain_again)
        self._state: Any = None
        self.inspector.chosen.connect(self._follow)
        explorer.rom_changed.connect(lambda: None if explorer.selection else inspector.show_description(None))
        explorer.selection_changed.connect(self.describe)
        explorer.feature_changed.connect(self._feature_changed)
        explorer.clock.changed.connect(self._hour_changed)
        explorer.save_changed.connect(self.describe)

    def show(self, chosen: Subject) -> None:
        """Select a thing and look at it, if it is on a map. The script panel stays in front for what has a script. The
        panel of files shows a file."""
        if chosen.kind == "file":
            self.docks.open("files")
            files = self.docks.panels["files"]
            assert isinstance(files, FilesPanel)
            files.filter.setText(chosen.key[0])
            return
        self.jobs.look_at(chosen)
        if chosen.kind not in SUBJECTS or not self.docks.shown("script"):
            self.docks.show("inspector")

    def _follow(self, chosen: Subject) -> None:
        """Look at a thing of the inspector; open a place in a text."""
        if chosen.kind == SOURCE:
            self.open_source(*chosen.key)
        else:
            self.jobs.look_at(chosen)

    @property
    def source(self) -> Origin | None:
        """Where the selection stands in the text that the ROM is made from."""
        description = self.inspector.description
        facts = (fact for part in description.sections for fact in part.rows) if description is not None else ()
        return next(filter(None, map(source_of, facts)), None)

    def open_source(self, name: str, line: int) -> None:
        """Open a file of the ROM's text at a line, in the editor of the preferences."""
        rom = self.jobs.rom
        file = None if rom is None else rom.world.rom.text_file(name)
        if file is None:
            self.jobs.failed.emit(f"{name} cannot be opened.", "There is no such file on the disk.", "")
            return
        words = editor_command(self.explorer.settings.get(EDITOR, FIRST), file, line, os.environ)
        url = QUrl.fromLocalFile(str(file))
        if not (QProcess.startDetached(words[0], words[1:]) if words else QDesktopServices.openUrl(url)):
            self.jobs.failed.emit(f"{name} cannot be opened.", "Choose an editor in the preferences.", "")

    def select(self, chosen: Subject) -> None:
        """Select a thing and show the inspector."""
        self.jobs.select(chosen)
        self.docks.show("inspector")

    def select_clicked(self, chosen: Subject) -> None:
        """Select a thing that was clicked in the picture."""
        self.jobs.select(chosen)
        self._bring_up()

    def _bring_up(self) -> None:
        # A click in the picture also pins a point in the height panel, which then stays in front.
        if not self.docks.shown("heights"):
            self.docks.show("inspector")

    def describe(self) -> None:
        """Show the facts about the selection as soon as a worker has read them."""
        chosen = self.explorer.selection
        if chosen is None or self.explorer.place is None:
            return
        if chosen.kind == "pixel":
            self.inspector.show_description(self._pixel)
            return
        if self.inspector.description is None:
            self.inspector.refresh()
        header, save, other = self.explorer.place.header.id, self.explorer.save, self.jobs.other

        def read(renderer: PlaceRenderer) -> Description:
            description = describe(renderer.world, header, chosen, save)
            if other is not None:
                description = other.described(description, renderer.world.game, header, chosen, save)
            things = [thing for thing in (description.shown, *description.links) if thing.kind in WITH_ICON]
            pictures = {thing: readable_picture(renderer.world, thing.kind, thing.key[0]) for thing in things}
            known = {thing: picture for thing, picture in pictures.items() if picture is not None}
            return replace(description, pictures=known)

        self.jobs.request(read, self._show, key="describe", title=f"{chosen} cannot be read")

    def _feature_changed(self) -> None:
        """Show the present state of what code adds to a map."""
        feature, chosen = self.explorer.feature, self.explorer.selection
        state = None if feature is None else feature.state
        if chosen is not None and chosen.kind == "header" and state != self._state:
            self.describe()
        self._state = state

    def _show(self, description: Description) -> None:
        """Show the facts about the selection, followed by those about the pixel that selected it."""
        if self._pixel is not None and self._pixel.subject == description.subject:
            description = description.followed_by(self._pixel)
        self.inspector.show_description(description)
        self.bytes.show_raw(description.raw)

    # --- pixels

    def explain(self, explanation: Description, drawn: tuple[FrameRequest, int, int] | None) -> None:
        """Select what was clicked in a picture; its facts are followed by the explanation. `drawn`: see `Explained`."""
        self._pixel, self._drawn = explanation, drawn
        self._bring_up()
        if explanation.subject == self.explorer.selection:
            self.describe()
        else:
            self.jobs.select(explanation.subject)

    def _hour_changed(self) -> None:
        """Explain the pixel that the inspector explains anew if it was drawn at another hour."""
        drawn = self._drawn
        if drawn is not None and drawn[0].view.second != self.explorer.clock.second:
            self._again.start()

    def _explain_again(self) -> None:
        drawn, chosen = self._drawn, self.explorer.selection
        if drawn is None or self._pixel is None or self._pixel.subject != chosen:
            return
        request, x, y = drawn
        request = replace(request, view=replace(request.view, second=self.explorer.clock.second))

        def take(explanation: Description) -> None:
            if drawn == self._drawn and chosen is not None and chosen == self.explorer.selection:
                self._drawn = request, x, y
                self._pixel = replace(explanation, subject=chosen)
                self.describe()
                self._hour_changed()

        self.jobs.explain(request, x, y, chosen, take)
