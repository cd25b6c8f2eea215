"""Descriptions of things as the rich text of Qt."""

from __future__ import annotations

import html
from collections.abc import Container
from typing import TYPE_CHECKING

from mapexplorer.inspector.facts import Description, Fact
from mapexplorer.inspector.output import why_text
from mapexplorer.world.subject import Subject

if TYPE_CHECKING:
    from mapexplorer.gui.widgets.theme import ThemeColors


def rich_text(description: Description, colors: ThemeColors, *, sources: bool = True) -> str:
    """A description as rich text with links, in the colours of a theme; its pictures are those of the page that have
    the addresses of the things. `sources`: those of facts are shown, else they are hints."""
    muted, pictures = colors.muted, description.pictures
    title = _picture(description.shown, pictures, "float:left") + html.escape(description.title)
    parts = [f"<div style='font-size:large; font-weight:600'>{title}</div>"]
    if description.subtitle:
        parts.append(f"<div style='color:{muted}'>{html.escape(description.subtitle)}</div>")
    for section in description.sections:
        if not section.rows:
            continue
        parts.append(f"<p style='margin:10px 0 2px 0; color:{muted}; font-weight:600'>{html.escape(section.title)}</p>")
        parts.append("<table cellspacing='0' cellpadding='3' width='100%'>")
        parts += [_row(fact, colors, pictures, sources=sources) for fact in section.rows]
        parts.append("</table>")
    return "".join(parts)


def _picture(chosen: Subject | None, pictures: Container[Subject], style: str = "vertical-align:middle") -> str:
    return (
        "" if chosen not in pictures or chosen is None else f"<img src='{html.escape(chosen.address)}' style='{style}'>"
    )


def _row(fact: Fact, colors: ThemeColors, pictures: Container[Subject], *, sources: bool) -> str:
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
        value += f" <span style='color:{muted}'>· {html.escape(fact.meaning)}</span>"
    color = "" if fact.before is None else f" bgcolor='{colors.changed}'"
    if fact.before is not None:
        value += f"<br><span style='color:{muted}'>before: {html.escape(fact.before)}</span>"
    why = html.escape(why_text(fact.why))
    if why:
        shown = f"{value}<br><span style='color:{muted}; font-size:small'>{why}</span>"
        value = shown if sources else f"<span title='{why}'>{value}</span>"
    line = f"border-bottom:1px solid {border}"
    if not fact.name:
        return f"<tr><td colspan='2'{color} style='{line}'>{value}</td></tr>"
    return (
        f"<tr><td width='41%'{color} style='color:{muted}; {line}'>{html.escape(fact.name)}</td>"
        f"<td{color} style='{line}'>{value}</td></tr>"
    )
