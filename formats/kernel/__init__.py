"""Kernels: functions of numbers and arrays that are compiled to machine code.

`@kernel` marks a function that kernels call, `@entry(...)` one that Python calls, with the types of its parameters.
Both are written in the subset of Python that numba compiles. They do not allocate memory, do not raise exceptions and
run without the GIL.

The entries of a module are compiled together, as one unit. The code of a unit comes from the library in an installed
package, else from the cache of this user, else child processes compile it into the cache. Code of other sources is
never used (`stamp`). Declaring kernels imports neither numba nor ctypes.

An entry takes one pointer to 64-bit words (`call`), so that its code needs neither Python nor numba. The entries of a
unit are one LLVM module, optimised once, as a whole; a stamp is the hash of its functions and constants.
`tools/kernel_library.py` makes the shared library of a wheel: numba gives LLVM bitcode, `zig cc` a library for any
system, on x86-64 in two versions (generic and AVX2), for any Python 3 and without numba. A file of the cache has its
SHA-256; a damaged one is deleted, and on a full or read-only disk units are compiled in memory. Up to four child
processes compile, the largest unit first; one process at a time compiles for a cache folder, the others wait and load
its results. Processes that compile have a lower priority than worker threads, because a worker that waits for a
processor may hold the interpreter lock.

Internals without machine code, no versions for literal arguments and one optimisation for a unit make the first
picture of a checkout take 15 s where it took 88 s. numba's own cache, the alternative, needs exactly its version of
Python and numba, breaks when its index is damaged, and would keep 207 MB of compiler on the user's disk. `compiler`
replaces internals of numba, so `setup.py` lists the releases that are tested.

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
