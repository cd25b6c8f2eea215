"""The folder of the files that the project carries.

Light verbs read tables, and `importlib.resources` imports as much as they do, so it is not used for them.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Final

FOLDER: Final = Path(import_module("mapexplorer.data").__path__[0])
