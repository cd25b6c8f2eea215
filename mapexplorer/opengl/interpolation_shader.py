"""GLSL: texture coordinates as the console interpolates them, in pictures on its grid.

The console clips polygons, rounds their corners to pixels, and interpolates along both edges and then along the span
between them, in steps. A fragment knows the lowest and highest coordinates of its triangle. If they change along the
span and along the edges only, these are the coordinates of the polygon's corners, whose places follow from the
derivatives of coordinates and clip positions. For other triangles only the steps are applied.

No pixel has coordinates outside of the triangle's, nor the highest, which are those of the pixel beyond it: their texel
would be another one's where a texture repeats or has several pictures side by side.
"""

from __future__ import annotations

from typing import Final

INTERPOLATED: Final = """
uniform vec2 u_grid;

const float EDGE_STEPS = 512.0, SPAN_STEPS = 256.0;
const float MOST_SHEAR = 1.0 / 64.0;     // change of a coordinate along spans, relative to that along edges
// Against values that are a hair below a whole number: of a pixel or step, and of a texel.
const float HAIR = 1.0 / 1024.0, TEXEL_HAIR = 1.0 / 256.0;
const float SURPLUS = 1.0 / 64.0 - HAIR; // of v_texcoord, to which a 64th is added for pictures of other sizes
const float SHIFT = 1.0 / 128.0;         // pixels by which polygons are off the centres of pixels

struct Edge {
    float x;
    float w;
    float part;                          // of the way from the upper to the lower corner, both before they are clipped
    bool upright;
};

float in_steps(float part, float steps) {
    return floor(part * steps + HAIR) / steps;
}

// An edge on the line y of the console; its corners are x, y, w in clip space.
Edge edge_at(vec3 upper, vec3 lower, float y) {
    vec2 below_top = vec2(upper.z - upper.y, lower.z - lower.y);
    vec2 above_bottom = vec2(upper.z + upper.y, lower.z + lower.y);
    float first = below_top.x < 0.0 ? below_top.x / (below_top.x - below_top.y) : 0.0;
    float last = above_bottom.y < 0.0 ? above_bottom.x / (above_bottom.x - above_bottom.y) : 1.0;
    vec3 start = mix(upper, lower, first), stop = mix(upper, lower, last);
    vec2 from = clamp(floor((vec2(start.x, -start.y) / start.z + 1.0) * 0.5 * u_grid + HAIR), vec2(0.0), u_grid);
    vec2 to = clamp(floor((vec2(stop.x, -stop.y) / stop.z + 1.0) * 0.5 * u_grid + HAIR), vec2(0.0), u_grid);
    float lines = y - from.y, height = max(to.y - from.y, 1.0);
    float moved = floor(abs(to.x - from.x) * lines / height + HAIR);
    float x = to.x < from.x ? max(from.x - moved - 1.0, to.x) : max(min(from.x + moved, to.x - 1.0), from.x);
    float weighted = lines * start.z, rest = (height - lines) * stop.z;
    float part = in_steps(weighted / (weighted + rest), EDGE_STEPS);
    return Edge(x, height * start.z * stop.z / (weighted + rest), mix(first, last, part), from.x == to.x);
}

// Texture coordinates at a pixel. `exact`: as OpenGL interpolates them, and a hair; `right` and `down`: their changes
// to the next pixels. At the triangle's edges they may be outside of its coordinates.
vec2 stepped(vec2 exact, vec2 right, vec2 down) {
    vec3 clip_right = dFdx(v_clip), clip_down = -dFdy(v_clip);
    vec3 clip = v_clip - (clip_right + clip_down) * SHIFT;
    bvec2 on_span = greaterThan(abs(right), abs(down));
    bvec2 falls = lessThan(mix(down, right, on_span), vec2(0.0));
    vec2 start = mix(v_range.xy, v_range.zw, falls), stop = mix(v_range.zw, v_range.xy, falls);
    vec2 way = stop - start;
    bool turned = on_span.y;
    // The first coordinate is from now on the one that changes along spans.
    vec2 across = turned ? right.yx : right, along = turned ? down.yx : down;
    if (on_span.x == on_span.y || way.x == 0.0 || way.y == 0.0 || abs(across.y) > MOST_SHEAR * abs(along.y)) {
        vec2 size = way / mix(vec2(EDGE_STEPS), vec2(SPAN_STEPS), on_span);
        return mix(start + floor((exact - start) / size) * size + TEXEL_HAIR, exact, equal(size, vec2(0.0)));
    }
    vec2 here = (turned ? exact.yx : exact) - HAIR;
    if (turned) {
        start = start.yx;
        stop = stop.yx;
    }
    float area = across.x * along.y - across.y * along.x;
    vec3 by_first = (clip_right * along.y - clip_down * across.y) / area;
    vec3 by_second = (clip_down * across.x - clip_right * along.x) / area;
    vec3 upper = clip + by_second * (start.y - here.y), lower = clip + by_second * (stop.y - here.y);
    vec3 to_left = by_first * (start.x - here.x), to_right = by_first * (stop.x - here.x);
    vec2 pixel = vec2(floor(gl_FragCoord.x), u_grid.y - 1.0 - floor(gl_FragCoord.y));
    Edge left = edge_at(upper + to_left, lower + to_left, pixel.y);
    Edge end = edge_at(upper + to_right, lower + to_right, pixel.y);
    if (!end.upright) end.x += 1.0;

    vec2 first = vec2(start.x, stop.x);
    vec3 leftmost = clip + to_left, rightmost = clip + to_right;
    if (leftmost.x < -leftmost.z) first.x = here.x - (clip.x + clip.z) / (by_first.x + by_first.z);
    if (rightmost.x > rightmost.z) first.y = here.x - (clip.x - clip.z) / (by_first.x - by_first.z);
    vec2 second = mix(start.yy, stop.yy, vec2(left.part, end.part));
    float done = (pixel.x - left.x) * left.w, rest = (end.x - pixel.x) * end.w;
    float part = in_steps(done / (done + rest), SPAN_STEPS);
    vec2 found = vec2(mix(first.x, first.y, part), mix(second.x, second.y, part)) + TEXEL_HAIR;
    return turned ? found.yx : found;
}

// The same within the triangle, with steps only where the console has them.
vec2 interpolated() {
    vec2 right = dFdx(v_texcoord), down = -dFdy(v_texcoord);
    vec2 exact = v_texcoord - (right + down) * SHIFT - SURPLUS;
    vec2 found = v_stepped != 0 ? stepped(exact, right, down) : exact;
    vec2 last = max(v_range.xy, v_range.zw - TEXEL_HAIR);
    return v_range == vec4(0.0) ? found : clamp(found, v_range.xy, last);
}
"""
"""The function `interpolated` of fragment shaders, which uses their inputs."""
