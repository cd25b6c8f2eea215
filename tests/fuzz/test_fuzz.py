"""The files that `make fuzz` once found stay mended, and the fuzzer finds what it is made to find."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from formats.binary import FormatError, Notes, same
from formats.field import AreaLight, Bdhc, MapNames, ScriptFile
from formats.field.script import Command, Target
from mapexplorer.export.gltf.document import Document
from mapexplorer.system import kept_data
from tools.fuzz.__main__ import Watch, run_together
from tools.fuzz.case import BOUNDS, MEMORY, MODES, PLAIN, WHOLE, chance, make, mode_of
from tools.fuzz.corpus import read_corpus
from tools.fuzz.findings import Finding, Findings, packed, shrunk, unpacked
from tools.fuzz.mutation import edit
from tools.fuzz.present import PresentCase
from tools.fuzz.seeds import Seed, hand_built
from tools.fuzz.texts import Texts
from tools.fuzz.uses import write_document
from tools.fuzz.worker import Runner

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A runner on the project's own files alone, so that it is the same everywhere."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("MAPEXPLORER_TEST_ROM", raising=False)
        patch.delenv("MAPEXPLORER_VECTORS", raising=False)
        made = Runner(PLAIN, tmp_path_factory.mktemp("fuzz"))
    made.warm_up()
    return made


def test_what_was_found_stays_mended(runner: Runner) -> None:
    corpus = read_corpus()
    assert corpus
    for number, kept in enumerate(corpus):
        seed = runner.seeds[kept.kind][0]
        for key in range(4):
            assert not runner.problem(seed, kept.data, f"corpus {number} {key}"), kept.signature


def test_values_that_files_cannot_hold_are_refused() -> None:
    """Edits that once raised another error than ValueError, or gave a file that reads as another value."""
    by_kind = {seed.kind: seed.read(seed.data, []) for seed in hand_built()}
    heights: Bdhc = by_kind["Bdhc"]
    lights: AreaLight = by_kind["AreaLight"]
    script: ScriptFile = by_kind["ScriptFile"]
    for value in (
        replace(heights, strips=(replace(heights.strips[0], scanline=1 << 63), *heights.strips[1:])),
        replace(lights, blocks=(replace(lights.blocks[0], end=10**10), *lights.blocks[1:])),
        replace(script, entries=(Target(0, 1 << 40),)),
        replace(script, entries=(Target(0, 4096),)),
        ScriptFile((), (Command(2),), end_mark=False),
        MapNames(("a\0",)),
    ):
        with pytest.raises(ValueError, match=r"."):
            value.to_bytes()


def test_some_cases_of_every_kind(runner: Runner) -> None:
    changed = readable = 0
    for number in range(400):
        case = make(chance("test", number), runner.seeds)
        assert not runner.problem(case.seed, case.data, f"test {number}"), number
        changed += case.data != case.seed.data
        try:
            case.seed.read(case.data, [])
            readable += 1
        except FormatError:
            pass
    assert changed > 300 and readable > 200, (changed, readable)


def test_some_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of texts, folders, queries and names; those of an edited folder are as before."""
    monkeypatch.setattr(kept_data, "folder", kept_data.folder)
    monkeypatch.delenv("MAPEXPLORER_TEST_ROM", raising=False)
    texts = Texts(tmp_path)
    for number in range(300):
        texts.use(chance("test", number))
    before = {path: path.read_bytes() for path in (tmp_path / "texts" / "demo").rglob("*") if path.is_file()}
    assert len(before) > 2000


def test_edits_change_values() -> None:
    source, different = random.Random(1), 0
    for seed in hand_built():
        value = seed.read(seed.data, [])
        for _ in range(20):
            try:
                different += not same(edit(source, value), value)
            except ValueError:
                different += 1
    assert different > 400


def test_numbers_that_json_lacks_are_found() -> None:
    document = Document()
    document.node("model", translation=(1.0, 2.0, 3.0), extras={"texture": None})
    write_document(document)
    document.node("light", translation=(1.0, float("nan"), 3.0))
    with pytest.raises(AssertionError, match="null"):
        write_document(document)


def test_shares_of_the_modes() -> None:
    modes = [mode_of(number) for number in range(1000)]
    assert [modes.count(mode) for mode in (PLAIN, BOUNDS, MEMORY, WHOLE)] == [600, 250, 100, 50]
    assert set(MODES) == set(modes)


def _seed(read: Any) -> Seed:
    return Seed("planted", bytes(200), read, 0)


def test_planted_faults_are_found_and_reduced(runner: Runner, tmp_path: Path) -> None:
    def read(data: bytes, notes: Notes) -> Any:
        if data[50:51] == b"\x07":
            raise KeyError("a defect")
        raise FormatError("planted", 0, "a", "b")

    data = bytearray(random.Random(1).randbytes(200))
    data[50] = 7
    seed = _seed(read)
    signature = runner.problem(seed, bytes(data), "x")
    assert signature.startswith("KeyError")
    small = shrunk(bytes(data), seed.data, lambda new: runner.problem(seed, new, "x") == signature)
    assert small.count(0) >= len(small) - 1 and len(small) < 200
    findings = Findings(tmp_path / "found.jsonl")
    for number in range(3):
        findings.add(Finding(signature, "s", number, "planted", "", packed(small)))
    again = Findings(tmp_path / "found.jsonl").all
    assert [one.number for one in again] == [0] and unpacked(again[0].data) == small


@pytest.mark.parametrize(("way", "wanted"), [("os.abort()", "status -6"), ("time.sleep(999)", "hangs")])
def test_a_process_that_dies_or_hangs_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, wanted: str
) -> None:
    """The watch sees the end from outside, keeps the case, and continues behind it."""
    import tools.fuzz.__main__ as watching

    worker = (
        "import os, sys, time; from pathlib import Path; from tools.fuzz.present import PresentCase\n"
        "folder, first, end = Path(sys.argv[1]), int(sys.argv[3]), int(sys.argv[4])\n"
        "present = PresentCase(folder / 'present-plain')\n"
        "for number in range(first, end):\n"
        "    present.write(number, number + 1, b'case %d' % number)\n"
        f"    if number == 3: {way}\n"
        "(folder / 'next-plain').write_text(str(end))\n"
    )
    real = subprocess.Popen

    def start(words: list[str], **more: Any) -> Any:
        return real([sys.executable, "-X", "faulthandler", "-c", worker, *words[5:]], **more)

    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.setattr(watching, "HANG_SECONDS", 2.0)
    monkeypatch.chdir(ROOT)
    run_together([Watch(tmp_path, PLAIN, "s")], 10, 1)
    (found,) = Findings(tmp_path / "findings-plain.jsonl").all
    assert found.number == 3 and unpacked(found.data) == b"case 3" and wanted in found.signature + found.trace
    assert (tmp_path / "next-plain").read_text() == "10"


def test_the_present_case_remains(tmp_path: Path) -> None:
    PresentCase(tmp_path / "x").write(7, 3, b"bytes")
    assert PresentCase(tmp_path / "x").read() == (7, 3, b"bytes")
