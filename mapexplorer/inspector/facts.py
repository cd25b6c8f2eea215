"""What the inspector shows of a thing: fields with their meaning, why they are so, and what they lead to."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

from mapexplorer.inspector.subject import Subject


@dataclass(frozen=True)
class Fact:
    """One field: its name, value, meaning in words, why it is so (provenance), and what it leads to."""

    name: str
    value: str
    meaning: str = ""
    why: str = ""
    link: Subject | None = None
    color: tuple[int, int, int] | None = None


@dataclass(frozen=True)
class Section:
    """Facts under a heading."""

    title: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Span:
    """A field of a file: where it lies in the bytes, its name and its value."""

    start: int
    length: int
    name: str
    value: str


@dataclass(frozen=True, eq=False)
class RawBytes:
    """The bytes of a thing: `path` in the ROM, the bytes, at which offset of the file they begin, and their fields."""

    path: str
    data: bytes
    offset: int
    spans: tuple[Span, ...]


@dataclass(frozen=True, eq=False)
class Description:
    """Everything that is known about a subject."""

    subject: Subject
    title: str
    subtitle: str
    sections: tuple[Section, ...]
    raw: RawBytes | None = None

    def followed_by(self, other: Description) -> Description:
        """With the sections of another description behind its own."""
        return Description(self.subject, self.title, self.subtitle, (*self.sections, *other.sections), self.raw)

    def text(self) -> str:
        """As plain text."""
        lines = [self.title, self.subtitle] if self.subtitle else [self.title]
        for section in self.sections:
            lines += ["", section.title]
            for fact in section.facts:
                meaning = f" ({fact.meaning})" if fact.meaning else ""
                why = f"  [{fact.why}]" if fact.why else ""
                lines.append(
                    f"  {fact.name}: {fact.value}{meaning}{why}" if fact.name else f"  {fact.value}{meaning}{why}"
                )
        return "\n".join(lines) + "\n"

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "kind": self.subject.kind,
            "key": list(self.subject.key),
            "title": self.title,
            "subtitle": self.subtitle,
            "sections": {
                section.title: [
                    {
                        key: value
                        for key, value in (
                            ("name", fact.name), ("value", fact.value), ("meaning", fact.meaning), ("why", fact.why),
                            ("link", fact.link.address if fact.link else ""),
                        )
                        if value
                    }
                    for fact in section.facts
                ]
                for section in self.sections
            },
        }  # fmt: skip

    def html(self, muted: str, accent: str, border: str, raised: str) -> str:
        """As the rich text of the inspector, in the given colours."""
        parts = [f"<div style='font-size:large; font-weight:600'>{html.escape(self.title)}</div>"]
        if self.subtitle:
            parts.append(f"<div style='color:{muted}'>{html.escape(self.subtitle)}</div>")
        for section in self.sections:
            if not section.facts:
                continue
            parts.append(
                f"<p style='margin:10px 0 2px 0; color:{muted}; font-weight:600'>{html.escape(section.title)}</p>"
            )
            parts.append("<table cellspacing='0' cellpadding='3' width='100%'>")
            parts += [_row(fact, muted, accent, border) for fact in section.facts]
            parts.append("</table>")
        return "".join(parts)


def _row(fact: Fact, muted: str, accent: str, border: str) -> str:
    value = html.escape(fact.value).replace("\n", "<br>")
    if fact.link is not None:
        value = f"<a href='{html.escape(fact.link.address)}' style='color:{accent}; text-decoration:none'>{value}</a>"
    if fact.color is not None:
        rgb = "#{:02x}{:02x}{:02x}".format(*fact.color)
        value = f"<span style='background:{rgb}; color:{rgb}'>&nbsp;&nbsp;&nbsp;</span> {value}"
    if fact.meaning:
        value += f" <span style='color:{muted}'>{html.escape(fact.meaning)}</span>"
    if fact.why:
        value += f"<br><span style='color:{muted}; font-size:small'>{html.escape(fact.why)}</span>"
    line = f"border-bottom:1px solid {border}"
    if not fact.name:
        return f"<tr><td colspan='2' style='{line}'>{value}</td></tr>"
    return (
        f"<tr><td width='36%' style='color:{muted}; {line}'>{html.escape(fact.name)}</td>"
        f"<td style='{line}'>{value}</td></tr>"
    )
