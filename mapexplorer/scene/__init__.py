"""The field at a moment: conditions, models, camera, map objects, weather, texture animation, the command stream of a
frame, and the explanation of its pixels.

What a picture shows (second, tick, layers, weather, camera ...) is one value, `view.View`, whose fields are options:
the scene, requests, the window's frames and the state of OpenGL take it. Only `conditions` computes the state of a
picture beside its camera (light, fog, edge colours, clear plane, loaded cells); `tests/opengl/test_conditions.py`
compares it in the DS view, the OpenGL view and the exporter. `model_resolver` places the props of features and their
changes of placed props for all views and exports, `field_objects` runs the map objects of the scene's headers and the
player, `object_events` draws their state. Views of all cells are drawn for each area, in passes within the engine's
limit of polygons, and merged by depth."""
