"""Manifest, journal and folder of a batch export agree at every moment, and one run at a time writes into a folder."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from mapexplorer.export.batch import JOURNAL, MANIFEST, export_all
from mapexplorer.export.journal import append, begin, holds, known, locked
from mapexplorer.export.options import ExportOptions

PATIENCE = 120


def start(folder: Path, *more: str) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-m", "mapexplorer", "export", "demo", "--all", "-j", "2", "-o", str(folder), *more]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def contents(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


def recorded(folder: Path) -> tuple[list[dict[str, Any]], bool]:
    """The entries of a folder's files, and whether they are a manifest's; each must be true of its file."""
    complete = (folder / MANIFEST).exists()
    if complete:
        entries = json.loads((folder / MANIFEST).read_text("utf-8"))["maps"]
    elif (folder / JOURNAL).exists():
        lines = [line for line in (folder / JOURNAL).read_text("utf-8").splitlines() if line]
        entries = [json.loads(line) for line in lines[1:]]
    else:
        entries = []
    entries = [entry for entry in entries if "file" in entry]
    files = contents(folder) if folder.exists() else {}
    for entry in entries:
        assert files[entry["file"]] == entry["sha256"], entry["file"]
    return entries, complete


def test_an_interrupted_run_counts_what_is_in_the_folder(tmp_path: Path) -> None:
    def stop(*_: object) -> None:
        time.sleep(1)  # the other process goes on
        raise KeyboardInterrupt

    report = export_all("demo", tmp_path, jobs=2, progress=stop)
    entries, complete = recorded(tmp_path)
    assert report.interrupted and not complete
    assert sorted(entry["header"] for entry in report.written) == sorted(entry["header"] for entry in entries)
    assert len(report.written) + report.undone == 8


def test_the_manifest_of_another_run_goes_before_the_first_file(tmp_path: Path) -> None:
    export_all("demo", tmp_path, headers=[4, 6], jobs=1)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    report = export_all("demo", tmp_path, ExportOptions(second=0), headers=[4, 6], jobs=1, progress=stop)
    assert report.interrupted and not (tmp_path / MANIFEST).exists()
    assert [entry["header"] for entry in recorded(tmp_path)[0]] == [4]


def test_a_second_run_into_the_folder_is_refused(tmp_path: Path) -> None:
    with locked(tmp_path):
        ran = start(tmp_path)
        _, err = ran.communicate(timeout=PATIENCE)
        assert ran.returncode == 1
        assert f"Another export writes into {tmp_path}; wait until it has ended, or choose another folder." in err
    assert not list(tmp_path.iterdir())
    assert start(tmp_path).wait(PATIENCE) == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize("name", [MANIFEST, JOURNAL])
def test_records_of_something_else_are_passed_over(tmp_path: Path, name: str) -> None:
    """A pipe, a device, a link out of the folder, other types, and a file that is none."""
    (tmp_path / "folder").mkdir()
    identity, entry = {"rom": "x"}, {"header": 3, "file": "pipe", "sha256": ""}
    path = tmp_path / "folder" / name
    (tmp_path / "outside").write_text(json.dumps({**identity, "maps": [entry]} if name == MANIFEST else identity))
    for target in ("/dev/zero", tmp_path / "outside"):
        path.symlink_to(target)
        assert known(path.parent, identity) == {}
        path.unlink()
    for text in ("[" * 5000, '{"rom": "x", "maps": [[], {"header": []}, 5]}', '{"rom": "x"}\n[[\n5\n\xff', "\xff"):
        path.write_bytes(text.encode("latin-1"))
        assert known(path.parent, identity) == {}
    path.unlink()
    os.mkfifo(path)
    assert known(path.parent, identity) == {}
    os.mkfifo(path.parent / "pipe")
    assert not any(holds(path.parent, {**entry, "file": file}) for file in ("pipe", "a\0b", "../outside", "/dev/zero"))


def test_an_unfinished_line_spoils_no_other(tmp_path: Path) -> None:
    begin(tmp_path, {"options": 1}, [])
    append(tmp_path, {"header": 1, "file": "a", "sha256": ""})
    with open(tmp_path / JOURNAL, "a", encoding="utf-8") as file:
        file.write('\n{"header": 2, "fi')
    append(tmp_path, {"header": 3, "file": "c", "sha256": ""})
    assert sorted(known(tmp_path, {"options": 1})) == [1, 3]
    assert known(tmp_path, {"options": 2}) == {}
