"""What the tests of exports do in the window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from click.testing import CliRunner
from PyQt5.QtCore import Qt
from PyQt5.QtTest import QTest

from mapexplorer.cli import program
from mapexplorer.export.request import Request


def export(window: Any, qtbot: Any, kind: type[Request], target: Path, model: int | None = None) -> Any:
    """Export by the dialog's own buttons; the outcome."""
    dialog = window.dialogs.export
    dialog.open(kind, model)
    assert dialog.wanted is kind and dialog.target.text()
    dialog.target.setText(str(target))
    qtbot.mouseClick(dialog.start, Qt.LeftButton)
    assert dialog.stop.text() == "Stop" and not dialog.start.isEnabled(), dialog.message.text()
    qtbot.waitUntil(lambda: dialog.task is None, timeout=120_000)
    assert dialog.outcome is not None, dialog.message.text()
    assert dialog.start.isEnabled() and dialog.message.text().startswith("Done:")
    return dialog.outcome


def unfold(dialog: Any) -> None:
    """Open all sections of options."""
    for section, header in dialog.form.headers.items():
        if section not in dialog.opened and header.isVisible():
            QTest.mouseClick(header, Qt.LeftButton)


def shown(dialog: Any, name: str) -> bool:
    """Whether the dialog shows the row of an option."""
    return bool(dialog.form[name].widget.isVisible())


def cli(*arguments: object) -> str:
    """Runs the command line; what it printed."""
    ran = CliRunner().invoke(program, [str(argument) for argument in arguments])
    assert ran.exit_code == 0, ran.output
    return ran.stdout
