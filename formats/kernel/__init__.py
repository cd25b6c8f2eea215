"""Kernels: functions of numbers and arrays that are compiled to machine code.

`@kernel` marks a function that kernels call, `@entry(...)` one that Python calls, with the types of its parameters.
Both are written in the subset of Python that numba compiles. They do not allocate memory, do not raise exceptions and
run without the GIL.

The entries of a module are compiled together, as one unit. The code of a unit comes from the library in an installed
package, else from the cache of this user, else child processes compile it into the cache. Code of other sources is
never used (`stamp`). Declaring kernels imports neither numba nor ctypes.

    declaration  kernels, the types of parameters, which entries each module has
    entries      kernels that Python calls
    stamp        what the code of a unit depends on, as a hash
    resolve      where the code of a unit comes from
    library      the shared library of an installed package
    cache        compiled units in files, and the lock of the process that compiles
    compilation  child processes that compile
    progress     the progress of compilation, for observers
    compiler     numba: the LLVM module of a unit (runs in the children and when a wheel is built)
    machine      which processors code is made for
    machine_code loading an object file into this process
    call         calling machine code with Python's arguments
"""

from formats.kernel.declaration import Array, Kernel, interpreted, kernel, reads, writes
from formats.kernel.entries import KernelEntry, entry
from formats.kernel.errors import KernelError, NotCompiledError

__all__ = [
    "Array",
    "Kernel",
    "KernelEntry",
    "KernelError",
    "NotCompiledError",
    "entry",
    "interpreted",
    "kernel",
    "reads",
    "writes",
]
