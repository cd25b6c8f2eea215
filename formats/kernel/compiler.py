"""Compiles units with numba to LLVM modules that need neither Python nor numba at run time.

numba's own compilation makes machine code for every function. Here functions that only kernels call stay LLVM IR,
literal arguments cause no further specialisations, and each unit is optimised once, as a whole. For this the module
replaces numba's target by its own; it must therefore be imported only in processes that only compile: the children of
`compilation` and the build of a wheel. It uses internals of numba and is tested with the releases that `setup.cfg`
allows.

The code is made for a level of processors (`machine`), not for the processor of this machine.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, codegen, cpu, externals, types
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys
from numba.core.target_extension import CPU, dispatcher_registry
from numba.np.arrayobj import populate_array

from formats.kernel.call import FAILED, RESULTS
from formats.kernel.declaration import UNITS, Array, DeclaredEntry, Kernel, Parameter
from formats.kernel.machine import FEATURES, level
from formats.kernel.stamp import checks_bounds

OPTIONS = {
    "nopython": True,
    "nogil": True,
    "error_model": "numpy",
    "_nrt": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "boundscheck": checks_bounds(),
}
WORD = ir.IntType(64)
_FIRST_PASSES: dict[str, Any] = {"cost": "cheap", "opt": 0, "loop_vectorize": False, "slp_vectorize": False}
"""numba's own first optimisation passes."""
_SCALARS = {int: types.int64, float: types.float64, bool: types.boolean}

LIBRARY_FUNCTIONS = ("llvm.", "mem", "sqrt", "pow", "floor", "ceil", "exp", "log", "sin", "cos", "fmod")
"""Prefixes of the external functions that the code may call; every system's C library has them."""

compiled: list[str] = []
"""The functions that were compiled, in order."""
observers: list[Callable[[str], None]] = []
"""Called with the name of each function that was compiled."""


class _Library(codegen.AOTCodeLibrary):
    """The IR of one function, neither optimised nor linked."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        self._finalized = True

    def modules(self) -> list[Any]:
        """The LLVM modules of the function and of all that it calls."""
        libraries: dict[int, _Library] = {}
        waiting = [self]
        while waiting:
            library = waiting.pop()
            if id(library) not in libraries:
                libraries[id(library)] = library
                waiting += library._linking_libraries
        return [library._final_module for library in libraries.values()]


class _Codegen(codegen.AOTCPUCodegen):
    _library_class = _Library

    def _customize_tm_options(self, options: dict[str, Any]) -> None:
        options.update(cpu="", features=FEATURES[level()], reloc="pic", codemodel="jitdefault", jit=True)


class _Context(cpu.CPUContext):
    def init(self) -> None:
        self.is32bit = False
        self._internal_codegen = _Codegen("kernels")
        externals.c_math_functions.install(self)

    def post_lowering(self, mod: Any, library: Any) -> None:
        """Link no runtime: kernels allocate nothing."""

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> object:
        return object()


class _Dispatcher(Dispatcher):
    targetdescr = cpu_target

    def get_call_template(self, args: Any, kws: Any) -> Any:
        plain = {name: types.unliteral(value) for name, value in kws.items()}
        return super().get_call_template([types.unliteral(value) for value in args], plain)

    def add_overload(self, cres: Any) -> None:
        self.overloads[tuple(cres.signature.args)] = cres
        name = f"{self.py_func.__module__}.{self.py_func.__name__}"
        compiled.append(name)
        for observer in observers:
            observer(name)


def _take_over() -> None:
    """Replace numba's target by that of this module."""
    rtsys._init = True  # no runtime is compiled
    cpu_target.__dict__["_toplevel_target_context"] = _Context(cpu_target.typing_context, "cpu")
    del dispatcher_registry[CPU]
    dispatcher_registry[CPU] = _Dispatcher


_take_over()


@functools.cache
def dispatcher(kernel: Kernel[..., Any]) -> Any:
    """The numba dispatcher of a kernel; each kernel has one."""
    return _Dispatcher(kernel.py_func, targetoptions=dict(OPTIONS))


# numba reads the type of a function's globals from this attribute.
Kernel._numba_type_ = property(lambda kernel: dispatcher(kernel)._numba_type_)  # type: ignore[attr-defined]


def _type(parameter: Parameter) -> Any:
    if isinstance(parameter, Array):
        return types.Array(numba.from_dtype(np.dtype(parameter.dtype)), parameter.dimensions, "C")
    return _SCALARS[parameter]


