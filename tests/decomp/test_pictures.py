"""Texture sets of PNG pictures, as the build's list says."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping

import numpy as np
import pytest
from PIL import Image

from mapexplorer.decomp.files import FolderFiles
from mapexplorer.decomp.pictures import steps, texture_set
from mapexplorer.errors import SourceError

Tree = Callable[[Mapping[str, str | bytes]], FolderFiles]

BUILD = """
people = [
    { 'file': 'npc/twin.png', 'basename': 'babygirl1'},
]

sets += custom_target(
    input: files(
        'trees/first.png',
        'trees/second.png'
    ),
    output: 'tree.nsbtx',
    command: [
        packer, 'pack',
        '--texture', '@INPUT0@', '--name', 'seed.1', '--extract-palette', '--palette-suffix',
        '--texture', '@INPUT1@', '--name', 'seed.2',
        '@OUTPUT@'
    ],
)

foreach person : people
    sets += custom_target(
        input: files(person['file']),
        output: '@BASENAME@.nsbtx',
        command: [
            packer, 'pack', '--texture', '@INPUT@', '--name', person['basename'],
            '--spritesheet', '--frame-height', '8', '--extract-palette', '@OUTPUT@'
        ],
    )
endforeach

foreach index : range(2)
    sets += custom_target(
        input: files('dummy.png'),
        output: '@BASENAME@_' + index.to_string() + '.nsbtx',
        command: [
            packer, 'pack', '--texture', '@INPUT@', '--name', 'none',
            '--spritesheet', '--num-frames', '2', '--extract-palette', '--combined-palette', '--palette-suffix',
            '@OUTPUT@'
        ],
    )
endforeach
"""


def png(pixels: np.ndarray, colors: int, *, bits: int = 8, transparent: bool = False) -> bytes:
    image = Image.fromarray(pixels.astype(np.uint8), "P")
    image.putpalette([value for color in range(colors) for value in (8 * color, 0, 255)])
    made = io.BytesIO()
    image.save(made, "PNG", bits=bits, **({"transparency": 0} if transparent else {}))
    return made.getvalue()


def test_a_sheet_is_cut_into_frames(tree: Tree) -> None:
    sheet = np.arange(16 * 8).reshape(16, 8) % 16
    files = tree({"p/npc/twin.png": png(sheet, 16, bits=4, transparent=True)})
    made = texture_set(files, "p", steps(BUILD)["twin.nsbtx"]).textures
    assert [texture.name for texture in made.textures] == ["babygirl1.1", "babygirl1.2"]
    first = made.textures[0]
    assert (first.format, first.width, first.height, first.color0_transparent) == (3, 8, 8, True)
    assert first.texels[:4] == bytes.fromhex("10325476")
    assert [(palette.name, palette.flags) for palette in made.palettes] == [("babygirl1", 0)]
    assert made.palettes[0].colors[:3].tolist() == [0x7C00, 0x7C01, 0x7C02]


def test_a_picture_of_another_size_is_padded_and_palettes_are_split(tree: Tree) -> None:
    files = tree({"p/dummy.png": png(np.repeat([[0], [9]], 10, axis=0) * np.ones((1, 6)), 16)})
    made = texture_set(files, "p", steps(BUILD)["dummy_1.nsbtx"]).textures
    assert [(t.name, t.format, t.original_height, t.height, t.same_size) for t in made.textures] == [
        ("none.1", 3, 10, 16, False),
        ("none.2", 3, 10, 16, False),
    ]
    assert made.textures[1].texels == b"\x11" * 64
    assert [(palette.name, palette.colors[0]) for palette in made.palettes] == [
        ("none.1_pl", 0x7C00),
        ("none.2_pl", 0x7C08),
    ]


def test_pictures_of_a_step_have_names_of_their_own(tree: Tree) -> None:
    small = png(np.eye(8), 2, bits=1)
    files = tree({"p/trees/first.png": small, "p/trees/second.png": small})
    made = texture_set(files, "p", steps(BUILD)["tree.nsbtx"]).textures
    assert [texture.name for texture in made.textures] == ["seed.1", "seed.2"]
    assert [(palette.name, palette.flags, len(palette.colors)) for palette in made.palettes] == [("seed.1_pl", 1, 8)]


@pytest.mark.parametrize(
    ("contents", "why"),
    [
        (b"no picture", "p/npc/twin.png: this is no PNG picture of at most 1024 x 1024 pixels"),
        (png(np.zeros((9, 8)), 2), "p/npc/twin.png: 9 rows of pixels are not 1 frames of 8 rows"),
    ],
)
def test_a_picture_that_is_none_is_one_sentence(tree: Tree, contents: bytes, why: str) -> None:
    with pytest.raises(SourceError) as error:
        texture_set(tree({"p/npc/twin.png": contents}), "p", steps(BUILD)["twin.nsbtx"])
    assert str(error.value).startswith(why)
