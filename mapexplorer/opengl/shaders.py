"""The shaders of the field: the DS geometry and rendering engines' arithmetic in GLSL 3.30.

Lighting, modulation and fog are the integer formulas of GBATEK. Buffers of words replace vertex state: an instance says
where its materials and matrices begin, a vertex which of them are its own.
"""

from __future__ import annotations

from typing import Final

LIGHT_SLOTS: Final = 8
LAYER_COUNT: Final = 4
BIASED: Final = 256

FIELD_VERTEX: Final = f"""#version 330 core
layout(location = 0) in vec3 a_position;
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
uniform vec2 u_grid;               // pixels of the console's screen that vertices snap to; 0: none
uniform float u_bias;
uniform float u_opacity[{LAYER_COUNT}];

smooth out vec3 v_color;
smooth out vec2 v_texcoord;
smooth out float v_distance;
flat out ivec4 v_wrap_s;
flat out ivec4 v_wrap_t;
flat out uvec4 v_material;         // flags, POLYGON_ATTR, first texel, texels of a row
flat out uvec4 v_source;           // instance + 1, draw, layer
flat out float v_opacity;

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

vec4 snapped(vec4 clip) {{
    // The console's vertices are on whole pixels and are sampled at their corners, pixels here at their centres. A hair
    // less than half a pixel lets the left and upper borders belong to a polygon, not the right and lower ones.
    vec2 half_pixel = vec2(1.0, -1.0) * (1.0 - 1.0 / 64.0) / u_grid;
    clip = floor(clip * 4096.0 + 0.01) / 4096.0;
    if (clip.w > 0.0) {{
        // What is outside the screen is cut off before it is rounded.
        bvec3 inside = lessThanEqual(abs(clip.xyz), vec3(clip.w));
        vec2 pixel = floor(vec2(clip.x + clip.w, clip.w - clip.y) * u_grid / (2.0 * clip.w));
        vec2 rounded = (pixel / u_grid * vec2(2.0, -2.0) + vec2(-1.0, 1.0)) * clip.w;
        if (inside.x) clip.x = rounded.x;
        if (inside.y) clip.y = rounded.y;
        float depth = (trunc(clip.z * 16384.0 / clip.w) + 16383.0) * 512.0 / 16777215.0;
        if (inside.z) clip.z = (2.0 * clamp(depth, 0.0, 1.0) - 1.0) * clip.w;
    }}
    clip.xy += half_pixel * clip.w;
    return clip;
}}

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
    gl_Position = u_grid.x > 0.0 ? snapped(clip) : clip;
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
    v_color = vec3(color * 16 + 15 * ivec3(greaterThan(color, ivec3(0))));

    ivec2 st = a_texcoord;
    if (picture.z != 0u) {{
        ivec4 linear = ivec4(texelFetch(u_materials, material + 2));
        ivec4 moved = ivec4(texelFetch(u_materials, material + 3));
        st = ivec2((st.x * linear.x + st.y * linear.z + moved.x) >> 12,
            (st.x * linear.y + st.y * linear.w + moved.y) >> 12);
        st = ivec2(signed_field(st.x, 16), signed_field(st.y, 16));
    }}
    v_texcoord = vec2(st);
    uint word = picture.x;
    ivec2 texels = ivec2(8 << int(word >> 20 & 7u), 8 << int(word >> 23 & 7u));
    v_wrap_s = wrapping(texels.x, (word & 0x10000u) != 0u, (word & 0x40000u) != 0u);
    v_wrap_t = wrapping(texels.y, (word & 0x20000u) != 0u, (word & 0x80000u) != 0u);
    v_material = uvec4(words.z, words.w, picture.y, uint(texels.x));
    v_opacity = u_opacity[more.x & 255u];
}}
"""