def unit_module(unit: str) -> Any:
    """The optimised LLVM module of a unit, with one external function for each entry, see `call`."""
    context = cpu_target.target_context
    maker = context.codegen()
    module = llvm.parse_assembly(str(maker._create_empty_module(unit)))
    entries = UNITS[unit].values()
    parts: dict[int, Any] = {}
    for entry in entries:
        types_of = tuple(_type(parameter) for parameter in entry.parameters)
        compiler = dispatcher(entry)
        compiler.compile(types_of)
        result = compiler.overloads[types_of]
        module.link_in(llvm.parse_assembly(cgutils.normalize_ir_text(str(_outer_function(context, entry, result)))))
        parts.update((id(part), part) for part in result.library.modules())
    for part in parts.values():
        module.link_in(part, preserve=True)
    outer = {entry.symbol for entry in entries}
    for function in module.functions:
        if not function.is_declaration and function.name not in outer:
            function.linkage = "internal"
    for variable in module.global_variables:
        if variable.name.startswith("_ZN08NumbaEnv"):
            variable.linkage = "internal"
    for options in (_FIRST_PASSES, {}, {}):
        passes, builder = maker._module_pass_manager(**options)
        passes.run(module, builder)
    module.verify()
    _check(unit, module)
    return module


def object_file(unit: str) -> bytes:
    """The unit compiled for this kind of machine."""
    return bytes(cpu_target.target_context.codegen()._tm.emit_object(unit_module(unit)))


def _check(unit: str, module: Any) -> None:
    strange = [f.name for f in module.functions if f.is_declaration and not f.name.startswith(LIBRARY_FUNCTIONS)]
    if strange:
        raise TypeError(f"{unit} needs {', '.join(strange)}: a kernel must neither allocate nor raise")


def _outer_function(context: Any, entry: DeclaredEntry[..., Any], compiled: Any) -> Any:
    """The IR of the external function of an entry, which takes its arguments as words."""
    module = context.create_module("outer")
    description = compiled.fndesc
    kind = context.call_conv.get_function_type(description.restype, description.argtypes)
    inner = ir.Function(module, kind, description.llvm_func_name)
    outer = ir.Function(module, ir.FunctionType(ir.VoidType(), [WORD.as_pointer()]), entry.symbol)
    builder = ir.IRBuilder(outer.append_basic_block("entry"))
    place = RESULTS

    def word() -> Any:
        nonlocal place
        place += 1
        return builder.load(builder.gep(outer.args[0], [ir.Constant(WORD, place - 1)]))

    arguments = []
    for parameter, kind in zip(entry.parameters, description.argtypes, strict=True):
        if isinstance(parameter, Array):
            arguments.append(_array(context, builder, kind, word))
        elif parameter is float:
            arguments.append(builder.bitcast(word(), ir.DoubleType()))
        else:
            arguments.append(builder.trunc(word(), ir.IntType(1)) if parameter is bool else word())
    status, value = context.call_conv.call_function(
        builder, inner, description.restype, description.argtypes, arguments
    )
    builder.store(builder.zext(status.is_error, WORD), builder.gep(outer.args[0], [ir.Constant(WORD, FAILED)]))
    wanted = entry.result
    if isinstance(wanted, tuple):
        results = [
            (builder.extract_value(value, place), kind, scalar)
            for place, (kind, scalar) in enumerate(zip(description.restype, wanted, strict=True))
        ]
    else:
        results = [] if wanted is None else [(value, description.restype, wanted)]
    for place, (returned, kind, scalar) in enumerate(results):
        whole = context.cast(builder, returned, kind, _SCALARS[scalar])
        bits = builder.zext(whole, WORD) if scalar is bool else builder.bitcast(whole, WORD)
        builder.store(bits, builder.gep(outer.args[0], [ir.Constant(WORD, place)]))
    builder.ret_void()
    return module


def _array(context: Any, builder: Any, kind: Any, word: Callable[[], Any]) -> Any:
    """numba's array structure, made from the address and lengths of an array."""
    array = context.make_array(kind)(context, builder)
    element = context.get_data_type(kind.dtype)
    data = builder.inttoptr(word(), element.as_pointer())
    lengths = [word() for _ in range(kind.ndim)]
    size = ir.Constant(WORD, context.get_abi_sizeof(element))
    strides: list[Any] = []
    stride: Any = size
    for length in reversed(lengths):
        strides.insert(0, stride)
        stride = builder.mul(stride, length)
    populate_array(array, data=data, shape=lengths, strides=strides, itemsize=size, meminfo=None)
    return array._getvalue()
