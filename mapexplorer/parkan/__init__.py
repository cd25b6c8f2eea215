"""MSH models at run time: sampling and blending node poses as the Iron3D engine does."""

from mapexplorer.parkan.sampling import (
    BlendedPose,
    NodePose,
    Order,
    Sample,
    blend,
    frame_number,
    interpolate,
    model_poses,
    pose_matrix,
    quaternion_order,
    sample,
    world_matrices,
)

__all__ = [
    "BlendedPose",
    "NodePose",
    "Order",
    "Sample",
    "blend",
    "frame_number",
    "interpolate",
    "model_poses",
    "pose_matrix",
    "quaternion_order",
    "sample",
    "world_matrices",
]
