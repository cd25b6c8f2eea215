"""The manual in the window: its pages, their sections, and a window that shows them."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

from PyQt5.QtCore import Qt, QTimer, QUrl
from PyQt5.QtGui import QDesktopServices, QImage, QKeySequence, QTextCursor, QTextDocument, QTextTable
from PyQt5.QtWidgets import QDialog, QListWidgetItem, QShortcut, QTextBrowser, QWidget

from mapexplorer.gui.model.history import BACK, History
from mapexplorer.gui.model.search import matches
from mapexplorer.gui.widgets.controls import fit_to_screen
from mapexplorer.gui.widgets.layout import bring_up, button, column, line_edit, list_row, list_view, row
from mapexplorer.naming import comparable_name

PACKAGE: Final = "mapexplorer.manual"
START_PAGE: Final = "index.md"
KEYS_PAGE: Final = "keys.md"
PICTURE: Final = 720
"""The greatest width of a picture, in pixels."""
AT_ONCE: Final = 8000
"""Characters of a page that are laid out in one turn of the event loop."""
CONTENTS: Final = 240
"""The width of the list of pages, in pixels."""


def page(name: str) -> str:
    """A page as Markdown that Qt shows; what only the built manual can show is left out. Raises OSError."""
    text = (resources.files(PACKAGE) / name).read_text("utf-8")
    text = re.sub(r"^::: (\S+)\n", r"* `\1`\n", text, flags=re.MULTILINE)
    return re.sub(r"^```\w+\n--8<-- .*\n```\n|^--8<-- .*\n", "", text, flags=re.MULTILINE)


Passage = tuple[str, str, bool, str]
"""A section of the manual: its page, its heading, whether that is the one of the page, and what is compared with words
that are searched."""


@cache
def sections() -> tuple[Passage, ...]:
    """The sections of all pages in the order in which the first page names these. Raises OSError."""
    names = [file.name for file in resources.files(PACKAGE).iterdir() if file.name.endswith(".md")]
    first = page(START_PAGE)
    passages = []
    for name in sorted(names, key=lambda name: (name != START_PAGE, first.find(f"({name})") % len(first), name)):
        _, *parts = re.split(r"(?:\A|\n\n)#{1,3} (.+)\n", page(name))
        for number, (heading, text) in enumerate(zip(parts[::2], parts[1::2], strict=True)):
            passages.append((name, heading, number == 0, comparable_name(f"{heading} {text}")))
    return tuple(passages)


def anchor(title: str) -> str:
    """The anchor of a title in links."""
    return re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-")


def _fill(document: QTextDocument, text: str) -> None:
    """Read a page into a document: its pictures, at most as wide as the window is at first, and its tables, with some
    space in their cells and one line between them."""
    editing = QTextCursor(document)
    editing.beginEditBlock()  # else each table that is read goes through those before it
    document.setMarkdown(text)
    editing.endEditBlock()
    for name in re.findall(r"!\[[^]]*\]\(([^)]+)\)", text):
        image = QImage(str(resources.files(PACKAGE) / name))
        shown = image.scaledToWidth(PICTURE, Qt.SmoothTransformation) if image.width() > PICTURE else image
        document.addResource(QTextDocument.ImageResource, QUrl(name), shown)
    for table in document.rootFrame().childFrames():
        if isinstance(table, QTextTable):
            form = table.format()
            form.setCellPadding(4)
            form.setCellSpacing(0)
            form.setBorderCollapse(True)
            table.setFormat(form)


class ManualWindow(QDialog):
    """The pages of the manual, or the sections with words that are searched, and one of them; links lead to other
    pages, those of the network to the browser."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Manual")
        self.text = QTextBrowser()
        self.text.setAccessibleName("Page of the manual")
        self.text.setOpenLinks(False)
        self.text.anchorClicked.connect(self._follow)
        self.name = ""
        """The page that is shown."""
        self.history: History[tuple[str, str]] = History()
        self.contents = list_view("Pages of the manual")
        self.contents.setFixedWidth(CONTENTS)
        self.contents.currentItemChanged.connect(self._chosen)
        self.field = line_edit("Search the manual", self._fill, name="manual search", rows=self.contents)
        back = button("Back", self._go_back, default=False)
        side = column(self.field, (self.contents, 1), back, margins=(6, 6, 0, 6))
        self.setLayout(row(side, (self.text, 1), margins=(0, 0, 0, 0)))
        for key, run in (
            (QKeySequence.Find, self.field.setFocus),
            (QKeySequence.HelpContents, lambda: self.open_page(START_PAGE)),
            (QKeySequence.Back, self._go_back),
        ):
            QShortcut(QKeySequence(key), self, run)
        fit_to_screen(self, PICTURE + 60 + CONTENTS, 720)
        self._fill("")

    def _fill(self, text: str) -> None:
        """List the pages, or the sections that have all words of a text, those with the words in their headings
        first."""
        words = comparable_name(text).split()
        having = [each for each in sections() if matches(words, each[3]) and (words or each[2])]
        self.contents.clear()
        for name, heading, is_first, _ in sorted(having, key=lambda each: not matches(words, comparable_name(each[1]))):
            place = ("", heading) if is_first else (heading, f"{heading} ({name.removesuffix('.md')})")
            list_row(self.contents, place[1], (name, place[0]))
        if not having:
            list_row(self.contents, "No section has these words.", ()).setFlags(Qt.NoItemFlags)

    def _chosen(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.open_page(*item.data(Qt.UserRole))

    def _go_back(self) -> None:
        shown = self.history.go(BACK)
        if shown is not None:
            self.open_page(*shown)

    def open_page(self, name: str, section: str = "") -> None:
        """Show a page, at the section with this title or anchor. Raises OSError."""
        self.history.visit((name, section))
        if name != self.name:
            # A document that is shown would be laid out anew with each paragraph that is read into it.
            document = QTextDocument(self.text)
            document.setDefaultFont(self.text.font())
            _fill(document, page(name))
            self.text.document().deleteLater()
            self.text.setDocument(document)
            self.name = name
        bring_up(self)
        self._scroll_to(anchor(section))

    def _scroll_to(self, wanted: str, seen: int = 0) -> None:
        """Show a heading, or the beginning; a long page is laid out in several turns of the event loop before that."""
        document = self.text.document()
        if not wanted:
            self.text.moveCursor(QTextCursor.Start)
            self.text.verticalScrollBar().setValue(0)
            return
        if document.characterCount() > seen + AT_ONCE:
            document.documentLayout().blockBoundingRect(document.findBlock(seen + AT_ONCE))
            QTimer.singleShot(0, lambda: self._scroll_to(wanted, seen + AT_ONCE))
            return
        block = document.begin()
        while block.isValid():
            if block.blockFormat().headingLevel() and anchor(block.text()) == wanted:
                self.text.moveCursor(QTextCursor.End)  # so that the heading comes to the upper edge
                self.text.setTextCursor(QTextCursor(block))
                return
            block = block.next()

    def _follow(self, target: QUrl) -> None:
        name = Path(target.path()).name
        if target.scheme():
            QDesktopServices.openUrl(target)
        elif name.endswith(".md") or not name:
            self.open_page(name or self.name, target.fragment())
