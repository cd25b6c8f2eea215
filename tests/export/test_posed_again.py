"""A node that the SBC poses more than once."""

from __future__ import annotations

from formats.nitro import sbc
from formats.nitro.node import Node
from mapexplorer.export.gltf.nitro import model_document
from tests.g3d.conftest import build_model

ONE = 4096


def test_parents_come_before_their_children() -> None:
    script = (
        (sbc.NODEDESC, 0, (0, 0, 0)), (sbc.NODEDESC, 0, (1, 0, 0)), (sbc.NODEDESC, 0, (0, 0, 0)), (sbc.NODE, 0, (1, 1)),
        (sbc.MAT, 0, (0,)), (sbc.SHP, 0, (0,)),
    )  # fmt: skip
    nodes = (Node("root", translation=(ONE, 0, 0)), Node("child", translation=(0, ONE, 0)))
    document, parts = model_document(build_model(sbc=script, nodes=nodes))
    assert [joint.parent for joint in parts.joints] == [None, 0, 1]
    assert document.to_bytes()
