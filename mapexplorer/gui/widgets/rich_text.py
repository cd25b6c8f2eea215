"""Descriptions of things as the rich text of Qt."""

from __future__ import annotations

import html
from collections.abc import Callable, Container
from typing import Final

from PyQt5.QtWidgets import QTextBrowser

from mapexplorer.gui.widgets import theme
from mapexplorer.gui.widgets.theme import ThemeColors
from mapexplorer.inspector.facts import Description, Fact
from mapexplorer.inspector.output import why_text
from mapexplorer.world.subject import Subject

_NAMES: Final = 0.41
"""The share of the width that the names of facts have."""
_PADDING: Final = 3
"""Pixels around the text of a cell."""


def show_facts(page: QTextBrowser, description: Description, *, sources: bool = True) -> None:
    """Show a description on a page, see `rich_text`."""
    metrics, bar = page.fontMetrics(), page.verticalScrollBar().sizeHint().width()
    room = page.contentsRect().width() - bar - 2 * page.document().documentMargin()

    def fits(text: str, share: float) -> bool:
        return all(metrics.horizontalAdvance(word) <= share * room - 3 * _PADDING for word in text.split())

    page.setHtml(rich_text(description, theme.colors(), sources=sources, fits=fits))


def rich_text(
    description: Description,
    colors: ThemeColors,
    *,
    sources: bool = True,
    fits: Callable[[str, float], bool] = lambda text, share: True,
) -> str:
    """A description as rich text with links, in the colours of a theme; its pictures are those of the page that have
    the addresses of the things. `sources`: those of facts are shown, else they are hints. `fits`: whether the words of
    a text fit into a share of the width; where they do not, the name of a fact is above its value, not beside it, and
    its meaning is smaller."""
    muted, pictures = colors.muted, description.pictures
    title = _picture(description.shown, pictures, "float:left") + html.escape(description.title)
    parts = [f"<div style='font-size:large; font-weight:600'>{title}</div>"]
    if description.subtitle:
        parts.append(f"<div style='color:{muted}'>{html.escape(description.subtitle)}</div>")
    for section in description.sections:
        if not section.rows:
            continue
        parts.append(f"<p style='margin:10px 0 2px 0; color:{muted}; font-weight:600'>{html.escape(section.title)}</p>")
        parts.append(f"<table cellspacing='0' cellpadding='{_PADDING}' width='100%'>")
        for fact in section.rows:
            beside = fits(fact.name, _NAMES) and fits(f"{fact.value} {fact.meaning}", 1 - _NAMES)
            size = "medium" if fits(fact.meaning, 1.0) else "small"
            parts.append(_row(fact, colors, pictures, sources=sources, beside=beside, size=size))
        parts.append("</table>")
    return "".join(parts)


def _picture(chosen: Subject | None, pictures: Container[Subject], style: str = "vertical-align:middle") -> str:
    return (
        "" if chosen not in pictures or chosen is None else f"<img src='{html.escape(chosen.address)}' style='{style}'>"
    )


def _row(
    fact: Fact, colors: ThemeColors, pictures: Container[Subject], *, sources: bool, beside: bool, size: str
) -> str:
    muted, accent, border = colors.muted, colors.accent, colors.border
    # Rich text shows the two spaces between a number and a name as one.
    value = html.escape(fact.value.rstrip()).replace("  ", " · ", 1).replace("\n", "<br>")
    if fact.link is not None:
        value = f"<a href='{html.escape(fact.link.address)}' style='color:{accent}; text-decoration:none'>{value}</a>"
        value = _picture(fact.link, pictures) + value
    if fact.color is not None:
        rgb = "#{:02x}{:02x}{:02x}".format(*fact.color)
        value = f"<span style='background:{rgb}; color:{rgb}'>&nbsp;&nbsp;&nbsp;</span> {value}"
    if fact.meaning:
        value += f" <span style='color:{muted}; font-size:{size}'>· {html.escape(fact.meaning)}</span>"
    color = "" if fact.before is None else f" bgcolor='{colors.changed}'"
    if fact.before is not None:
        value += f"<br><span style='color:{muted}'>before: {html.escape(fact.before)}</span>"
    why = html.escape(why_text(fact.why))
    if why:
        shown = f"{value}<br><span style='color:{muted}; font-size:small'>{why}</span>"
        value = shown if sources else f"<span title='{why}'>{value}</span>"
    line = f"border-bottom:1px solid {border}"
    name = html.escape(fact.name)
    if name and beside:
        return (
            f"<tr><td width='{_NAMES:.0%}'{color} style='color:{muted}; {line}'>{name}</td>"
            f"<td{color} style='{line}'>{value}</td></tr>"
        )
    above = f"<span style='color:{muted}'>{name}</span><br>" if name else ""
    return f"<tr><td colspan='2'{color} style='{line}'>{above}{value}</td></tr>"
