"""The shaders of the final pass: edge marking, then fog by GBATEK's integer formula.

The console mixes the colour of a marked edge with what is under the polygon. That is not kept here: on the console's
grid the surface beside the edge stands for it, at other sizes the polygon itself.

Software drivers read textures of four bytes a texel fastest. They take both ways of a branch, but leave a loop when no
pixel of a few needs it.
"""

from __future__ import annotations

from typing import Final

from mapexplorer.opengl.shaders import FOGGED, MARKABLE, POLYGON_ID

_EDGES: Final = f"""
uniform int u_width;               // of an edge, in pixels
uniform vec3 u_edge_colors[8];
uniform vec2 u_margin;             // square root of the least difference of depths, from the depth: factor and addend

int id_at(int x, int y) {{
    return int(texelFetch(u_colors, ivec2(x, y), 0).a * 255.0 + 0.5) & {POLYGON_ID};
}}

// Whether an edge of a polygon is marked, and the place of the farthest surface behind it.
bool on_edge(ivec2 place, int id, out ivec2 behind) {{
    ivec2 last = textureSize(u_colors, 0) - 1;
    ivec2 low = max(place - u_width, 0), high = min(place + u_width, last);
    ivec4 ids = ivec4(id_at(low.x, place.y), id_at(high.x, place.y), id_at(place.x, low.y), id_at(place.x, high.y));
    ivec2 lower = max(low - 1, 0), higher = min(high + 1, last);
    // West, east, south, north, and the place itself.
    ivec4 beyond = ids;
    vec4 depths = vec4(0.0);
    float depth = 0.0;
    // Software drivers leave a loop when no pixel of a few has an edge, but take both ways of a branch.
    int count = ids == ivec4(id) ? 0 : 5;
    for (int i = 0; i < count; i++) {{
        bvec4 one = equal(ivec4(i), ivec4(0, 1, 2, 3));
        int x = i == 0 ? low.x : i == 1 ? high.x : place.x;
        int y = i == 2 ? low.y : i == 3 ? high.y : place.y;
        depth = texelFetch(u_depths, ivec2(x, y), 0).x;
        depths = mix(depths, vec4(depth), one);
        x = i == 0 ? lower.x : i == 1 ? higher.x : place.x;
        y = i == 2 ? lower.y : i == 3 ? higher.y : place.y;
        beyond = ivec4(mix(vec4(beyond), vec4(id_at(x, y)), one));
    }}
    float margin = u_margin.x * depth + u_margin.y;
    bool edge = false;
    float farthest = 0.0;
    behind = place;
    for (int i = 0; i < 4; i++) {{
        // The console marks a polygon's border only. A surface that goes on behind the other one has none here: its
        // depth beside, continued from the opposite side, is not less than the other one's.
        float slope = ids[i ^ 1] == id ? max(depth - depths[i ^ 1], 0.0) : 0.0;
#ifdef CONSOLE
        slope = margin = 0.0;              // pixels that are not on a border are not marked
#endif
        bool meets = ids[i] != id && depth + slope + margin * margin < depths[i];
        // Not around a crack between polygons: what is beyond must be another surface, too.
        edge = edge || meets && (u_width == 1 || beyond[i] != id);
#ifdef CONSOLE
        if (!meets || depths[i] <= farthest) continue;
        farthest = depths[i];
        behind = ivec2(i == 0 ? low.x : i == 1 ? high.x : place.x, i == 2 ? low.y : i == 3 ? high.y : place.y);
#endif
    }}
    return edge;
}}

vec3 marked(vec3 color, ivec2 place, int id) {{
    vec3 edge = u_edge_colors[id >> 3];
    ivec2 behind;
#ifdef CONSOLE
    // Around the console's picture is the clear plane, and nothing is under the polygons there.
    bool bordered = any(equal(place, ivec2(0))) || any(equal(place, textureSize(u_colors, 0) - 1));
    if (bordered && id != {POLYGON_ID}) return edge;
#endif
    bool found = on_edge(place, id, behind);
#ifdef CONSOLE
    color = found ? texelFetch(u_colors, behind, 0).rgb : color;
#endif
    return found ? mix(color, edge, 17.0 / 32.0) : color;
}}
"""

