"""Functions that are compiled when they are first called; what only compiled code calls becomes a part of it.

By itself Numba makes machine code of every function, and copies that of each into all that call it, to be optimised
there once more: the lowest function of a tall tree is optimised as often as the tree is high. Here only what Python
calls becomes machine code; what that calls in turn is translated, and optimised with it, once.
"""

import gc
from collections.abc import Callable
from typing import Any

from numba.core import event
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult, Flags, compile_extra
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature

OPTIONS = {"nopython": True, "nogil": True, "boundscheck": None, "error_model": "numpy", "no_cfunc_wrapper": True}


class UnderWay(event.Listener):
    """How many functions are being compiled, each for the sake of the one before; at most one thread compiles.

    Meanwhile no garbage is looked for: there is little, and to look takes a tenth of the time.
    """

    def __init__(self) -> None:
        self.count = 0
        self.had_collector = False

    def on_start(self, _: event.Event) -> None:
        """A function begins to be compiled, perhaps for the sake of another."""
        if self.count == 0:
            self.had_collector = gc.isenabled()
            gc.disable()
        self.count += 1

    def on_end(self, _: event.Event) -> None:
        """It has been, or cannot be."""
        self.count -= 1
        if self.count == 0 and self.had_collector:
            gc.enable()


under_way = UnderWay()
event.register("numba:compile", under_way)


class Part:
    """What a function is known by that Python cannot call yet."""


class PartLibrary(JITCodeLibrary):
    """A function and all that it calls, translated only."""

    def finalize(self) -> None:
        """Take in what the function calls."""
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


class PartCompiler(_FunctionCompiler):
    """Compiles a function that Python calls to the end, and one that is called by it only half-way."""

    def _compile_core(self, args: tuple[Any, ...], return_type: Any) -> CompileResult:
        target, flags, library = self.targetdescr.target_context, Flags(), None
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        if under_way.count > 1:
            flags.no_compile = flags.no_cpython_wrapper = True
            library = PartLibrary(target.codegen(), self.py_func.__qualname__)
        typing = self.targetdescr.typing_context
        result = compile_extra(
            typing, target, self.py_func, args, return_type, flags, self.locals, library, self.pipeline_class
        )
        if library is None:
            for environment in result._find_referenced_environments():
                target.codegen().set_env(environment.env_name, environment)
        return result


class Function(CPUDispatcher):
    """A function, compiled for every combination of types that it is called with."""

    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__(function, targetoptions=OPTIONS)
        self._compiler = PartCompiler(function, self.targetdescr, OPTIONS, self.locals, Compiler)

    def compile(self, sig: Any) -> Any:
        """Compile for a signature, unless that has been done; for Python to the end, even what is a part elsewhere."""
        args, _ = normalize_signature(sig)
        with global_compiler_lock:
            known = self.overloads.get(tuple(args))
            if known is not None and isinstance(known.entry_point, Part) and under_way.count == 0:
                del self.overloads[tuple(args)]
            return super().compile(sig)

    def add_overload(self, cres: CompileResult) -> None:
        """Know what was compiled; a part under a name of its own, by which compiled callers find it."""
        if cres.entry_point is not None:
            super().add_overload(cres)
            return
        known = cres._replace(entry_point=Part())
        self.targetctx.insert_user_function(known.entry_point, known.fndesc, [known.library])
        self.overloads[tuple(known.signature.args)] = known
