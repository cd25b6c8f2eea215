"""The shaders of the field: the DS geometry and rendering engines' arithmetic in GLSL 3.30.

Lighting and modulation are the integer formulas of GBATEK. Buffers of words replace vertex state: an instance says
where its materials and matrices begin, a vertex which of them are its own.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from mapexplorer.opengl.span_shader import SPAN, SPAN_PIXEL

LIGHT_SLOTS: Final = 8
LAYER_COUNT: Final = 4
BIASED: Final = 256

MARKABLE: Final = 0x80
FOGGED: Final = 0x40
POLYGON_ID: Final = 0x3F
"""The attributes of a pixel, which the alpha of the field's colours holds: whether edges are marked on it, whether it
has fog, and its polygon id."""

VARYINGS: Final = """Varyings {
    smooth vec3 v_color;
    smooth vec2 v_texcoord;
    smooth float v_distance;
#ifdef GRID
    smooth vec4 v_clip;            // the position in clip space
#endif
    flat ivec4 v_wrap_s;           // lowest and highest place, bit that mirrors, bits of a place
    flat ivec4 v_wrap_t;
    flat ivec4 v_material;         // POLYGON_ATTR, its alpha, first texel, logarithm of the texels of a row
    flat uvec4 v_source;           // instance + 1, draw, layer
    flat float v_opacity;
    flat float v_attributes;
}"""
"""What the shaders of the field hand on; GRID is defined for pictures on the console's grid."""