_FOG: Final = """
uniform int u_fog;                 // DISP3DCNT's shift
uniform int u_fog_offset;
uniform vec3 u_fog_color;          // 0..63
uniform sampler2D u_fog_table;     // 33 entries: density i and the next one, 0 to 127
uniform vec4 u_fog_depth;          // z and w for the fog from the depth of the picture: factors, addends
uniform sampler2D u_fogless;       // 1 where there is no fog

float fog_level(float depth) {
    vec2 terms = u_fog_depth.xy * depth + u_fog_depth.zw;
    int z = clamp((int(terms.x / terms.y * 16384.0) + 0x3FFF) * 0x200, 0, 0xFFFFFF) - u_fog_offset * 0x200;
    uint depth_in_table = z < 0 ? 0u : uint(z >> 2) << u_fog;
    uint index = min(depth_in_table >> 17, 32u), part = index == 32u ? 0u : depth_in_table & 0x1FFFFu;
    uvec2 densities = uvec2(texelFetch(u_fog_table, ivec2(index, 0), 0).xy * 255.0 + 0.5);
    uint level = (densities.x * (0x20000u - part) + densities.y * part) >> 17;
    return level >= 127u ? 128.0 : float(level);
}

#ifdef SKY
uniform usamplerBuffer u_sky;      // the console's screen
uniform vec2 u_size;
uniform float u_pixel;
uniform float u_fog_alpha;

vec3 sky_at(ivec2 place) {
    vec2 from_middle = (vec2(place) + 0.5 - 0.5 * u_size) / u_pixel;
    ivec2 seen = ivec2(floor(vec2(128.0 + from_middle.x, 96.0 - from_middle.y)));
    seen = clamp(seen, ivec2(0), ivec2(255, 191));
    return vec3(texelFetch(u_sky, seen.y * 256 + seen.x).rgb) / 63.0;
}
#endif

vec3 fogged(vec3 color, ivec2 place, float depth) {
#ifdef MASKED
    if (texelFetch(u_fogless, place, 0).x > 0.0) return color;
#endif
    float level = fog_level(depth);
    // In 6 bits, rounded down; the addend is against sums that are a hair below a whole number.
    color = floor(color * 63.0 + 0.5);
    color = floor((u_fog_color * level + color * (128.0 - level)) / 128.0 + 0.001) / 63.0;
#ifdef SKY
    float alpha = floor((u_fog_alpha * level + 31.0 * (128.0 - level)) / 128.0 + 0.001);
    if (alpha < 31.0) color = mix(sky_at(place), color, (alpha + 1.0) / 32.0);
#endif
    return color;
}
"""


def final_fragment(*, edges: bool, fog: bool, masked: bool, sky: bool, console: bool) -> str:
    """The fragment shader of the final pass; `masked`: some pixels have no fog because of a blended polygon; `sky`: one
    is seen through the fog; `console`: the picture is on the console's grid."""
    marked = f"if ((attributes & {MARKABLE}u) != 0u) color = marked(color, place, int(attributes & {POLYGON_ID}u));"
    mist = f"""if ((attributes & {FOGGED}u) != 0u)
        color = fogged(color, place, texelFetch(u_depths, place, 0).x);"""
    return f"""#version 330 core
{"#define MASKED" if masked else ""}
{"#define SKY" if sky else ""}
{"#define CONSOLE" if console else ""}
uniform sampler2D u_colors;        // attributes in alpha
uniform sampler2D u_depths;
{_EDGES if edges else ""}{_FOG if fog else ""}
layout(location = 0) out vec4 o_color;

void main() {{
    ivec2 place = ivec2(gl_FragCoord.xy);
    vec4 own = texelFetch(u_colors, place, 0);
    uint attributes = uint(own.a * 255.0 + 0.5);
    vec3 color = own.rgb;
    {marked if edges else ""}
    {mist if fog else ""}
    o_color = vec4(color, 1.0);
}}
"""
