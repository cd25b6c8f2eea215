"""Pictures with alphas, painted by code: water that moves, a waterfall, light and shadow that fade out."""

from __future__ import annotations

import numpy as np

from tools.demo_world.paint import levels, noise, places, smooth
from tools.demo_world.picture import A3I5, A5I3, Indices, Picture, ramp

WATER = ramp("#2858a0", "#3068b0", "#3878c0", "#4888cc", "#64a0d8", "#90c4e8", "#e0f4fc")
FALLS = ramp("#3c74b8", "#5490cc", "#78b0dc", "#a0cce8", "#d0e8f4", "#fcfcfc")
SHADOW = ramp("#181830")


def water(step: int) -> tuple[Indices, Indices]:
    """Rippling water, step 0..7 of a cycle: indices 0..6 deep to bright, and alphas 0..31."""
    x, y = places(32, 32)
    near = smooth(32, 32, 16, 51, 4)
    far = smooth(32, 32, 8, 53, 4)
    height = near[y, (x + 4 * step) % 32] + far[(y + 2 * (step // 2)) % 32, (31 - x + 4 * step) % 32]
    slope = height - height[(y + 1) % 32, x]
    image = levels(height + slope, 130, 200, 260, 350, 420)
    glint = (np.abs(slope) < 5) & (height > 330) & (noise(x // 3, y, 52 + step // 2) > 216)
    image = np.where(glint, 6, image).astype(np.uint8)
    alphas = np.where(image >= 5, 27, np.where(image <= 1, 22, 24)).astype(np.uint8)
    return image, alphas


def waterfall() -> tuple[Indices, Indices]:
    """Falling water, 32 x 32, repeating downward; 0..5 deep to foam, with alphas."""
    streak = smooth(32, 32, 4, 95, 16)
    fine = smooth(32, 32, 2, 96, 8)
    mixed = streak * 2 + fine
    image = levels(mixed, 200, 300, 400, 500, 580)
    return image, np.where(image > 3, 30, 24).astype(np.uint8)


def foam() -> tuple[Indices, Indices]:
    """Spray at the foot of a waterfall, 32 x 32; alphas fade outward from the top."""
    _, y = places(32, 32)
    grain = smooth(32, 32, 4, 98)
    alphas = np.where(grain > 90 + y * 5, 28 - y // 2, np.where(grain > 60 + y * 5, 14 - y // 4, 0))
    return np.where(grain > 150, 1, 0).astype(np.uint8), np.clip(alphas, 0, 31).astype(np.uint8)


def glow() -> tuple[Indices, Indices]:
    """A soft round light: a quarter of it, 16 x 16, mirrored by its material."""
    x, y = places(16, 16)
    far = (15 - x) ** 2 + (15 - y) ** 2
    alphas = np.maximum(0, 31 - far * 31 // 225)
    alphas = alphas * alphas // 31
    image = np.where(far < 30, 2, np.where(far < 90, 1, 0))
    return image.astype(np.uint8), alphas.astype(np.uint8)


def shadow() -> tuple[Indices, Indices]:
    """A quarter of a round shadow, 16 x 16."""
    x, y = places(16, 16)
    far = (15 - x) ** 2 + (15 - y) ** 2
    alphas = np.where(far > 225, 0, np.minimum(15, (225 - far) // 6))
    return np.zeros((16, 16), np.uint8), alphas.astype(np.uint8)


def box_shadow() -> tuple[Indices, Indices]:
    """A quarter of the shadow of something square, 16 x 16."""
    x, y = places(16, 16)
    edge = np.minimum(x, y)
    alphas = np.minimum(15, edge * 4)
    return np.zeros((16, 16), np.uint8), alphas.astype(np.uint8)


def waters() -> list[Picture]:
    """The frames of the water."""
    frames = [water(step) for step in range(8)]
    return [
        Picture(f"water.{number}", A3I5, image, WATER, alphas=alphas)
        for number, (image, alphas) in enumerate(frames, start=1)
    ]


def light_and_shadow() -> list[Picture]:
    """What fades out around lamps and under things."""
    light, light_alphas = glow()
    dark, dark_alphas = shadow()
    square, square_alphas = box_shadow()
    return [
        Picture("glow", A5I3, light, ramp("#fcd870", "#fcecb0", "#fcfcec"), alphas=light_alphas),
        Picture("shadow", A5I3, dark, SHADOW, alphas=dark_alphas),
        Picture("shadow_box", A5I3, square, SHADOW, alphas=square_alphas, palette_name="shadow_pl"),
    ]


def falls() -> list[Picture]:
    """A waterfall and its spray."""
    fall, fall_alphas = waterfall()
    spray, spray_alphas = foam()
    return [
        Picture("falls", A3I5, fall, FALLS, alphas=fall_alphas),
        Picture("foam", A5I3, spray, ramp("#c8e4f4", "#fcfcfc"), alphas=spray_alphas),
    ]