_FIELD_VERTEX: Final = f"""layout(location = 0) in vec3 a_position;
layout(location = 1) in ivec2 a_texcoord;
layout(location = 2) in uint a_normal;
layout(location = 3) in uint a_color;
layout(location = 4) in uint a_rows;
layout(location = 5) in uint a_instance;

uniform usamplerBuffer u_instances;
uniform usamplerBuffer u_materials;
uniform usamplerBuffer u_matrices;
uniform usamplerBuffer u_visible;
uniform int u_first;               // first entry of u_visible, -1: the vertex names its instance
uniform mat3 u_view;               // world to view, without the eye's place
uniform mat4 u_projection;
uniform ivec3 u_view_rows[3];      // the same rotation, fx32, rows of v' = v M
uniform ivec4 u_lights[{4 * LIGHT_SLOTS}];       // direction in view space and reciprocal, four for each light set
uniform uvec4 u_light_colors[{LIGHT_SLOTS}];
uniform uvec4 u_area[{LIGHT_SLOTS}];             // DIF_AMB, SPE_EMI, recolours
uniform float u_bias;
uniform float u_opacity[{LAYER_COUNT}];
uniform bool u_magenta;

out {VARYINGS};

ivec4 wrapping(int size, bool repeat, bool mirror) {{
    return ivec4(repeat ? -32768 : 0, repeat ? 32767 : size - 1, repeat && mirror ? size : 0, size - 1);
}}

int signed_field(int value, int bits) {{
    return (value << (32 - bits)) >> (32 - bits);
}}

ivec3 rgb(uint word) {{
    return ivec3(word & 31u, word >> 5 & 31u, word >> 10 & 31u);
}}

ivec3 lit(ivec3 rows0, ivec3 rows1, ivec3 rows2, uint dif_amb, uint spe_emi, uint enabled, int slot) {{
    ivec3 n = ivec3(signed_field(int(a_normal), 10), signed_field(int(a_normal >> 10), 10),
        signed_field(int(a_normal >> 20), 10));
    ivec3 normal = (n.x * rows0 + n.y * rows1 + n.z * rows2) >> 12;
    for (int j = 0; j < 3; j++) normal[j] = signed_field(normal[j], 11);
    ivec3 diffuse = rgb(dif_amb), ambient = rgb(dif_amb >> 16);
    ivec3 specular = rgb(spe_emi), emission = rgb(spe_emi >> 16);
    ivec3 sum = emission << 14;
    for (int i = 0; i < 4; i++) {{
        if ((enabled >> i & 1u) == 0u) continue;
        ivec4 light = u_lights[4 * slot + i];
        ivec3 products = (light.xyz * normal) >> 9;
        int level = products.x + products.y + products.z;
        int shine = 0;
        int diffuse_level = 0;
        if (level > 0) {{
            diffuse_level = signed_field(level, 11);
            int k = signed_field(level + normal.z, 11);
            k = k * k >> 10 & 0x3FF;
            shine = (k * light.w >> 8) - 512;
            shine = shine < 0 ? 0 : clamp(signed_field(shine, 14), 0, 511);
        }}
        if ((spe_emi & 0x8000u) != 0u) shine = 0;  // the field never loads the shininess table
        ivec3 color = rgb(u_light_colors[slot][i]);
        sum += (diffuse * color * diffuse_level & 0xFFFFF) + (specular * shine + (ambient << 9)) * color;
    }}
    return ivec3(min(uvec3(sum) >> 14, uvec3(31u)));
}}

#ifdef GRID
uniform isamplerBuffer u_clip_matrices;

// A position in fx32 under a clip matrix, floored once, with products of 32 bits.
ivec4 clip_position(int row, ivec3 position) {{
    ivec4 x = texelFetch(u_clip_matrices, row), y = texelFetch(u_clip_matrices, row + 1);
    ivec4 z = texelFetch(u_clip_matrices, row + 2);
    ivec4 high = position.x * (x >> 12) + position.y * (y >> 12) + position.z * (z >> 12);
    ivec4 low = position.x * (x & 4095) + position.y * (y & 4095) + position.z * (z & 4095);
    return high + (low >> 12) + texelFetch(u_clip_matrices, row + 3);
}}
#endif

void main() {{
    int instance = u_first < 0 ? int(a_instance) : int(texelFetch(u_visible, u_first + gl_InstanceID).x);
    uvec4 place = texelFetch(u_instances, 3 * instance);
    uvec4 size = texelFetch(u_instances, 3 * instance + 1);
    uvec4 more = texelFetch(u_instances, 3 * instance + 2);
    int material = 4 * (int(place.w) + int(a_rows & 0xFFFFu));
    int matrix = 6 * (int(size.w) + int(a_rows >> 16));
    uvec4 words = texelFetch(u_materials, material);
    uvec4 picture = texelFetch(u_materials, material + 1);
    v_source = uvec4(uint(instance) + 1u, a_rows & 0xFFFFu, more.x & 255u, 0u);

    vec4 column0 = uintBitsToFloat(texelFetch(u_matrices, matrix));
    vec4 column1 = uintBitsToFloat(texelFetch(u_matrices, matrix + 1));
    vec4 column2 = uintBitsToFloat(texelFetch(u_matrices, matrix + 2));
    uvec4 vector0 = texelFetch(u_matrices, matrix + 3);
    uvec4 vector1 = texelFetch(u_matrices, matrix + 4);
    ivec4 vector2 = ivec4(texelFetch(u_matrices, matrix + 5));
    vec3 base = uintBitsToFloat(place.xyz);
    vec3 scale = uintBitsToFloat(size.xyz);
    vec3 view;
    if (vector0.w == 0u) {{
        vec4 point = vec4(a_position, 1.0);
        view = u_view * (vec3(dot(column0, point), dot(column1, point), dot(column2, point)) * scale + base);
    }} else {{
        vec3 middle = u_view * (vec3(column0.w, column1.w, column2.w) * scale + base);
        vec3 x = u_view * (vec3(column0.x, column1.x, column2.x) * scale);
        vec3 y = u_view * (vec3(column0.y, column1.y, column2.y) * scale);
        vec3 z = u_view * (vec3(column0.z, column1.z, column2.z) * scale);
        vec3 size_of = vec3(length(x), length(y), length(z)) * a_position;
        if (vector0.w == 1u) {{
            view = middle + size_of;
        }} else {{
            vec3 up = normalize(y);
            view = middle + vec3(size_of.x, 0.0, 0.0) + up * size_of.y + vec3(0.0, -up.z, up.y) * size_of.z;
        }}
    }}
    vec4 clip = u_projection * vec4(view, 1.0);
    if ((more.x & {BIASED}u) != 0u) clip.z += u_bias;
    v_distance = view.z;
#ifdef GRID
    ivec3 position = ivec3(round(a_position * (4096.0 * 4096.0 / float(vector2.w))));
    clip = vec4(clip_position(4 * (int(more.y) + int(a_rows >> 16)), position)) / 4096.0;
    v_clip = clip;
#endif
    gl_Position = clip;
    if ((words.z & 128u) != 0u) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);

    int slot = int(words.z >> 12 & 15u);
    uint dif_amb = words.x, spe_emi = words.y;
    uvec4 area = u_area[slot];
    uint own = (words.z & 15u);
    if (area.z != 0u && (words.z & 16u) == 0u) own = 0u;
    uint keep = ((own & 1u) != 0u ? 0x7FFFu : 0u) | ((own & 2u) != 0u ? 0x7FFF0000u : 0u) | 0x8000u;
    dif_amb = area.x & ~keep | dif_amb & keep;
    keep = ((own & 4u) != 0u ? 0x7FFFu : 0u) | ((own & 8u) != 0u ? 0x7FFF0000u : 0u) | 0x8000u;
    spe_emi = area.y & ~keep | spe_emi & keep;

    ivec3 color;
    uint source = a_color >> 16 & 3u;
    if (source == 2u) {{
        ivec3 rows0 = u_view_rows[0], rows1 = u_view_rows[1], rows2 = u_view_rows[2];
        if (vector1.w == 0u) {{
            ivec3 a = ivec3(vector0.xyz), b = ivec3(vector1.xyz), c = vector2.xyz;
            rows0 = (a.x * u_view_rows[0] + a.y * u_view_rows[1] + a.z * u_view_rows[2]) >> 12;
            rows1 = (b.x * u_view_rows[0] + b.y * u_view_rows[1] + b.z * u_view_rows[2]) >> 12;
            rows2 = (c.x * u_view_rows[0] + c.y * u_view_rows[1] + c.z * u_view_rows[2]) >> 12;
        }}
        if (vector0.w != 0u) {{
            rows0 = ivec3(4096, 0, 0);
            rows1 = ivec3(0, 4096, 0);
            rows2 = ivec3(0, 0, 4096);
        }}
        color = lit(rows0, rows1, rows2, dif_amb, spe_emi, words.w & 15u, slot);
    }} else {{
        color = rgb(source == 1u ? a_color : dif_amb);
    }}
    bool textured = (words.z & 32u) != 0u;
    if (u_magenta && (words.z & 64u) != 0u) {{
        textured = false;
        color = ivec3(31, 0, 31);
    }}
    // 1 to 64, with 3 bits of fraction and a half of one against sums that are a hair below a whole number.
    v_color = (vec3(color * 16 + 15 * ivec3(greaterThan(color, ivec3(0)))) + 0.0625) / 8.0 + 1.0;

    ivec2 st = a_texcoord;
    if (picture.z != 0u) {{
        ivec4 linear = ivec4(texelFetch(u_materials, material + 2));
        ivec4 moved = ivec4(texelFetch(u_materials, material + 3));
        st = ivec2((st.x * linear.x + st.y * linear.z + moved.x) >> 12,
            (st.x * linear.y + st.y * linear.w + moved.y) >> 12);
        st = ivec2(signed_field(st.x, 16), signed_field(st.y, 16));
    }}
    // In texels, and a 64th of one against coordinates that are on a border and are interpolated a hair below it.
    v_texcoord = (vec2(st) + 0.25) / 16.0;
    uint word = picture.x;
    ivec2 logarithms = ivec2(3 + int(word >> 20 & 7u), 3 + int(word >> 23 & 7u));
    v_wrap_s = wrapping(1 << logarithms.x, (word & 0x10000u) != 0u, (word & 0x40000u) != 0u);
    v_wrap_t = wrapping(1 << logarithms.y, (word & 0x20000u) != 0u, (word & 0x80000u) != 0u);
    v_material = ivec4(int(words.w), int(words.w >> 16 & 31u), int(picture.y), logarithms.x);
    if (!textured) {{
        // The first texel is white.
        v_wrap_s = v_wrap_t = ivec4(0);
        v_material.z = 0;
    }}
    v_opacity = u_opacity[more.x & 255u];
    uint marked = v_opacity < 1.0 ? 0u : {MARKABLE}u, fogged = (words.w & 0x8000u) != 0u ? {FOGGED}u : 0u;
    v_attributes = float(marked | fogged | words.w >> 24 & {POLYGON_ID}u) / 255.0;
}}
"""

