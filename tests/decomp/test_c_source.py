"""Tables of the program from C sources that are written here."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from formats.field.map_header import MapHeaderTable
from formats.field.program_tables import CAMERA, HIDDEN_ITEM, MART_ITEM, OBJECT_GRAPHICS
from mapexplorer.decomp.c_tables import program_table
from mapexplorer.decomp.enumerations import Enumerations
from mapexplorer.decomp.files import FolderFiles
from mapexplorer.decomp.preprocessor import Preprocessor
from mapexplorer.errors import SourceError
from mapexplorer.rom.rom import StatedTable

Write = Callable[[Mapping[str, str | bytes]], FolderFiles]


def table(files: FolderFiles, name: str) -> StatedTable:
    made = program_table(Preprocessor(Enumerations(files)), name)
    assert made is not None
    return made


FIELDS = """areaID, unk_01, matrix, scripts, initScripts, texts, day, night, encounters, events, label : 8, window : 8,
weather, camera, type : 7, battle : 5, bike : 1, running : 1, rope : 1, fly : 1"""
HEADERS = {
    "include/map_header.h": "#define NONE 0xFFFF\ntypedef struct MapHeader {\n"
    + "".join(f"    u16 {field.strip()};\n" for field in FIELDS.split(","))
    + "} MapHeader;\n",
    "generated/map_headers.txt": "MAP_HEADER_A\nMAP_HEADER_B\n",
    "include/data/map_headers.h": '#include "map_header.h"\n#include "generated/map_headers.h"\n'
    "enum Kind { TOWN = 3 };\nstatic const MapHeader sHeaders[] = {\n"
    "    [MAP_HEADER_B] = {\n        .areaID = 7, // the area\n        .encounters = NONE,\n        .type = TOWN,\n"
    "        .fly = TRUE,\n    },\n    [MAP_HEADER_A] = { .unk_01 = 1 << 2, .window = 9, .battle = 31 },\n};\n",
}


def test_map_headers(tree: Write) -> None:
    made = table(tree(HEADERS), "MAP_HEADERS")
    first, second = MapHeaderTable.from_bytes(made.data).headers
    assert (first.preload_list, first.label_window, first.battle_background, first.fly) == (4, 9, 31, False)
    assert (second.area, second.wild_encounters, second.map_type, second.fly) == (7, 0xFFFF, 3, True)
    file = "include/data/map_headers.h"
    assert made.origins[0] == ((file, 11),) * 21
    assert [made.origins[1][number] for number in (0, 1, 2, 9, 15, 20)] == [(file, n) for n in (5, 6, 5, 7, 8, 9)]


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        (".areaID = 7", ".areaIdx = 7", "line 6: areaIdx is no field of this table; did you mean areaID?"),
        (".areaID = 7", ".areaID = MAP_HEADER_C", "line 6: nothing defines MAP_HEADER_C; did you mean MAP_HEADER_B?"),
        (".areaID = 7", ".areaID = 700", "line 5: this row cannot be written: "),
        (".areaID = 7", ".areaID = {7}", "line 5: this row cannot be written: "),
        ("    },\n    [MAP_HEADER_A]", "    \n    [MAP_HEADER_A]", "line 4: the brace that begins here is not closed"),
        ("MAP_HEADER_A] =", "70000] =", "line 11: an array has no place 70000"),
        ("MAP_HEADER_A] =", "2] =", ": the table has no row 0"),
        ("MapHeader sH", "MapHead sH", ": there is no such file, and no other source has its table"),
    ],
)
def test_what_is_wrong_has_a_file_and_a_line(tree: Write, before: str, after: str, why: str) -> None:
    file = "include/data/map_headers.h"
    assert before in HEADERS[file]
    files = tree({**HEADERS, file: HEADERS[file].replace(before, after)})
    with pytest.raises(SourceError) as error:
        table(files, "MAP_HEADERS")
    assert str(error.value).startswith(f"{file}{'' if why[0] == ':' else ', '}{why}")


CAMERAS = """#include "camera.h"
#include "math_util.h"
#include <nitro.h>
typedef struct {
    fx32 distance;
    CameraAngle angle;
    u8 projection;
    u16 fov;
    fx32 near;
    fx32 far;
} Settings;
static const Settings sTypes[] = {
    [CAMERA_TYPE_A] = {
        .distance = FX32_CONST(1.5),
        .angle = { -F32_DEG_TO_IDX(90), 0, 1 },
        .projection = 1,
        .fov = F32_DEG_TO_IDX(8.0914306640625),
        .near = NEAR_CLIP,
        .far = FX32_ONE * 900,
    },
};
"""
CAMERA_HEADER = """#define NEAR_CLIP (FX32_ONE * 150)
enum CameraType { CAMERA_TYPE_A, CAMERA_TYPE_B };
"""


def test_cameras_have_fixed_point_numbers_and_angles(tree: Write) -> None:
    files = tree(
        {
            "include/math_util.h": "#define F32_DEG_TO_IDX(degrees) FX_DEG_TO_IDX(FX32_CONST(degrees))\n",
            "include/camera.h": CAMERA_HEADER,
            "src/overlay005/field_camera.c": CAMERAS,
        }
    )
    made = table(files, "CAMERAS")
    expected = np.array([(6144, 49152, 0, 1, 0, 1, 0, 1473, 614400, 3686400)], CAMERA)
    assert made.data == expected.tobytes()
    assert made.origins[0][:3] == tuple(("src/overlay005/field_camera.c", line) for line in (13, 14, 15))


OBJECTS = """#include "generated/object_events_gfx.h"
#include "gfx.h"
#include "res/sprites/sprites.naix"
const Other sOther[] = { { OBJ_EVENT_GFX_A, &sX } };
const Pair sPairs[] = {
    // people
    { OBJ_EVENT_GFX_A, a_nsbtx },
    { GROWN, tree_nsbtx },
};
"""
OBJECT_HEADER = """#define ID(name) ITEM_##name
enum { ITEM_B = 2 };
#define GROWN (OBJ_EVENT_GFX_TREE + ID(B) * 3)
"""


def test_a_table_is_found_where_its_file_was_renamed(tree: Write) -> None:
    """Graphics of objects, with macros in macros, in another file than the usual one."""
    files = tree(
        {
            "generated/object_events_gfx.txt": "OBJ_EVENT_GFX_A\nOBJ_EVENT_GFX_TREE\n",
            "res/sprites/sprites.order": "a.nsbtx\ntree.nsbtx\n",
            "include/gfx.h": OBJECT_HEADER,
            "src/overlay005/objects.c": OBJECTS,
        }
    )
    made = table(files, "OBJECT_GRAPHICS")
    assert made.data == np.array([(0, 0), (7, 1)], OBJECT_GRAPHICS).tobytes()
    assert made.origins == ((("src/overlay005/objects.c", 7),), (("src/overlay005/objects.c", 8),))


HIDDEN = """#include "generated/items.h"
typedef struct HiddenItem {
    u16 item; //< given
    u8 qty;
    u8 range;
    u16 pad;
    u16 script;
} HiddenItem;
#define START 700
#define ENTRY(a, b, c) \\
    { \\
        .item = a, .qty = b, .pad = 0, .script = c - START \\
    }
