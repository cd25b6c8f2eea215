"""Damaged, truncated and foreign ROMs: every verb ends with a status and sentences, whatever is broken."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mapexplorer import World
from mapexplorer.games.platinum import PLATINUM

VERBS = (
    ("info",),
    ("maps",),
    ("show", "2"),
    ("height", "2", "10.5", "10.5"),
    ("where-used", "prop", "5"),
    ("encounters", "2"),
    ("find", "narc"),
    ("events", "2"),
    ("tile", "2", "10,10"),
    ("dump",),
    ("verify", "-j", "1"),
    ("extract", "prop:5", "-o"),
    ("table", "tiles", "2"),
    ("export", "2", "-o"),
    ("render", "2", "-o"),
)
ALWAYS = {"info", "maps", "verify"}
OUTPUTS = {"extract": "out.glb", "export": "out.glb", "render": "out.png"}


def archives() -> list[str]:
    return [path for path in World("demo").rom.files if path.endswith(".narc")]


def offset(path: str, image: bytes) -> int:
    return image.index(World("demo").rom.file(path))


def run(cli: Callable[..., Any], verb: tuple[str, ...], rom: Path, folder: Path) -> Any:
    words = [verb[0], rom, *verb[1:], *([folder / OUTPUTS[verb[0]]] if verb[-1] == "-o" else [])]
    ran = cli(*words)
    assert ran.status in (0, 1), (words, ran)
    assert ran.status == 0 or ran.err or "problem" in ran.out or "damaged" in ran.out, (words, ran)
    return ran


def test_truncated_images_are_told(cli: Callable[..., Any], demo_image: bytes, tmp_path: Path) -> None:
    rom = tmp_path / "cut.nds"
    lengths = [0, 1, 15, 16, 100, 511, *np.linspace(512, 0.98 * len(demo_image), 30).astype(int).tolist()]
    for length in lengths:
        rom.write_bytes(demo_image[:length])
        ran = cli("info", rom)
        assert ran.status == 1 and not ran.out and ran.err.count("\n") == 1
        assert "is truncated" in ran.err or "is not a DS ROM" in ran.err, (length, ran.err)


def test_other_games_are_named(cli: Callable[..., Any], demo_image: bytes, tmp_path: Path) -> None:
    rom = tmp_path / "other.nds"
    for title, code, name in ((b"POKEMON HG\0\0", b"IPKE", "HeartGold"), (b"POKEMON D\0\0\0", b"ADAE", "Diamond")):
        rom.write_bytes(title + code + demo_image[16:])
        ran = cli("maps", rom)
        assert ran.status == 1 and not ran.out and name in ran.err and ran.err.count("\n") == 1


@pytest.mark.parametrize("step", [2, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", ["magic", pytest.param("blocks", marks=pytest.mark.slow), "offsets"])
@pytest.mark.parametrize("path", archives())
def test_a_broken_archive_costs_only_what_needs_it(
    cli: Callable[..., Any], demo_image: bytes, tmp_path: Path, path: str, kind: str, step: int
) -> None:
    """With step 2, half of the verbs with a damaged magic number, and the others with damaged offsets."""
    verbs = VERBS[(kind == "offsets") % step :: step]
    image = bytearray(demo_image)
    start = offset(path, demo_image)
    size = len(World("demo").rom.file(path))
    if kind == "magic":
        image[start : start + 4] = b"XXXX"
    else:
        first, end = (16, 48) if kind == "blocks" else (28, 44)
        image[start + first : start + min(end, size)] = b"\xff" * (min(end, size) - first)
    rom = tmp_path / "broken.nds"
    rom.write_bytes(image)
    ends = {verb[0]: run(cli, verb, rom, tmp_path) for verb in VERBS if verb[0] in ALWAYS or verb in verbs}
    assert ends["verify"].status == 1
    assert path.rsplit("/", 1)[-1] in ends["verify"].out
    if kind != "offsets" and path in {**PLATINUM.needed, **PLATINUM.optional}:  # a file that the program uses
        assert ends["info"].status == 1 and f"damaged {path}" in ends["info"].out
        facts = json.loads(cli("info", rom, "--json").out)
        assert list(facts["damaged"]) == [path]
    assert ends["maps"].status == 0, ends["maps"].err


@pytest.mark.parametrize("images", [4, pytest.param(20, marks=pytest.mark.slow)])
def test_random_damage_never_ends_in_a_traceback(
    cli: Callable[..., Any], demo_image: bytes, tmp_path: Path, images: int
) -> None:
    random = np.random.default_rng(8)
    rom = tmp_path / "damaged.nds"
    statuses = {0: 0, 1: 0}
    for _ in range(images):
        image = np.frombuffer(demo_image, np.uint8).copy()
        places = random.integers(0x200, len(image), 40)
        image[places] = random.integers(0, 256, len(places))
        rom.write_bytes(image.tobytes())
        for verb in VERBS:
            statuses[run(cli, verb, rom, tmp_path).status] += 1
    assert min(statuses.values()) > images // 2, statuses


def test_a_missing_file_is_named_with_its_use(cli: Callable[..., Any], demo_image: bytes, tmp_path: Path) -> None:
    for path, use in PLATINUM.needed.items():
        name = path.rsplit("/", 1)[-1].encode()
        assert demo_image.count(name) == 1
        rom = tmp_path / "lacking.nds"
        rom.write_bytes(demo_image.replace(name, b"x" * len(name)))
        ran = cli("maps", rom)
        assert ran.status == 1 and not ran.out
        assert ran.err == f"{rom} lacks {path} ({use}): without it no map can be shown.\n"


@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_every_verb_works_without_a_file_that_may_be_absent(
    cli: Callable[..., Any], demo_image: bytes, tmp_path: Path, step: int
) -> None:
    """Each verb without some of the files, and each file with some of the verbs."""
    present = [path for path in PLATINUM.optional if World("demo").rom.has(path)]
    assert len(present) >= 8
    rom = tmp_path / "lacking.nds"
    for number, path in enumerate(present):
        name = path.rsplit("/", 1)[-1].encode()
        assert demo_image.count(name) == 1
        rom.write_bytes(demo_image.replace(name, b"x" * len(name)))
        assert path in json.loads(cli("info", rom, "--json").out)["missing"]
        for verb in VERBS[number % step :: step]:
            if verb[0] != "dump":
                assert run(cli, verb, rom, tmp_path).status == 0, (path, verb)
