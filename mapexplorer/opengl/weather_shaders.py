"""The shaders of the weather's layers (background, sprites, window) and of skies, in pixels of the console's screen.

That screen is in the middle of the picture, `u_size` pixels of the picture in all, `u_pixel` for one of the console.
"""

from __future__ import annotations

from typing import Final

from mapexplorer.scene.sky import BELOW

_PLACE: Final = """
uniform vec2 u_size;
uniform float u_pixel;

// The console's pixel at a fragment; y counts from the top.
ivec2 place() {
    vec2 from_middle = (gl_FragCoord.xy - 0.5 * u_size) / u_pixel;
    return ivec2(floor(vec2(128.0 + from_middle.x, 96.0 - from_middle.y)));
}
"""

_COLOR: Final = """
uniform usamplerBuffer u_texels;   // r, g, b 0..63, alpha

vec4 color_of(int texel) {
    uvec4 color = texelFetch(u_texels, texel);
    if (color.a == 0u) discard;
    return vec4(vec3(color.rgb) / 63.0, 1.0);
}
"""

BACKGROUND_FRAGMENT: Final = f"""#version 330 core
{_PLACE}{_COLOR}
uniform int u_first;
uniform ivec2 u_offset;
uniform bool u_repeats;
layout(location = 0) out vec4 o_color;

void main() {{
    ivec2 seen = place();
    if (!u_repeats) seen = clamp(seen, ivec2(0), ivec2(255, 191));
    ivec2 texel = (seen + u_offset) & 255;
    o_color = color_of(u_first + texel.y * 256 + texel.x);
}}
"""

SKY_FRAGMENT: Final = f"""#version 330 core
{_PLACE}{_COLOR}
uniform float u_attributes;        // alpha of the picture
layout(location = 0) out vec4 o_color;

void main() {{
    ivec2 seen = clamp(place(), ivec2(0), ivec2(255, 191));
    o_color = vec4(color_of(seen.y * 256 + seen.x).rgb, u_attributes);
}}
"""

CLEAR_SKY_FRAGMENT: Final = f"""#version 330 core
uniform vec2 u_size;
uniform mat4 u_back;               // from clip space to view space
uniform vec3 u_up;                 // the direction up in view space
uniform vec3 u_sky[2];             // the colours above and at the horizon
uniform float u_attributes;        // alpha of the picture
layout(location = 0) out vec4 o_color;

void main() {{
    vec2 at = gl_FragCoord.xy * 2.0 / u_size - 1.0;
    vec4 near = u_back * vec4(at, -1.0, 1.0), far = u_back * vec4(at, 1.0, 1.0);
    float up = dot(normalize(far.xyz / far.w - near.xyz / near.w), u_up);
    float share = up > 0.0 ? sqrt(up) : {BELOW} * -up;
    o_color = vec4(mix(u_sky[1], u_sky[0], share), u_attributes);
}}
"""

WINDOW_FRAGMENT: Final = f"""#version 330 core
{_PLACE}
uniform ivec2 u_lines[192];        // left edge and the one behind the right edge
layout(location = 0) out vec4 o_color;

void main() {{
    ivec2 seen = place();
    ivec2 line = u_lines[clamp(seen.y, 0, 191)];
    // An edge at the border of the console's screen does not limit a wider picture.
    bool inside = (seen.x >= line.x || line.x == 0) && (seen.x < line.y || line.y == 255 && seen.x > 255);
    if (inside) discard;
    o_color = vec4(0.0, 0.0, 0.0, 1.0);
}}
"""

SPRITE_VERTEX: Final = """#version 330 core
uniform isamplerBuffer u_sprites;  // left, top, width, height; first texel
uniform int u_count;
uniform ivec3 u_screens;           // the first column and row of screens that repeat the sprites, and columns
uniform vec2 u_size;
uniform float u_pixel;

smooth out vec2 v_texel;
flat out ivec2 v_image;            // first texel, texels of a row

void main() {
    int sprite = gl_InstanceID % u_count, screen = gl_InstanceID / u_count;
    ivec4 box = texelFetch(u_sprites, 2 * sprite);
    ivec2 moved = (u_screens.xy + ivec2(screen % u_screens.z, screen / u_screens.z)) * ivec2(256, 192);
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * vec2(box.zw);
    vec2 from_middle = (vec2(box.xy + moved) + corner - vec2(128.0, 96.0)) * u_pixel;
    gl_Position = vec4(from_middle * vec2(2.0, -2.0) / u_size, 0.0, 1.0);
    v_texel = corner;
    v_image = ivec2(texelFetch(u_sprites, 2 * sprite + 1).x, box.z);
}
"""

SPRITE_FRAGMENT: Final = f"""#version 330 core
{_COLOR}
smooth in vec2 v_texel;
flat in ivec2 v_image;
layout(location = 0) out vec4 o_color;

void main() {{
    ivec2 texel = ivec2(floor(v_texel));
    o_color = color_of(v_image.x + texel.y * v_image.y + texel.x);
}}
"""
