"""How the state of the geometry engine is in arrays.

`state` is int64 (SIZE,) with the fields below, `matrices` int32 (5, 16) holds the current matrices, `stacks`
int32 (66, 16) the matrix stacks, `shininess` int32 (128,) the specular table, `slots` int64 (4, FIELDS) the
vertices of the primitive in assembly, `lists` int64 (2, CLIP_CAPACITY, FIELDS) the vertex lists of clipping.

Stored polygons are rows of an int32 (POLYGON_CAPACITY, 16) array, their corners rows of an int32 (CORNER_CAPACITY, 16)
array; a vertex that a strip shares is one corner row in each polygon, with the same number in the vertex store.
"""

from __future__ import annotations

from typing import Final

# Matrices (rows of `matrices`) and their stacks (first rows of `stacks`)
PROJECTION: Final = 0
POSITION: Final = 1
VECTOR: Final = 2
TEXTURE: Final = 3
CLIP: Final = 4
POSITION_STACK: Final = 0
VECTOR_STACK: Final = 32
PROJECTION_STACK: Final = 64
TEXTURE_STACK: Final = 65

# Fields of `state`
MATRIX_MODE: Final = 0
POSITION_POINTER: Final = 1
PROJECTION_POINTER: Final = 2
TEXTURE_POINTER: Final = 3
MATRIX_ERROR: Final = 4
LIST_OVERFLOW: Final = 5
CLIP_STALE: Final = 6
VERTEX_COLOR: Final = 7
RAW_S: Final = 10
RAW_T: Final = 11
TEXTURE_S: Final = 12
TEXTURE_T: Final = 13
VERTEX_X: Final = 14
PENDING_ATTR: Final = 17
ACTIVE_ATTR: Final = 18
TEXIMAGE_PARAM: Final = 19
PLTT_BASE: Final = 20
DIFFUSE: Final = 21
AMBIENT: Final = 24
SPECULAR: Final = 27
EMISSION: Final = 30
USE_SHININESS: Final = 33
VIEWPORT_LEFT: Final = 34
VIEWPORT_TOP: Final = 35
VIEWPORT_WIDTH: Final = 36
VIEWPORT_HEIGHT: Final = 37
PRIMITIVE: Final = 38
ASSEMBLED: Final = 39
PRIMITIVE_POLYGONS: Final = 40
PREDECESSOR: Final = 41
"""Row of the previous polygon of the strip, -1 if there is none."""
POLYGON_COUNT: Final = 42
VERTEX_COUNT: Final = 43
CORNER_COUNT: Final = 44
W_BUFFERING: Final = 45
SWAP_PARAMETER: Final = 46
ONE_DOT_LIMIT: Final = 47
RESULT_COUNT: Final = 48
STOPPED: Final = 49
LIGHTS: Final = 50
"""Four lights of LIGHT_FIELDS values: direction x, y, z, reciprocal, colour r, g, b."""
LIGHT_FIELDS: Final = 7
SIZE: Final = LIGHTS + 4 * LIGHT_FIELDS

# Why the execution of a command list stopped (STOPPED)
AT_END: Final = 0
AT_SWAP: Final = 1
RESULTS_FULL: Final = 2

# Fields of an assembled or clipped vertex: x, y, z, w, r, g, b (5.12), s, t, made by clipping, screen x, y, store index
COLOR_FIELD: Final = 4
COORDINATE_FIELD: Final = 7
CLIPPED_FIELD: Final = 9
SCREEN_FIELD: Final = 10
INDEX_FIELD: Final = 12
FIELDS: Final = 13
CLIP_CAPACITY: Final = 64
"""A pass adds at most one vertex for every two of its input, so that six passes make at most 42 of four."""

POLYGON_CAPACITY: Final = 2048
VERTEX_CAPACITY: Final = 6144
CORNER_CAPACITY: Final = VERTEX_CAPACITY + 2 * POLYGON_CAPACITY

# Columns of a stored polygon
FIRST_CORNER: Final = 0
CORNERS: Final = 1
POLYGON_ATTR: Final = 2
POLYGON_TEXIMAGE: Final = 3
POLYGON_PLTT: Final = 4
DEGENERATE: Final = 5
FRONT_FACING: Final = 6
TRANSLUCENT: Final = 7
SHADOW_MASK: Final = 8
SHADOW: Final = 9
TOP_VERTEX: Final = 10
BOTTOM_VERTEX: Final = 11
TOP_Y: Final = 12
BOTTOM_Y: Final = 13
SORT_KEY: Final = 14
W_BUFFERED: Final = 15

# Columns of a stored corner: 0-3 clip x, y, z, w; 4-6 colour (9 bit); 7-8 texture s, t
CORNER_W: Final = 3
CORNER_COLOR: Final = 4
CORNER_S: Final = 7
CORNER_T: Final = 8
SCREEN_X: Final = 9
SCREEN_Y: Final = 10
CORNER_DEPTH: Final = 11
NORMALIZED_W: Final = 12
MADE_BY_CLIPPING: Final = 13
STORE_INDEX: Final = 14
CORNER_POLYGON: Final = 15
