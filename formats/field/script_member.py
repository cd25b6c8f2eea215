"""The members of scr_seq.narc: script files and initial script files, without a mark that tells them apart."""

from __future__ import annotations

from formats.binary import Buffer, FormatError, Notes, Reader
from formats.field.init_script import InitScriptFile
from formats.field.record import opened
from formats.field.script import ScriptFile


class ScriptMember:
    """Reads a member that nothing refers to by its contents; a reference to it says which of the two it is."""

    @staticmethod
    def from_bytes(data: Buffer, *, notes: Notes | None = None) -> ScriptFile | InitScriptFile:
        """An initial script file where the bytes are one to their end, else a script file. Raises FormatError when they
        are neither."""
        reader = Reader.of(data)
        noted: Notes = []
        try:
            value: ScriptFile | InitScriptFile = InitScriptFile.from_bytes(reader, notes=noted)
        except FormatError:
            noted.clear()
            value = ScriptFile.from_bytes(opened(reader, "script member"), notes=noted)
        if notes is not None:
            notes += noted
        return value
