"""What a process does to its surroundings: interrupts, pipes, poor terminals, full disks, devices, no display."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mapexplorer import World
from mapexplorer.export.batch import JOURNAL, MANIFEST

Start = Callable[..., subprocess.Popen[bytes]]
posix = pytest.mark.skipif(os.name != "posix", reason="signals, devices and pipes of POSIX")
CYRILLIC = {"PYTHONIOENCODING": "cp1251"}


@posix
def test_an_interrupted_export_leaves_complete_files_and_goes_on(
    command: Start, rom_path: Path, tmp_path: Path
) -> None:
    process = command("export", rom_path, "--all", "-o", tmp_path, "-j", "1")
    deadline = time.monotonic() + 60
    while len(list(tmp_path.glob("*.glb"))) < 5 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    files = sorted(tmp_path.glob("*.glb"))
    assert 5 <= len(files) < 576
    left = 576 - len(files)
    assert err.decode().splitlines() == [
        f"Interrupted: {len(files)} maps complete, {left} not written; --resume continues."
    ]
    assert {path.name for path in tmp_path.iterdir()} == {JOURNAL, *(path.name for path in files)}
    for file in files:
        data = file.read_bytes()
        assert data[:4] == b"glTF" and int.from_bytes(data[8:12], "little") == len(data)
    times = {file: file.stat().st_mtime_ns for file in files}
    again = command("export", rom_path, "--all", "-o", tmp_path, "-j", "1", "--resume")
    while len(list(tmp_path.glob("*.glb"))) < len(files) + 5 and time.monotonic() < deadline:
        time.sleep(0.02)
    again.send_signal(signal.SIGINT)
    again.communicate(timeout=60)
    kept = [file for file, moment in times.items() if file.stat().st_mtime_ns == moment]
    assert len(kept) >= len(files) - 1  # one may have been finished, but not yet noted


@posix
@pytest.mark.parametrize(
    ("verb", "closed"),
    [
        pytest.param(verb, closed, marks=[] if verb == "maps" or closed == (1, 2) else pytest.mark.slow)
        for verb in ("maps", "verify", "render")
        for closed in ((1,), (2,), (1, 2))
    ],
)
def test_closed_streams_are_no_error(
    command: Start, rom_path: Path, tmp_path: Path, verb: str, closed: tuple[int, ...]
) -> None:
    arguments = ("T01", "-o", tmp_path / "x.png") if verb == "render" else ()
    rom = "demo" if verb == "verify" else rom_path
    process = command(verb, rom, *arguments, preexec_fn=lambda: [os.close(number) for number in closed])
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0 and not err
    assert bool(out) == (1 not in closed)
    assert verb != "render" or (tmp_path / "x.png").read_bytes()[:4] == b"\x89PNG"


@posix
@pytest.mark.parametrize("arguments", [("maps",), ("show", "T01"), ("info", "--json"), ("verify", "-j", "1")])
def test_a_reader_that_goes_away_is_no_error_to_report(
    command: Start, rom_path: Path, arguments: tuple[str, ...]
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    if arguments[0] == "verify":
        rom: object = "demo"
    else:
        rom = rom_path
    process = command(arguments[0], rom, *arguments[1:], stdout=writer)
    os.close(writer)
    _, err = process.communicate(timeout=120)
    # As a program that SIGPIPE ends: `head` then is no failure of a script with `set -o pipefail` that knows it.
    assert process.returncode == 128 + signal.SIGPIPE and b"Traceback" not in err and b"Exception" not in err


def test_terminals_without_unicode_get_what_they_can_show(command: Start, rom_path: Path) -> None:
    out, err = command("info", rom_path, env=CYRILLIC).communicate(timeout=60)
    assert b"Pok?mon Platinum" in out and not err
    out, _ = command("info", rom_path, "--json", env=CYRILLIC).communicate(timeout=60)
    assert out.isascii() and json.loads(out.decode("cp1251"))["release"].startswith("Pokémon Platinum")
    path = "msgdata/pl_msg.narc#433"
    escaped, _ = command("dump", rom_path, path, env=CYRILLIC).communicate(timeout=60)
    plain, _ = command("dump", rom_path, path, env={"PYTHONIOENCODING": "utf-8"}).communicate(timeout=60)
    assert not plain.isascii()
    assert json.loads(escaped.decode("cp1251")) == json.loads(plain)


@pytest.mark.parametrize("arguments", [(), ("demo.nds",)])
def test_the_window_without_a_display_is_one_sentence(
    command: Start, demo_image: bytes, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    if os.name != "posix" or os.uname().sysname != "Linux":
        pytest.skip("only Linux can be without a display")
    (tmp_path / "demo.nds").write_bytes(demo_image)
    process = command(*arguments, cwd=tmp_path, env={"QT_QPA_PLATFORM": ""})
    out, err = process.communicate(timeout=60)
    assert process.returncode == 1 and not out
    assert err.count(b"\n") == 1 and b"there is no display" in err and b"--help" in err


@posix
def test_a_full_disk_is_named(cli: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = Path("/dev/full")
    if not full.is_char_device():
        pytest.skip("/dev/full does not exist")
    ran = cli("dump", "demo", "fielddata/maptable/mapname.bin", "-o", full)
    assert ran.status == 1 and ran.err == "/dev/full: the disk is full; free space or choose another folder.\n"
    assert full.is_char_device()


@posix
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_standard_output_on_a_full_disk(command: Start, unbuffered: str) -> None:
    if not Path("/dev/full").is_char_device():
        pytest.skip("/dev/full does not exist")
    with open("/dev/full", "wb") as full:
        process = command("maps", "demo", stdout=full, env={"PYTHONUNBUFFERED": unbuffered})
        _, err = process.communicate(timeout=60)
    assert process.returncode == 1 and b"disk is full" in err and b"Traceback" not in err


def test_a_map_that_cannot_be_written_fails_alone(
    cli: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import errno

    from mapexplorer.export import batch

    write = batch.write_atomically
    header = next(header for header in World("demo").headers if World("demo").place(header.id).cells)
    refused = batch.file_name(header.id, header.internal_name)

    def full(path: Path, data: bytes) -> Path:
        if path.name == refused:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        return write(path, data)

    monkeypatch.setattr(batch, "write_atomically", full)
    ran = cli("export", "demo", "--all", "-j", "1", "-o", tmp_path)
    assert ran.status == 1
    assert ran.err.startswith(f"{header.id} {header.internal_name}: failed, {refused}: the disk is full;")
    assert ran.last.endswith(" 1 failed.")
    manifest = json.loads((tmp_path / MANIFEST).read_text("utf-8"))
    assert manifest["counts"]["failed"] == 1 and str(tmp_path) not in json.dumps(manifest)
    monkeypatch.undo()
    again = cli("export", "demo", "--all", "-j", "1", "-o", tmp_path, "--resume")
    assert again.status == 0 and again.last.startswith("1 map written")


@posix
def test_a_pipe_is_written_to_and_not_replaced(cli: Callable[..., Any], tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()), daemon=True)
    reader.start()
    assert cli("dump", "demo", "fielddata/maptable/mapname.bin", "-o", pipe).status == 0
    reader.join(30)
    assert json.loads(received[0])["type"].endswith("MapNames")
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@posix
def test_a_place_that_nobody_may_write_to_is_named(cli: Callable[..., Any], tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o555)
    if os.geteuid() == 0:  # root may write there, but not make files in the kernel's own folder
        folder = Path("/sys")
    target = folder / "x.glb"
    ran = cli("export", "demo", "2", "-o", target)
    assert ran.status == 1 and ran.err.startswith(f"{target}: ") and "choose another" in ran.err