_FRAGMENT_HEAD: Final = """
uniform usamplerBuffer u_texels;
uniform bool u_magenta;
uniform float u_shift;             // pixels by which polygons are off the centres of pixels

smooth in vec3 v_color;
smooth in vec2 v_texcoord;
smooth in float v_distance;
flat in ivec4 v_wrap_s;            // lowest and highest place, bit that mirrors, bits of a place
flat in ivec4 v_wrap_t;
flat in uvec4 v_material;          // flags, POLYGON_ATTR, first texel, texels of a row
flat in uvec4 v_source;
flat in float v_opacity;

int wrapped(int place, ivec4 wrap) {
    place = clamp(place, wrap.x, wrap.y);
    return (place ^ -int((place & wrap.z) != 0)) & wrap.w;
}

// The texel under the fragment: r, g, b and alpha, 5 bits each.
ivec4 texel() {
    // A 64th of a texel against coordinates that are on a border and are interpolated a hair below it.
    vec2 exact = v_texcoord - (dFdx(v_texcoord) - dFdy(v_texcoord)) * u_shift + 0.25;
    ivec2 place = ivec2(floor(exact * 0.0625));
    int row = wrapped(place.y, v_wrap_t) * int(v_material.w);
    return ivec4(texelFetch(u_texels, int(v_material.z) + row + wrapped(place.x, v_wrap_s)) >> 3u);
}

// Colour in 6 bits a channel and alpha in 5, as the rendering engine combines them. There are no branches: software
// drivers take every way anyhow.
ivec4 combined() {
    ivec3 color = ivec3(v_color + 0.0625) >> 3;
    int alpha = int(v_material.y >> 16 & 31u);
    ivec4 picture = texel();
    ivec3 shown = 2 * picture.rgb + min(picture.rgb, 1);
    ivec4 modulated = ivec4(((shown + 1) * (color + 1) - 1) >> 6, ((picture.a + 1) * (alpha + 1) - 1) >> 5);
    ivec3 mixed = (shown * picture.a + color * (31 - picture.a)) >> 5;
    ivec4 decal = ivec4(picture.a == 0 ? color : picture.a == 31 ? shown : mixed, alpha);
    ivec4 result = (v_material.y & 16u) == 0u ? modulated : decal;
    result = (v_material.x & 32u) == 0u ? ivec4(color, alpha) : result;
    return u_magenta && (v_material.x & 64u) != 0u ? ivec4(63, 0, 63, alpha) : result;
}

bool turned_away() {
    return (v_material.y >> (gl_FrontFacing ? 7 : 6) & 1u) == 0u;
}
"""

_FOG: Final = """
uniform int u_fog;                 // DISP3DCNT's shift
uniform int u_fog_offset;
uniform ivec4 u_fog_color;
uniform int u_fog_table[34];
uniform vec4 u_fog_depth;          // z and w from the distance along the view axis: factor and addend of each
uniform bool u_masked;             // whether u_fogless has pixels without fog
uniform sampler2D u_fogless;

ivec4 fogged(ivec4 color, float distance) {
    if (u_masked && texelFetch(u_fogless, ivec2(gl_FragCoord.xy), 0).x > 0.0) return color;
    float z = u_fog_depth.x * distance + u_fog_depth.y;
    float w = u_fog_depth.z * distance + u_fog_depth.w;
    int depth = clamp((int(z / w * 16384.0) + 0x3FFF) * 0x200, 0, 0xFFFFFF) - u_fog_offset * 0x200;
    int level = u_fog_table[0];
    if (depth >= 0) {
        uint place = uint(depth >> 2) << u_fog;
        uint index = place >> 17, part = place & 0x1FFFFu;
        if (index >= 32u) {
            index = 32u;
            part = 0u;
        }
        level = int((uint(u_fog_table[index]) * (0x20000u - part) + uint(u_fog_table[index + 1u]) * part) >> 17);
    }
    if (level >= 127) level = 128;
    return (u_fog_color * level + color * (128 - level)) >> 7;
}
"""


