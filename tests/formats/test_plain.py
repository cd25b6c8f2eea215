from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats import same
from formats.binary import frozen
from formats.field import AreaData, MapMatrix, MessageBank
from formats.json_codec import PlainError, from_json, from_plain, hex_lines, to_json, to_plain


@dataclass(frozen=True)
class Small:
    number: int
    flag: bool = False


@dataclass(frozen=True, eq=False)
class Everything:
    name: str
    raw: bytes
    real: float
    pair: tuple[int, str]
    many: tuple[Small, ...]
    maybe: Small | None
    either: tuple[int, ...] | Small | None
    array: npt.NDArray[Any]


RECORDS = np.dtype([("a", "<u2"), ("v", "<i4", 3), ("f", "<f4")])
VALUE = Everything(
    "ü", b"\0\xff", 0.1, (1, "x"), (Small(1), Small(2, True)), None, Small(3), frozen([(1, (2, 3, 4), 0.5)], RECORDS)
)


def through_json(value: Any) -> Any:
    return from_plain(type(value), json.loads(json.dumps(to_plain(value), allow_nan=False)))


@pytest.mark.parametrize(
    "value",
    [
        VALUE,
        replace(VALUE, maybe=Small(7), either=(1, 2, 3)),
        replace(VALUE, either=None, raw=b"", many=()),
        *(replace(VALUE, real=real) for real in (math.inf, -math.inf, -0.0, 5e-324)),
        *(
            replace(VALUE, array=array)
            for array in (
                frozen([], "<u2"),
                frozen(np.zeros((0, 5)), "<i4"),
                frozen(np.arange(6).reshape(1, 2, 3), "<i8"),
                frozen([[1.5, -0.0], [math.nan, math.inf]], "<f4"),
                frozen([0.1, 1e30], "<f4"),
                frozen([True, False], "?"),
                frozen([0, 2**64 - 1], "<u8"),
                frozen([[(1, (2, 3, 4), math.nan)]], RECORDS),
                frozen([[(1, (2, 3, 4), 0.1)] * 2] * 3, RECORDS),
            )
        ),
    ],
)
def test_a_value_comes_back_from_its_plain_form(value: Everything) -> None:
    again = through_json(value)
    assert same(again, value)
    assert not again.array.flags.writeable


def test_not_a_number_comes_back() -> None:
    assert math.isnan(through_json(replace(VALUE, real=math.nan)).real)


@given(st.binary(), st.text(), st.integers(), st.floats(allow_nan=False))
def test_any_scalar_comes_back(raw: bytes, name: str, number: int, real: float) -> None:
    value = replace(VALUE, raw=raw, name=name, real=real, many=(Small(number),))
    assert same(through_json(value), value)


@pytest.mark.parametrize(
    "change, where",
    [
        ({"name": 1}, "name"),
        ({"raw": "?"}, "raw"),
        ({"real": "x"}, "real"),
        ({"real": True}, "real"),
        ({"pair": [1]}, "pair"),
        ({"pair": [1.5, "x"]}, "pair[0]"),
        ({"many": [{"number": True, "flag": False}]}, "many[0].number"),
        ({"many": [{"number": 1, "flag": 0}]}, "many[0].flag"),
        ({"many": [{"number": 1}]}, "many[0]"),
        ({"many": {}}, "many"),
        ({"maybe": []}, "maybe"),
        ({"more": 1}, "the value"),
        ({"array": []}, "array"),
        ({"array": {"dtype": "<u1", "values": [3, 256]}}, "array.values[1]"),
        ({"array": {"dtype": "<u1", "values": [-1]}}, "array.values[0]"),
        ({"array": {"dtype": "<u1", "values": [1.5]}}, "array.values[0]"),
        ({"array": {"dtype": [["a", "<u1"]], "values": [[1.5]]}}, "array.values[0]"),
        ({"array": {"dtype": [["a", "<u1"]], "values": [[256]]}}, "array.values[0]"),
        ({"array": {"dtype": "O", "values": [1]}}, "array"),
        ({"array": {"dtype": "<u1", "values": [1, [2]]}}, "array"),
        ({"array": {"dtype": "<u1", "values": [1, 2], "shape": [3]}}, "array"),
        ({"array": {"dtype": [["a", "<u1"]], "values": [[1, 2]]}}, "array.values[0]"),
        ({"array": {"dtype": "nonsense", "values": []}}, "array"),
        ({"array": {"dtype": "<u2", "base64": "AA=="}}, "array"),
    ],
)
def test_plain_data_of_another_shape_says_where(change: dict[str, Any], where: str) -> None:
    with pytest.raises(PlainError) as caught:
        from_plain(Everything, to_plain(VALUE) | change)
    assert str(caught.value).startswith(where + ":")


def test_what_has_no_plain_form_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        to_plain(object())
    with pytest.raises(TypeError):
        to_plain(np.array([object()]))


def test_json_names_its_type_and_keeps_records_on_a_line() -> None:
    area = AreaData(1, 2, 3, 4)
    text = to_json(area)
    assert json.loads(text) == {
        "type": "formats.field.area.AreaData",
        "value": {"prop_set": 1, "terrain_set": 2, "unused": 3, "light_set": 4},
    }
    assert from_json(text) == area
    matrix = MapMatrix("x", None, None, frozen([[1, 2], [3, 4]], "<u2"))
    assert "        [1, 2],\n        [3, 4]\n" in to_json(matrix)
    edited = from_json(to_json(matrix).replace("[3, 4]", "[3, 5]"))
    assert edited.land.tolist() == [[1, 2], [3, 5]]
    assert '      "one",\n      "two"\n' in to_json(MessageBank(1, ("one", "two")))


def test_bytes_may_be_lines_of_hexadecimal_digits() -> None:
    data = bytes(range(70))
    lines = hex_lines(data)
    assert [len(line) for line in lines] == [64, 64, 12]
    plain = to_plain(VALUE, lambda value: hex_lines(value) if isinstance(value, bytes) else None)
    assert plain["raw"] == hex_lines(VALUE.raw)
    assert to_plain(from_plain(Everything, plain)) == to_plain(VALUE)
    assert from_plain(Everything, plain | {"raw": lines}).raw == data
    with pytest.raises(PlainError, match=r"raw\[1\]: expected hexadecimal digits"):
        from_plain(Everything, plain | {"raw": ["00", "0"]})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"type": "os.system", "value": {}}',
        '{"type": "formats.json_codec.json", "value": {}}',
        '{"type": "formats.nowhere.Thing", "value": {}}',
        '{"type": "formats.field.area.AreaData", "value": []}',
        '{"type": 5, "value": []}',
        "[" * 100000,
    ],
)
def test_json_of_something_else_is_refused(text: str) -> None:
    with pytest.raises(PlainError):
        from_json(text)
