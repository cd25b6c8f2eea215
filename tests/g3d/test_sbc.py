"""The interpreter on synthetic scripts: what is executed when, in which order, with which material."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from formats.binary import FormatError, frozen
from formats.nitro import sbc as code
from formats.nitro.material import AMBIENT, DIFFUSE, Material, Pairing
from formats.nitro.model import ENVELOPE, Model
from formats.nitro.node import Node
from formats.nitro.sbc import Instruction, decode
from formats.nitro.shape import Shape
from formats.nitro.tex0 import Palette, Tex0, Texture
from mapexplorer.g3d import sbc
from mapexplorer.g3d.binding import Addresses, bind
from mapexplorer.g3d.draw_list import PROJECTION, SCREEN, UPRIGHT, draw_list, draw_pairs
from mapexplorer.g3d.material import GlobalState, MaterialResult, compose, raw

ONE = 4096
ALPHA_31 = 0x1F0000


def material(name: str, alpha: int = 31, **fields: Any) -> Material:
    return Material(name, polygon_attr=0x80 | alpha << 16, **fields)


def model(script: bytes | str, **fields: Any) -> Model:
    data = bytes.fromhex(script) if isinstance(script, str) else script
    shapes = tuple(Shape(f"s{i}", 0, frozen([], np.uint32)) for i in range(3))
    nodes = (Node("root"), Node("child", translation=(ONE, 0, 0)), Node("other"))
    values: dict[str, Any] = {
        "name": "m",
        "sbc_type": 0,
        "scaling_rule": 0,
        "texture_matrix_mode": 0,
        "first_unused_stack_slot": 1,
        "pos_scale": 4 * ONE,
        "inv_pos_scale": ONE // 4,
        "vertex_count": 0,
        "polygon_count": 0,
        "triangle_count": 0,
        "quad_count": 0,
        "box": (0,) * 6,
        "box_pos_scale": ONE,
        "box_inv_pos_scale": ONE,
        "nodes": nodes,
        "sbc": decode(data)[0],
        "materials": (material("a"), material("b"), material("clear", 0)),
        "texture_pairings": (),
        "palette_pairings": (),
        "shapes": shapes,
    }
    return Model(**(values | fields))


class Log:
    """A target that writes down what it is told."""

    def __init__(self) -> None:
        self.events: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Callable[..., None]:
        def note(*arguments: Any) -> None:
            self.events.append((name, *(getattr(value, "name", value) for value in arguments)))

        return note


def events(script: str, **options: Any) -> list[tuple[Any, ...]]:
    log = Log()
    sbc.run(model(script, envelopes=frozen(np.zeros(3, ENVELOPE))), log, **options)  # type: ignore[arg-type]
    return [event for event in log.events if event[0] != "node_description"]


def test_visibility_gates_matrix_material_shape() -> None:
    script = "020000 0300 0400 0500 020001 0300 0400 0500 01"
    assert events(script) == [
        ("node", 0, False),
        ("material", "a"),
        ("node", 0, True),
        ("matrix", 0),
        ("material", "a"),
        ("shape", 0, True),
    ]


def test_invisible_material_is_sent_only_when_it_changes() -> None:
    assert events("0400 020000 0400 0401 0401 01") == [("material", "a"), ("node", 0, False), ("material", "b")]


def test_alpha_zero_hides_shapes_until_the_next_material() -> None:
    assert events("0402 0500 0401 0500 01") == [("material", "b"), ("shape", 0, True)]


def test_everything_shows_what_is_hidden() -> None:
    assert events("020000 0300 0402 0500 01", everything=True) == [
        ("node", 0, False),
        ("matrix", 0),
        ("material", "clear"),
        ("shape", 0, False),
    ]


def test_evaluators_replace_visibility_and_materials() -> None:
    assert events("020001 0500 01", visibility=lambda node: False) == [("node", 0, False)]

    def fade(result: MaterialResult) -> None:
        result.polygon_attr &= ~ALPHA_31

    assert events("0400 0500 01", animators=[[fade], [], []]) == []


@pytest.mark.parametrize(
    ("script", "restore", "store"),
    [("06000000", None, None), ("2600000005", None, 5), ("4600000006", 6, None), ("660000000506", 6, 5)],
)
def test_slots_of_a_node_description(script: str, restore: int | None, store: int | None) -> None:
    log = Log()
    sbc.run(model(script + "01"), log)  # type: ignore[arg-type]
    ((name, node, parent, _, found_restore, found_store),) = log.events
    assert (name, node, parent) == ("node_description", 0, 0)
    assert (found_restore, found_store) == (restore, store)


def test_the_rest_of_the_opcodes() -> None:
    assert events("0B 2B 0700 47000A 67010203 0801 090502010008020180 0400 0C0000 0D0000 00 20 01") == [
        ("position_scale", 4 * ONE),
        ("position_scale", ONE // 4),
        ("billboard", 0, False, None, None),
        ("billboard", 0, False, 10, None),
        ("billboard", 1, False, 3, 2),
        ("billboard", 1, True, None, None),
        ("node_mix", 5, [(1, 0, 8), (2, 1, 128)]),
        ("material", "a"),
        ("environment_map", "a"),
        ("projection_map", "a"),
    ]


def test_scales_and_matrices_of_draws_wrap_as_words() -> None:
    script = "0B" * 4 + "06000000" + "06010000" * 3 + "0400 0500 01"
    huge = Node("root", scale=(0x7FFFFFFF,) * 3, inverse_scale=(1,) * 3)
    draws = draw_list(model(script, pos_scale=0x40000001, nodes=(huge, huge, huge)))
    (draw,) = draws.draws
    scale = ONE
    for _ in range(4):
        scale = (scale * 0x40000001 >> 12) & 0xFFFFFFFF
        scale -= scale >> 31 << 32
    assert draw.scale == scale
    assert all(-(1 << 31) <= element < 1 << 31 for element in draw.frame.position)


@pytest.mark.parametrize("script", ["0403", "0503", "06030000", "0A00000000 00000000", "0902 02 000040 0101C0"])
def test_what_the_model_lacks_is_refused(script: str) -> None:
    data = bytes.fromhex(script.replace(" ", "") + "01")
    with pytest.raises(FormatError, match="m > SBC > instruction 0"):
        sbc.run(model("01", sbc=decode(data)[0]), Log())  # type: ignore[arg-type]


def test_called_lists_are_named_by_index() -> None:
    log = Log()
    script = (Instruction(code.CALLDL, 0, (0,)), Instruction(code.RET, 0, ()))
    sbc.run(model("01", sbc=script, called_lists=(frozen([1], np.uint32),)), log)  # type: ignore[arg-type]
    assert log.events == [("call_list", 0)]


def test_draws_know_their_node_and_scale() -> None:
    draws = draw_list(model("2600000000 2601000001 020101 0B 0400 0500 2B 0401 0501 01"))
    assert [posed.node for posed in draws.nodes] == [0, 1]
    assert draws.nodes[1].parent is draws.nodes[0].frame
    first, second = draws.draws
    assert first.frame is draws.nodes[1].frame and first.frame.position[9:] == (ONE, 0, 0)
    assert (first.scale, second.scale) == (4 * ONE, ONE)
    assert (first.visibility, first.shown) == (1, True)
    assert set(first.slots) == {0, 1} and first.slots[0].node == 0


def test_billboards_and_effects_are_marked() -> None:
    draws = draw_list(model("06000000 0700 0400 0500 0800 0401 0D0100 0501 0400 0500 01"))
    assert [draw.frame.billboard for draw in draws.draws] == [SCREEN, UPRIGHT, UPRIGHT]
    assert [draw.effect for draw in draws.draws] == [None, PROJECTION, None]


def test_mixed_frames_blend_the_stored_ones() -> None:
    envelopes = np.zeros(3, ENVELOPE)
    envelopes["position"][:, :3] = np.eye(3) * ONE
    envelopes["normal"] = np.eye(3) * ONE
    script = "2600000000 2601000001 0902 02 000040 0101C0 0400 0500 01".replace(" ", "")
    draws = draw_list(model(script, envelopes=frozen(envelopes)))
    (draw,) = draws.draws
    assert draw.frame.node is None and [(frame.node, node) for frame, node, _ in draw.frame.terms] == [(0, 0), (1, 1)]
    assert draw.frame.position[9:] == (ONE * 3 // 4, 0, 0)


def test_pairs_ignore_nodes_and_global_state() -> None:
    draws = draw_pairs(model("01"), [(1, 0), (0, 1), (2, 2)])
    assert [(draw.material.name, draw.shape, draw.scale) for draw in draws.draws] == [
        ("b", 0, 4 * ONE),
        ("a", 1, 4 * ONE),
    ]


def test_composition_takes_what_the_material_owns() -> None:
    state = GlobalState(0x7FFF8000 | 5, 0x1234, 0x3F00000F)
    owned = Material("m", dif_amb=0x00010002, polygon_attr=0x80, flags=DIFFUSE)
    result = compose(owned, 0, state=state)
    assert result.dif_amb == 0x7FFF8002
    assert result.spe_emi == 0x1234
    assert result.polygon_attr == 0x80
    assert compose(Material("m", dif_amb=0x00010002, flags=AMBIENT), 0, state=state).dif_amb == 0x00018005
    assert raw(owned, 0).dif_amb == 0x00010002
    wire = compose(Material("m", polygon_attr=ALPHA_31, flags=0x20), 0)
    assert wire.alpha == 31 and wire.sent_polygon_attr == 0


def test_binding_by_name() -> None:
    texture = Texture("t", 3, 16, 8, True, 32, 8, bytes(64))
    sets = Tex0((texture,), (Palette("p", frozen([1] * 16, np.uint16)), Palette("four", frozen([2] * 8, np.uint16), 1)))
    subject = model(
        "01",
        materials=(Material("a", width=16, height=8), Material("b", width=16, height=8), Material("c")),
        texture_pairings=(Pairing("t", (0, 1)), Pairing("absent", (2,))),
        palette_pairings=(Pairing("p", (0,)), Pairing("four", (1,)), Pairing("T", (2,))),
    )
    binding = bind(subject, sets, addresses=Addresses(images=0x800, palettes=0x100))
    assert binding.missing_textures == ("absent",) and binding.missing_palettes == ("T",)
    first, second, third = binding.materials
    assert first is not None and second is not None and third is not None
    assert first.image_param == 0x100 | 1 << 20 | 3 << 26 | 1 << 29
    assert first.mag == (2 * ONE, ONE)
    assert (first.palette_base, second.palette_base) == (0x10, 0x20 + (32 >> 3))
    assert third.texture is None and third.palette is None
    later = bind(subject, Tex0((), ()), sets)
    assert later.materials[0] is not None and later.materials[0].texture is texture
