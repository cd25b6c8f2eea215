"""The events of maps: map objects, warps, signs, triggers, their scripts, and what scripts change on entering."""
