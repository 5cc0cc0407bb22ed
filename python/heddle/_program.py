"""Programs: kernels and shaders that run.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

import ctypes
import dataclasses
import enum
from typing import Dict, List, Optional, Sequence, Tuple

from . import _native
from ._launch import Argument, Bindings, Sizes, _Dispatch, _Launch
from ._modules import _constants
from ._report import ModuleBytes, _Report, _text, _words


class BindingKind(enum.IntEnum):
    """What is given to a shader at a set and binding."""

    STORAGE_BUFFER = 0
    UNIFORM_BUFFER = 1
    PUSH_CONSTANTS = 2
    DESCRIPTOR_HEAP = 3
    OTHER = 4
    SAMPLED_IMAGE = 5
    STORAGE_IMAGE = 6
    UNIFORM_TEXEL_BUFFER = 7
    STORAGE_TEXEL_BUFFER = 8
    SAMPLER = 9
    COMBINED_IMAGE_SAMPLER = 10


@dataclasses.dataclass(frozen=True)
class BindingInfo:
    """A buffer, push constants or another resource of a shader.

    `elements` is 0 where it is no array of descriptors, `stride` where it has no run-time array.
    """

    kind: BindingKind
    set: int
    binding: int
    elements: int
    name: str
    fixed_size: int
    stride: int
    is_used: bool
    is_readonly: bool
    is_writeonly: bool


class Program:
    """A validated module with its constants set, and the compiled code of its kernels.

    `constants` are as for specialize(); `fast_math` allows mathematics of less precision, as
    -cl-fast-relaxed-math does. Raises BadInput for a module that is not valid, and Unsupported for
    one that cannot run here.
    """

    def __init__(self, module: ModuleBytes, constants: Optional[Dict[int, bytes]] = None, *,
                 fast_math: bool = False) -> None:
        self._handle = ctypes.c_void_p()
        words, count = _words(module)
        values = constants or {}
        options = _native.ProgramOptions(_constants(values), len(values), int(fast_math))
        with _Report() as report:
            report.check(_native.lib().heddle_program_open_with(
                words, count, ctypes.byref(options), report.handle, ctypes.byref(self._handle)))

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle:
            _native.lib().heddle_program_close(handle)
            self._handle = ctypes.c_void_p()

    def __repr__(self) -> str:
        return f"<heddle.Program with {', '.join(self.kernels) or 'no kernels'}>"

    @property
    def kernels(self) -> List[str]:
        """The names of its kernels."""
        lib = _native.lib()
        return [_text(lib.heddle_program_kernel(self._handle, i)) or ""
                for i in range(lib.heddle_program_kernel_count(self._handle))]

    def _index(self, name: Optional[str]) -> int:
        names = self.kernels
        if name is None and len(names) == 1:
            return 0
        if name not in names:
            raise ValueError(f"there is no entry point {name!r}; there are {', '.join(names)}")
        return names.index(name)

    def bindings(self, shader: Optional[str] = None) -> List[BindingInfo]:
        """What a shader is given, in the order of sets and bindings. None: the only entry point."""
        lib, index = _native.lib(), self._index(shader)
        out = []
        for i in range(lib.heddle_program_binding_count(self._handle, index)):
            b = lib.heddle_program_binding(self._handle, index, i)
            out.append(BindingInfo(BindingKind(b.kind), b.set, b.binding, b.elements,
                                   _text(b.name) or "", b.fixed_size, b.stride, bool(b.is_used),
                                   bool(b.is_readonly), bool(b.is_writeonly)))
        return out

    def local_size(self, shader: Optional[str] = None) -> Tuple[int, int, int]:
        """Invocations of a work-group in each dimension; 0: the host chooses."""
        size = (ctypes.c_uint32 * 3)()
        _native.lib().heddle_program_local_size(self._handle, self._index(shader), size)
        return size[0], size[1], size[2]

    def run(self, kernel: Optional[str], arguments: Sequence[Argument], global_size: Sizes, *,
            local_size: Optional[Sizes] = None, global_offset: Optional[Sizes] = None,
            interpreted: bool = False, subgroup_size: int = 0, threads: int = 0) -> str:
        """Run a kernel to its end and return what it printed. None: the only kernel.

        An argument is writable memory (bytearray, array.array, a NumPy array …), to which the
        kernel gets a pointer; a value (bytes, a number of ctypes or NumPy); Local(BYTES); an Image
        or a Sampler; or None, a null pointer. The kernel must not access anything outside the memory
        it is given: that is not checked. Raises BadInput for sizes and arguments that do not fit.
        """
        launch = _Launch(kernel, arguments, global_size, local_size, global_offset, interpreted,
                         subgroup_size, threads)
        with _Report() as report:
            report.check(_native.lib().heddle_run(self._handle, ctypes.byref(launch.native),
                                                  report.handle))
        return launch.text()

    def dispatch(self, shader: Optional[str], bindings: Bindings, groups: Sizes, *,
                 push: bytes = b"", interpreted: bool = False, subgroup_size: int = 0,
                 threads: int = 0) -> str:
        """Run so many workgroups of a compute shader. None: the only entry point.

        `bindings` has writable memory, an Image (of texel buffers with one dimension), a Sampler,
        both in a tuple, or None, for each (set, binding); of arrays of descriptors for each (set,
        binding, element), of heaps for each ("heap", index). `push` are the push constants. Raises
        BadInput where something that the shader uses is missing or too small.
        """
        run = _Dispatch(shader, bindings, groups, push, interpreted, subgroup_size, threads)
        with _Report() as report:
            report.check(_native.lib().heddle_dispatch_run(self._handle, ctypes.byref(run.native),
                                                           report.handle))
        return run.text()