_TEXELS: Final = """
uniform usamplerBuffer u_texels;   // r, g, b 1 to 64, alpha 0 to 31
"""

_TEXEL: Final = """
int wrapped(int place, ivec4 wrap) {
    place = clamp(place, wrap.x, wrap.y);
    return (place ^ -int((place & wrap.z) != 0)) & wrap.w;
}

// The texel under the fragment.
ivec4 texel() {
    ivec2 place = ivec2(floor(v_texcoord));
    int row = wrapped(place.y, v_wrap_t) << v_material.w;
    return ivec4(texelFetch(u_texels, v_material.z + row + wrapped(place.x, v_wrap_s)));
}

// Colour in 6 bits a channel and alpha in 5, as the rendering engine combines them in every mode.
ivec4 combined() {
    ivec3 color = ivec3(v_color);
    int alpha = v_material.y;
    ivec4 picture = texel();
    ivec4 modulated = ivec4((picture.rgb * color - 1) >> 6, ((picture.a + 1) * (alpha + 1) - 1) >> 5);
    ivec3 mixed = ((picture.rgb - 1) * picture.a + (color - 1) * (31 - picture.a)) >> 5;
    ivec4 decal = ivec4(picture.a == 0 ? color - 1 : picture.a == 31 ? picture.rgb - 1 : mixed, alpha);
    return (v_material.x & 16) == 0 ? modulated : decal;
}
"""

