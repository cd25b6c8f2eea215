"""GLSL: polygons of pictures on the console's grid, pixel by pixel as the rendering engine draws them.

A polygon is drawn line by line, between an edge on the left and one on the right. Values are interpolated along both
edges, then along the span between them, in integers, floored in every step. With edge marking every pixel of a span is
drawn, also of polygons that rounded corners leave without area; marked are pixels on edges only.
"""

from __future__ import annotations

from typing import Final

SPAN: Final = """Span {
    flat ivec4 s_places;           // upper and lower corner of the left edge, then of the right one: x, y in bits 16-31
    flat ivec4 s_widths;           // their w, in 16 bits
    flat ivec4 s_depths;
    flat ivec4 s_coordinates;      // s, t in bits 16-31
    flat ivec4 s_colors;           // 9 bits a channel
    flat ivec4 v_wrap_s;
    flat ivec4 v_wrap_t;
    flat ivec4 v_material;
    flat float v_opacity;
    flat int s_attributes;         // of its pixels, in 8 bits; those that are on no edge have no mark
    flat int s_lines;              // first line of the polygon and, in bits 16-31, the line after the last
}"""
"""What a polygon's lines between the same two edges hand on; names that begin with v are as in `shaders.VARYINGS`."""

SPAN_PIXEL: Final = """
uniform vec2 u_grid;

vec3 v_color;
vec2 v_texcoord;
float v_attributes;

// Values at a place on an edge or span.
struct End {
    int x;
    int increment;                 // of x with each line, with 18 bits of fraction
    int pixels;                    // of the line that belong to the edge
    int width;
    int depth;
    ivec2 coordinate;
    ivec3 color;
};

ivec2 coordinate_of(int packed_pair) {
    return ivec2(packed_pair << 16 >> 16, packed_pair >> 16);
}

ivec3 color_of(int packed_color) {
    return ivec3(packed_color & 511, packed_color >> 9 & 511, packed_color >> 18);
}

int floored(int numerator, int divisor) {
    return (numerator >= 0 ? numerator : numerator - divisor + 1) / divisor;
}

// A value between two others, by a factor of a power of two or as a share of a length.
int between(int first, int last, int factor, int shift, int share, int size, bool linear) {
    int change = last - first;
    return change == 0 ? first : first + (linear ? floored(change * share, size) : change * factor >> shift);
}

End mixed(End first, End last, int factor, int shift, int share, int size, bool linear) {
    End made = first;
    made.width = between(first.width, last.width, factor, shift, share, size, linear);
    for (int i = 0; i < 2; i++)
        made.coordinate[i] = between(first.coordinate[i], last.coordinate[i], factor, shift, share, size, linear);
    for (int i = 0; i < 3; i++)
        made.color[i] = between(first.color[i], last.color[i], factor, shift, share, size, linear);
    return made;
}

End corner_at(int number) {
    int place = s_places[number];
    ivec2 coordinate = coordinate_of(s_coordinates[number]);
    return End(place & 0xFFFF, 0, 1, s_widths[number], s_depths[number], coordinate, color_of(s_colors[number]));
}

// An edge on line y; `side`: 0 the left one, 1 the right one.
End edge_at(int side, int y) {
    End upper = corner_at(2 * side), lower = corner_at(2 * side + 1);
    int top = s_places[2 * side] >> 16, size = (s_places[2 * side + 1] >> 16) - top;
    int columns = abs(lower.x - upper.x), lines = y - top;
    bool negative = lower.x < upper.x;
    int increment = 0, start = 0;
    if (size > 0) increment = size == columns && columns != 1 ? 0x40000 : columns * (0x40000 / size);
    if (increment > 0x40000) {
        int first = negative == (side == 0) ? increment : 0;
        start = first + (side == 0 ? 0x20000 : negative ? 0x60000 : -0x20000);
    } else if (negative && increment != 0) {
        start = 0x40000;
    }
    int position = start + lines * increment, moved = position >> 18;
    int x = max(min(upper.x + moved, lower.x - 1), upper.x);
    if (negative) x = max(min(upper.x - moved, upper.x - 1), lower.x);
    int share = lines + (increment >= 0x40000 && negative == (side == 0) ? 1 : 0), factor = 0;
    bool linear = size == 0 || upper.width == lower.width && (upper.width & 0x7E) == 0;
    if (!linear) {
        int near = upper.width >> 1, rounded = upper.width + (upper.width & ~lower.width & 1) >> 1;
        int divisor = share * rounded + (size - share) * (lower.width >> 1);
        factor = int((uint(share * near) << 9) / uint(max(divisor, 1)));
    }
    End made = mixed(upper, lower, factor, 9, share, max(size, 1), linear);
    made.x = x;
    made.increment = increment;
    int neighbour = negative == (side == 0) ? position - increment : position + increment;
    if (increment > 0x40000) made.pixels = abs((neighbour >> 18) - moved);
    int change = abs(lower.depth - upper.depth), shift = 0;
    while (change >> shift > 0x3FF) shift++;
    int done = upper.depth < lower.depth ? share : size - share;
    uint product = uint(change >> shift) * uint(done * (0x400000 / max(size, 1)));
    made.depth = min(upper.depth, lower.depth) + (int(product >> 22) << shift);
    return made;
}

bool unseen() {
    return v_opacity == 0.0;
}

// Take the values at the fragment, which is discarded beside the span.
void take_pixel() {
    int x = int(gl_FragCoord.x), y = int(u_grid.y) - 1 - int(gl_FragCoord.y);
    End left = edge_at(0, y), right = edge_at(1, y);
    if (right.increment == 0 && (left.increment != 0 || left.x != right.x) && right.x != 0) right.x--;
    End first = left, last = right;
    if (left.x > right.x) {
        first = right;
        last = left;
        first.pixels = last.pixels = 1;
    }
    if (x < first.x || x > last.x) discard;
    bool edge = x < first.x + first.pixels || x > last.x - last.pixels;
    edge = edge || y == (s_lines & 0xFFFF) || y == (s_lines >> 16) - 1;
    v_attributes = float(edge ? s_attributes : s_attributes & 0x7F) / 255.0;
    int share = x - first.x, size = last.x + 1 - first.x, factor = 0;
    bool linear = first.width == last.width && (first.width & 0x7F) == 0;
    if (!linear) {
        int divisor = share * first.width + (size - share) * last.width;
        factor = int((uint(share * first.width) << 8) / uint(max(divisor, 1)));
    }
    End here = mixed(first, last, factor, 8, share, size, linear);
    int change = abs(last.depth - first.depth) >> 9;
    int done = (first.depth < last.depth ? share : size - share) * (0x400000 / size);
    int depth = min(first.depth, last.depth) + (change * (done >> 12) + (change * (done & 4095) >> 12) >> 1);
    gl_FragDepth = float(depth) / 16777215.0;
    v_color = vec3((here.color >> 3) + 1);
    v_texcoord = vec2(here.coordinate) / 16.0;
}
"""
"""The functions `take_pixel` and `unseen` of fragment shaders."""
