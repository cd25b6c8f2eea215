"""GLSL: the pixels on the edges of polygons that the console draws, too, in pictures on its grid.

With edge marking the console draws every pixel that an edge passes through, also of a polygon that its rounded corners
leave without area. OpenGL draws those of which a polygon covers the sampled point, which is their upper left corner
here. The rest are strips along the edges, nearly a pixel wide: to the left of steep edges on the left, and above level
edges at the top. What is on a strip is what is on the edge.
"""

from __future__ import annotations

from typing import Final

from mapexplorer.opengl.shaders import VARYINGS


def _copied(qualifier: str, corner: str) -> str:
    """The assignments that hand on the values with a qualifier of a corner."""
    lines = [line.split(";")[0].split() for line in VARYINGS.splitlines()]
    names = [line[-1] for line in lines if line[0] == qualifier]
    return "".join(f"{name} = corners[{corner}].{name}; " for name in names)


EDGE_GEOMETRY: Final = f"""#version 330 core
layout(triangles) in;
layout(triangle_strip, max_vertices = 12) out;

uniform vec2 u_grid;

in {VARYINGS} corners[];
out {VARYINGS};

const float WIDTH = 1.0 - 1.0 / 32.0;  // of a strip in pixels: from one sampled point it reaches no other
const float HALF = 0.5;                // against numbers that are a hair beside a whole one

void emit(int corner, vec2 offset) {{
    vec4 place = gl_in[corner].gl_Position;
    gl_Position = place + vec4(offset * vec2(2.0, -2.0) / u_grid * place.w, 0.0, 0.0);
    {_copied("smooth", "corner")}
    {_copied("flat", "2")}
    v_stepped = 0;
    EmitVertex();
}}

void main() {{
    vec2 places[3];
    for (int i = 0; i < 3; i++) {{
        vec4 clip = gl_in[i].gl_Position;
        if (clip.w <= 0.0) return;
        places[i] = vec2(clip.x, -clip.y) / clip.w * 0.5 * u_grid;
    }}
    vec3 middle = corners[1].v_clip;
    float side = dot(middle, cross(corners[0].v_clip - middle, corners[2].v_clip - middle));
    int shown = corners[2].v_material.x >> 6;
    if (side < 0.0 && (shown & 2) == 0 || side > 0.0 && (shown & 1) == 0) return;
    vec2 first = places[1] - places[0], second = places[2] - places[0];
    float area = first.x * second.y - first.y * second.x;
    for (int i = 0; i < 3; i++) {{
        int next = (i + 1) % 3;
        vec2 along = places[next] - places[i];
        bool steep = abs(along.y) >= abs(along.x);
        float width = WIDTH;
        if (abs(area) > HALF) {{
            // The polygon must be to the right or below; an edge along a column or row needs no strip.
            if (area * (steep ? -along.y : along.x) <= 0.0 || abs(steep ? along.x : along.y) < HALF) continue;
            width = -WIDTH;
        }}
        vec2 offset = steep ? vec2(width, 0.0) : vec2(0.0, width);
        emit(i, vec2(0.0));
        emit(next, vec2(0.0));
        emit(i, offset);
        emit(next, offset);
        EndPrimitive();
    }}
}}
"""
"""The geometry shader that makes the strips of a triangle."""
