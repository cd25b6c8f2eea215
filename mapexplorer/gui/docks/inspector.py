"""The inspector: the facts about the selection, with links."""

from __future__ import annotations

from PyQt5.QtCore import QUrl
from PyQt5.QtGui import QTextDocument

from mapexplorer.gui.docks.panel import Copied, Panel
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.rendering.images import image_of
from mapexplorer.gui.widgets import theme
from mapexplorer.gui.widgets.layout import browser, button, check_box, column, row
from mapexplorer.gui.widgets.rich_text import show_facts
from mapexplorer.inspector.facts import Description
from mapexplorer.inspector.output import description_json, text_lines


class InspectorPanel(Panel):
    """A description as text with links, and a button to copy it. `chosen`: a link was followed."""

    name, title = "inspector", "Facts"

    def __init__(self, explorer: Explorer) -> None:
        super().__init__(explorer)
        self.description: Description | None = None
        self.browser = browser("inspector", self.chosen.emit)
        self.browser.document().setDocumentMargin(8)
        hint = "Where each fact was read; else a hint says it while the mouse is over the fact"
        self.sources = check_box(
            "Sources", self._show_sources, checked=explorer.settings.get("sources", False), hint=hint
        )
        copy = button("Copy", self.copy_text, "As text; a right click copies JSON, too")
        buttons = row(self.sources, None, copy)
        self.setLayout(column((self.browser, 1), buttons, margins=(4, 2, 8, 4), spacing=6))
        self.offer_copy(self.browser)

    def copied(self) -> Copied:
        """The description."""
        if self.description is None:
            return "", None
        return "\n".join([*text_lines(self.description), ""]), description_json(self.description)

    def show_description(self, description: Description | None) -> None:
        """Show another description."""
        before, self.description = self.description, description
        self.refresh()
        if description is None or before is None or description.subject != before.subject:
            self.browser.verticalScrollBar().setValue(0)

    def refresh(self) -> None:
        """Redraw in the colours of the theme, and for the width of the panel."""
        bar = self.browser.verticalScrollBar()
        place = bar.value()
        if self.description is None:
            hint = "Click anything in the picture to learn what it is." if self.explorer.place is None else "Reading …"
            self.browser.setHtml(f"<p style='color:{theme.colors().muted}'>{hint}</p>")
        else:
            for thing, pixels in self.description.pictures.items():
                address, picture = QUrl(thing.address), image_of(pixels)
                self.browser.document().addResource(QTextDocument.ImageResource, address, picture)
            show_facts(self.browser, self.description, sources=self.sources.isChecked())
        bar.setValue(place)

    def _show_sources(self, shown: bool) -> None:
        self.explorer.settings.set("sources", shown)
        self.show_description(self.description)
