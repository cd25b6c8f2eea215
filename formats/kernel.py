"""The one decorator of compiled kernels: numba nopython, nogil, single-threaded, cached where that is possible.

Importing this module imports numba; modules of light commands import their kernels inside the functions that need them.
The cache lies beside the package when that folder is writable, else in the user's cache folder, else in a temporary
folder of this user; when none can be written the kernels are compiled in memory. Choosing it never fails.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])


def writable(folder: Path) -> bool:
    """Whether files can be made in `folder`, which is created when it can be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _private(folder: Path) -> Path | None:
    """A folder of this user alone, made when it can be; None where somebody else made it, who could plant code."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    if not hasattr(os, "getuid"):
        return folder
    mine = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o022
    return folder if mine else None


def _cache_folder() -> Path | None:
    if "NUMBA_CACHE_DIR" in os.environ:
        return Path(os.environ["NUMBA_CACHE_DIR"])
    beside = Path(__file__).resolve().parent
    if writable(beside / "__pycache__"):
        return None
    import platformdirs

    own = Path(platformdirs.user_cache_dir("mapexplorer")) / "kernels"
    temporary = Path(tempfile.gettempdir()) / f"mapexplorer-kernels-{getattr(os, 'getuid', int)()}"
    folder = own if writable(own) else _private(temporary)
    if folder is not None and writable(folder):
        os.environ["NUMBA_CACHE_DIR"] = str(folder)
        return folder
    return Path(os.devnull)


CACHE_FOLDER = _cache_folder()
"""Where compiled kernels are kept; None: beside the package."""

CACHED = CACHE_FOLDER is None or writable(CACHE_FOLDER)

import numba  # noqa: E402  (reads NUMBA_CACHE_DIR when it is imported)

if CACHED and CACHE_FOLDER is not None:
    numba.config.CACHE_DIR = str(CACHE_FOLDER)  # in case somebody imported numba before


@functools.cache
def _stamp(folder: Path) -> str:
    """Names, sizes and times of the sources of a folder and of what every kernel may call."""
    here = Path(__file__).parent
    sources = sorted({*folder.glob("*.py"), *here.glob("*.py"), *(here / "nds").glob("*.py")})
    stats = [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in sources]
    return hashlib.sha256(repr(stats).encode()).hexdigest()


def _compiled(function: F, **options: bool) -> F:
    dispatcher = numba.njit(nogil=True, cache=CACHED, error_model="numpy", **options)(function)
    # numba looks at the kernel's own file only, but its cached code also holds the kernels it calls and the constants
    # of other files. So the cache has to be older than a change to any of them.
    index: Any = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    if hasattr(index, "_source_stamp"):
        with contextlib.suppress(OSError):
            index._source_stamp = (index._source_stamp, _stamp(Path(function.__code__.co_filename).parent))
    return cast(F, dispatcher)


def kernel(function: F) -> F:
    """Compile `function` with numba: nopython, nogil, wrapping integer arithmetic, cached on disk when possible."""
    return _compiled(function)


def bare_kernel(function: F) -> F:
    """A kernel that allocates nothing and calls only kernels of this kind.

    Its arrays are passed without reference counting, whose atomics cost more than the work of a small function.
    """
    return _compiled(function, _nrt=False)


def inlined(function: F) -> F:
    """A kernel that numba inlines into its callers: for small helpers of hot loops."""
    return cast(F, numba.njit(nogil=True, cache=CACHED, error_model="numpy", inline="always")(function))