const HiddenItem gHiddenItems[] = {
    ENTRY(ITEM_A, 2, 705),
    ENTRY(ITEM_C, 1, 700),
};
"""
MARTS = """#include "generated/items.h"
#include "constants/shop.h"
const u16 FirstShop[] = {
    ITEM_A,
    ITEM_C,
    SHOP_ITEM_END
};
const u16 SecondShop[] = { ITEM_B, SHOP_ITEM_END };
const u16 *PokeMartSpecialties[] = {
    [1] = FirstShop,
    [0] = SecondShop,
};
"""


def test_items(tree: Write) -> None:
    """Hidden items by a macro of several lines, and the lists of shops by the table of pointers."""
    files = tree(
        {
            "generated/items.txt": "ITEM_NONE\nITEM_A\nITEM_B\nITEM_C\n",
            "include/constants/shop.h": "#define SHOP_ITEM_END 0xFFFF\n",
            "include/data/field/hidden_items.h": HIDDEN,
            "include/data/mart_items.h": MARTS,
        }
    )
    hidden = table(files, "HIDDEN_ITEMS")
    assert hidden.data == np.array([(1, 2, 0, 0, 5), (3, 1, 0, 0, 0)], HIDDEN_ITEM).tobytes()
    assert hidden.origins[1][0] == ("include/data/field/hidden_items.h", 16)
    marts = table(files, "SPECIAL_MARTS")
    assert marts.data == np.array([2, 0xFFFF, 1, 3, 0xFFFF], MART_ITEM).tobytes()
    assert marts.origins[3] == (("include/data/mart_items.h", 5),)
    assert program_table(Preprocessor(Enumerations(files)), "ABSENT") is None
