"""GLSL: polygons of pictures on the console's grid, cut and divided as the geometry engine and the rasteriser do.

A polygon of three or four corners is cut at the sides of the view volume, its corners are rounded to whole pixels, and
it is divided in parts of lines between the same two edges. Each part is drawn as a rectangle, of which
`mapexplorer.opengl.span_shader` keeps the pixels of the polygon.
"""

from __future__ import annotations

from typing import Final

from mapexplorer.opengl.shaders import VARYINGS
from mapexplorer.opengl.span_shader import SPAN

_PARTS: Final = 6
"""Parts of a polygon at most: as many as fit into the components that a geometry shader must be able to write."""

POLYGON_GEOMETRY: Final = f"""#version 330 core
#define GRID
layout(lines_adjacency) in;
layout(triangle_strip, max_vertices = {4 * _PARTS}) out;

uniform vec2 u_grid;

in {VARYINGS} corners[];
out {SPAN};

const int MOST = 10;                     // corners of a quad that is cut at six sides

// Corners: x, y, z, w in fx32, texture coordinates, colours; before and after a cut.
vec4 clips[MOST], cut_clips[MOST];
vec2 coordinates[MOST], cut_coordinates[MOST];
vec3 colors[MOST], cut_colors[MOST];
ivec2 places[MOST];
int count;

bool outside(int i, int axis, float sign) {{
    return sign * clips[i][axis] > clips[i].w;
}}

// Add the corner between an outer and an inner one, on the side.
void cross_side(int added, int outer, int inner, int axis, float sign) {{
    float far = clips[outer].w - sign * clips[outer][axis], near = clips[inner].w - sign * clips[inner][axis];
    float part = far / (far - near);
    cut_clips[added] = clips[outer] + trunc((clips[inner] - clips[outer]) * part);
    cut_clips[added][axis] = sign * cut_clips[added].w;
    cut_coordinates[added] = coordinates[outer] + trunc((coordinates[inner] - coordinates[outer]) * part);
    cut_colors[added] = colors[outer] + trunc((colors[inner] - colors[outer]) * part);
}}

void cut(int axis, float sign) {{
    bool crossed = false;
    for (int i = 0; i < count; i++) crossed = crossed || outside(i, axis, sign);
    if (!crossed) return;
    int added = 0;
    for (int i = 0; i < count; i++) {{
        if (!outside(i, axis, sign)) {{
            cut_clips[added] = clips[i];
            cut_coordinates[added] = coordinates[i];
            cut_colors[added++] = colors[i];
            continue;
        }}
        int before = (i + count - 1) % count, after = (i + 1) % count;
        if (!outside(before, axis, sign)) cross_side(added++, i, before, axis, sign);
        if (!outside(after, axis, sign)) cross_side(added++, i, after, axis, sign);
    }}
    count = min(added, MOST);
    for (int i = 0; i < count; i++) {{
        clips[i] = cut_clips[i];
        coordinates[i] = cut_coordinates[i];
        colors[i] = cut_colors[i];
    }}
}}

ivec2 place_of(vec4 clip) {{
    int w = int(clip.w), halved = w > 0xFFFF ? 1 : 0;
    uvec2 shares = uvec2(ivec2(int(clip.x) + w, w - int(clip.y)) >> halved);
    return w > 0 ? ivec2(shares * uvec2(u_grid) / (uint(w) >> halved << 1)) : ivec2(0);
}}

int depth_of(vec4 clip) {{
    int z = int(clip.z), w = int(clip.w);
    if (w == 0) return 0x7FFE00;
    // The quotient of z by w with 14 bits of fraction in two steps of 7.
    int size = abs(z) << 7, rest = size % w << 7;
    int quotient = (size / w << 7) + rest / w;
    return clamp(((z < 0 ? -quotient : quotient) + 0x3FFF) * 0x200, 0, 0xFFFFFF);
}}

void main() {{
    int attributes = corners[0].v_material.x;
    if (gl_in[0].gl_Position == vec4(2.0, 2.0, 2.0, 1.0)) return;
    vec3 middle = corners[1].v_clip.xyw;
    vec3 first = corners[0].v_clip.xyw - middle, second = corners[2].v_clip.xyw - middle;
    float side = dot(middle, cross(first, second));
    if (side < 0.0 && (attributes & 0x80) == 0 || side > 0.0 && (attributes & 0x40) == 0) return;

    count = corners[3].v_clip == corners[2].v_clip ? 3 : 4;
    for (int i = 0; i < count; i++) {{
        clips[i] = corners[i].v_clip * 4096.0;
        coordinates[i] = round(corners[i].v_texcoord * 16.0 - 0.25);
        colors[i] = round((corners[i].v_color - 1.0) * 8.0);
    }}
    if ((attributes & 0x1000) == 0) {{
        for (int i = 0; i < count; i++) if (outside(i, 2, 1.0)) return;
    }}
    for (int axis = 2; axis >= 0; axis--) {{
        cut(axis, 1.0);
        cut(axis, -1.0);
    }}
    if (count < 3) return;

    int widest = 0, top = 0, bottom = 0;
    for (int i = 0; i < count; i++) {{
        places[i] = place_of(clips[i]);
        widest |= int(clips[i].w);
        if (places[i].y < places[top].y) top = i;
        bool lower = places[i].y == places[bottom].y && places[i].x > places[bottom].x;
        if (i == 0 || places[i].y > places[bottom].y || lower) bottom = i;
    }}
    int shift = -16;
    while (widest >> (shift + 16) != 0) shift += 4;
    int start = places[top].y, stop = places[bottom].y;
    ivec4 edges = ivec4(top);            // upper and lower corner of the left edge, then of the right one
    if (start == stop) {{
        edges = ivec4(0);
        ivec2 others = ivec2(1, count - 1);
        for (int i = 0; i < 2; i++) {{
            if (places[others[i]].x < places[edges.x].x) edges.xy = ivec2(others[i]);
            if (places[others[i]].x > places[edges.z].x) edges.zw = ivec2(others[i]);
        }}
        stop = start + 1;
    }}
    bool flat_polygon = places[top].y == places[bottom].y;
    for (int part = 0; part < {_PARTS} && start < stop; part++) {{
        int end = stop;
        for (int i = 0; i < 2 && !flat_polygon; i++) {{
            int forward = (side <= 0.0) == (i == 0) ? 1 : count - 1;
            for (int step = 0; step < count; step++) {{
                int next = edges[2 * i + 1];
                if (start < places[next].y || edges[2 * i] == bottom) break;
                edges[2 * i] = next;
                edges[2 * i + 1] = (next + forward) % count;
            }}
            end = min(end, places[edges[2 * i + 1]].y);
        }}
        end = max(end, start + 1);
        int low = 0x7FFF, high = 0;
        for (int i = 0; i < 4; i++) {{
            int corner = edges[i];
            ivec2 place = places[corner];
            low = min(low, place.x);
            high = max(high, place.x);
            s_places[i] = place.x | place.y << 16;
            s_widths[i] = shift < 0 ? int(clips[corner].w) << (-shift) : int(clips[corner].w) >> shift;
            s_depths[i] = depth_of(clips[corner]);
            ivec2 coordinate = ivec2(coordinates[corner]);
            s_coordinates[i] = coordinate.x & 0xFFFF | coordinate.y << 16;
            ivec3 color = ivec3(colors[corner]);
            s_colors[i] = color.x | color.y << 9 | color.z << 18;
        }}
        ivec4 places_of_edges = s_places, widths = s_widths, depths = s_depths, st = s_coordinates, shades = s_colors;
        for (int i = 0; i < 4; i++) {{
            s_places = places_of_edges;
            s_widths = widths;
            s_depths = depths;
            s_coordinates = st;
            s_colors = shades;
            v_wrap_s = corners[0].v_wrap_s;
            v_wrap_t = corners[0].v_wrap_t;
            v_material = corners[0].v_material;
            v_opacity = corners[0].v_opacity;
            s_attributes = int(corners[0].v_attributes * 255.0 + 0.5);
            s_lines = places[top].y | stop << 16;
            vec2 place = vec2((i & 1) == 0 ? low : high + 1, i < 2 ? start : end) / u_grid;
            gl_Position = vec4(place * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
            EmitVertex();
        }}
        EndPrimitive();
        start = end;
    }}
}}
"""
"""The geometry shader that makes the rectangles of a polygon."""