_UNSEEN: Final = """
bool unseen() {
    return v_opacity == 0.0 || (v_material.x >> (gl_FrontFacing ? 7 : 6) & 1) == 0;
}
"""


class PolygonKind(Enum):
    """Kinds of polygons, each with a program: opaque ones without and with transparent texels and decals; blended ones,
    and the mask of those without fog.

    A program for one kind does only what it needs: software drivers take both ways of a branch, and test depth late
    where pixels may be discarded.
    """

    SOLID = "solid"
    CUT_OUT = "cut out"
    DECAL = "decal"
    BLENDED = "blended"
    FOGLESS = "fogless"


_OUTPUTS: Final = {
    PolygonKind.SOLID: "vec4(vec3((texel().rgb * ivec3(v_color) - 1) >> 6) / 63.0, v_attributes)",
    PolygonKind.CUT_OUT: "vec4(vec3((picture.rgb * ivec3(v_color) - 1) >> 6) / 63.0, v_attributes)",
    PolygonKind.DECAL: "vec4(vec3(color.rgb) / 63.0, v_attributes)",
    PolygonKind.BLENDED: "vec4(vec3(color.rgb) / 63.0, float(color.a + 1) / 32.0 * v_opacity)",
    PolygonKind.FOGLESS: "vec4(1.0)",
}
_DISCARDS: Final = {
    PolygonKind.SOLID: "",
    PolygonKind.CUT_OUT: "ivec4 picture = texel(); if ((picture.a & v_material.y) != 31) discard;",
    PolygonKind.DECAL: "ivec4 color = combined(); if (color.a != 31) discard;",
    PolygonKind.BLENDED: "if (unseen()) discard; ivec4 color = combined(); if (color.a == 0 || color.a == 31) discard;",
    PolygonKind.FOGLESS: "if (unseen() || (v_material.x & 0x8000) != 0) discard;"
    " int alpha = combined().a; if (alpha == 0 || alpha == 31) discard;",
}


def field_vertex(*, grid: bool = False) -> str:
    """The vertex shader of the field, with or without the console's grid."""
    return f"#version 330 core\n{'#define GRID' if grid else ''}\n{_FIELD_VERTEX}"


def field_fragment(kind: PolygonKind, *, grid: bool) -> str:
    """The fragment shader of a kind, with or without the console's grid: colours, and as alpha the attributes of opaque
    pixels or the alpha of blended ones."""
    return f"""#version 330 core
{_TEXELS}
in {SPAN if grid else VARYINGS};
{SPAN_PIXEL if grid else _UNSEEN}{_TEXEL}
layout(location = 0) out vec4 o_color;

void main() {{
    {"take_pixel();" if grid else ""}
    {_DISCARDS[kind]}
    o_color = {_OUTPUTS[kind]};
}}
"""


PICK_FRAGMENT: Final = f"""#version 330 core
{_TEXELS}
in {VARYINGS};
{_UNSEEN}{_TEXEL}
layout(location = 0) out uvec4 o_source;

void main() {{
    if (unseen()) discard;
    if (combined().a == 0) discard;
    o_source = uvec4(v_source.xyz, floatBitsToUint(v_distance));
}}
"""

SCREEN_VERTEX: Final = """#version 330 core
void main() {
    gl_Position = vec4(float(gl_VertexID & 1) * 4.0 - 1.0, float(gl_VertexID & 2) * 2.0 - 1.0, 0.0, 1.0);
}
"""


VEIL_FRAGMENT: Final = """#version 330 core
uniform vec4 u_color;
layout(location = 0) out vec4 o_color;

void main() {
    o_color = u_color;
}
"""


OVERLAY_VERTEX: Final = """#version 330 core
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec4 a_color;

uniform mat3 u_view;
uniform mat4 u_projection;
uniform vec3 u_offset;
uniform float u_lift;

flat out vec4 v_color;

void main() {
    vec3 view = u_view * (a_position + u_offset);
    vec4 clip = u_projection * vec4(view, 1.0);
    // The depth of a point nearer to the viewer, at the same spot of the picture.
    vec4 nearer = u_projection * vec4(view.xy, view.z + u_lift, 1.0);
    clip.z = nearer.z * clip.w / max(nearer.w, 1e-3);
    gl_Position = clip;
    v_color = a_color;
}
"""

OVERLAY_FRAGMENT: Final = """#version 330 core
uniform float u_alpha;
flat in vec4 v_color;
layout(location = 0) out vec4 o_color;

void main() {
    o_color = vec4(v_color.rgb, v_color.a * u_alpha);
}
"""