def field_fragment(*, blended: bool, fog: bool) -> str:
    """The fragment shader of opaque or blended polygons, with or without fog."""
    away = "if (v_opacity == 0.0 || turned_away()) discard;" if blended else ""
    wanted = "color.a == 0 || color.a == 31" if blended else "color.a != 31"
    mist = "if ((v_material.y & 0x8000u) != 0u) color = fogged(color, v_distance);" if fog else ""
    alpha = "blended" if blended else "float(color.a + 1) / 32.0"
    return f"""#version 330 core
{_FRAGMENT_HEAD}{_FOG if fog else ""}
layout(location = 0) out vec4 o_color;

void main() {{
    {away}
    ivec4 color = combined();
    if ({wanted}) discard;
    float blended = float(color.a + 1) / 32.0;
    {mist}
    o_color = vec4(vec3(color.rgb) / 63.0, {alpha} * v_opacity);
}}
"""


FOGLESS_FRAGMENT: Final = f"""#version 330 core
{_FRAGMENT_HEAD}
layout(location = 0) out vec4 o_mask;

void main() {{
    if (v_opacity == 0.0 || turned_away() || (v_material.y & 0x8000u) != 0u) discard;
    int alpha = combined().a;
    if (alpha == 0 || alpha == 31) discard;
    o_mask = vec4(1.0);
}}
"""

PICK_FRAGMENT: Final = f"""#version 330 core
{_FRAGMENT_HEAD}
layout(location = 0) out uvec4 o_source;

void main() {{
    if (v_opacity == 0.0 || turned_away()) discard;
    if (combined().a == 0) discard;
    o_source = uvec4(v_source.xyz, floatBitsToUint(v_distance));
}}
"""

IDS_FRAGMENT: Final = f"""#version 330 core
{_FRAGMENT_HEAD}
layout(location = 0) out vec2 o_id;

void main() {{
    if (combined().a != 31) discard;
    o_id = vec2(float(v_material.y >> 24 & 63u) + ((v_material.y & 0x8000u) != 0u ? 64.0 : 0.0), -v_distance);
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


def edge_fragment(*, fog: bool) -> str:
    """The fragment shader that draws the lines of edge marking over a picture."""
    mist = "if (own.x >= 64.0) color = fogged(ivec4(color, 31), -own.y).rgb;" if fog else ""
    return f"""#version 330 core
uniform sampler2D u_ids;           // polygon id, + 64 with the fog bit, and distance
uniform int u_width;
uniform ivec3 u_edge_colors[8];
{_FOG if fog else ""}
layout(location = 0) out vec4 o_color;

void main() {{
    ivec2 place = ivec2(gl_FragCoord.xy);
    ivec2 last = textureSize(u_ids, 0) - 1;
    vec2 own = texelFetch(u_ids, place, 0).xy;
    int id = int(own.x) & 63;
    bool edge = false;
    for (int i = 0; i < 4; i++) {{
        ivec2 way = i < 2 ? ivec2(2 * i - 1, 0) : ivec2(0, 2 * i - 5);
        vec2 beside = texelFetch(u_ids, clamp(place + way * u_width, ivec2(0), last), 0).xy;
        // The console marks a polygon's border only. A surface that goes on behind the other one has none here: its
        // distance beside, continued from the opposite side, is not less than the other one's.
        vec2 opposite = texelFetch(u_ids, clamp(place - way * u_width, ivec2(0), last), 0).xy;
        float slope = (int(opposite.x) & 63) == id ? max(own.y - opposite.y, 0.0) : 0.0;
        bool meets = (int(beside.x) & 63) != id && own.y + slope + 0.25 < beside.y;
        if (u_width > 1) {{
            // Not around a crack between polygons: what is beyond must be another surface, too.
            vec2 beyond = texelFetch(u_ids, clamp(place + way * (u_width + 1), ivec2(0), last), 0).xy;
            meets = meets && (int(beyond.x) & 63) != id;
        }}
        edge = edge || meets;
    }}
    if (!edge) discard;
    ivec3 color = u_edge_colors[id >> 3];
    {mist}
    o_color = vec4(vec3(color) / 63.0, 17.0 / 32.0);
}}
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
