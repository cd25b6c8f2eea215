"""Progress bars that are shown while kernels are compiled."""

from __future__ import annotations

from PyQt5.QtCore import Qt
from PyQt5.QtWidgets import QLabel, QProgressBar, QWidget

from formats.kernel.progress import KernelProgress
from mapexplorer.gui.widgets import theme
from mapexplorer.gui.widgets.layout import column, label, row

COMPILING = "Compiling for this computer, once"
WAITING = "Another process compiles for this computer, waiting for it"
HINT = "The picture appears as soon as it can be drawn. Everything else in the window can be used meanwhile."
_WIDTH = 340


class CompilationProgress(QWidget):
    """A label, and a bar with the number of compiled functions and their total; hidden at first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = QLabel()
        self.bar = QProgressBar()
        self.bar.setAccessibleName(COMPILING)
        self.bar.setFormat("%v of %m")
        self.hide()

    def show_progress(self, progress: KernelProgress) -> None:
        """Update the numbers."""
        self.text.setText(WAITING if progress.waiting else COMPILING)
        # QProgressBar.setValue paints at once, and then a window with an OpenGL view is composed at once too.
        self.bar.setUpdatesEnabled(False)
        # The other process may not have reported progress yet. A bar without a range would be animated, and the window
        # would be composed for each step.
        self.bar.setVisible(not progress.waiting or progress.total > 1)
        self.bar.setRange(0, progress.total)
        self.bar.setValue(progress.done)
        self.bar.setUpdatesEnabled(True)


def compilation_bar() -> CompilationProgress:
    """The progress in the status bar."""
    made = CompilationProgress()
    made.setObjectName("compilation bar")
    made.setToolTip("Functions of the renderers; what is compiled is kept")
    made.bar.setFixedSize(_WIDTH // 2, made.text.sizeHint().height())  # so that the status bar keeps its height
    made.setLayout(row(made.text, made.bar, margins=(0, 0, 0, 0)))
    return made


def compilation_cover(parent: QWidget) -> CompilationProgress:
    """The progress over a view that has no picture yet."""
    made = CompilationProgress(parent)
    made.setObjectName("compilation cover")
    made.setProperty("role", "cover")
    made.setAttribute(Qt.WA_StyledBackground)
    made.setAttribute(Qt.WA_TransparentForMouseEvents)  # they go to the view below
    made.bar.setFixedWidth(_WIDTH)
    hint = label(HINT)
    # At the bottom: the welcome page is in the middle.
    parts = None, made.text, (made.bar, 0, Qt.AlignHCenter), hint
    made.setLayout(column(*parts, margins=(24, 24, 24, 8), spacing=8))
    for part in (made.text, hint):
        part.setAlignment(Qt.AlignCenter)
        part.setStyleSheet(f"color: {theme.ON_VIEW};")
    return made
