"""Arguments of a kernel and bindings of a shader, as the library takes them.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

import ctypes
import dataclasses
from typing import Dict, Iterable, List, Optional, Sequence, Tuple, Union

from . import _native
from ._images import Image, Sampler, ShaderSampler
from ._report import ModuleBytes, _number


@dataclasses.dataclass(frozen=True)
class Local:
    """An argument that is a pointer to so many bytes of local memory."""

    size: int


Argument = Union[None, Local, Image, Sampler, ShaderSampler, ModuleBytes,
                 "ctypes._SimpleCData[object]", object]
Sizes = Union[int, Sequence[int]]


def _name(value: Optional[str], what: str) -> Optional[bytes]:
    if value is not None and not isinstance(value, str):
        raise TypeError(f"the name of a {what} must be a str, not {type(value).__name__}")
    return value.encode() if value is not None else None


def _view(value: object, what: str) -> memoryview:
    try:
        return memoryview(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{what} must be bytes or memory, not {type(value).__name__}; a number is "
                        "given as ctypes has it, ctypes.c_int(3), a vector or structure as bytes, "
                        "struct.pack('4f', …)") from None


def _image(value: Image, kept: List[object], what: str) -> _native.Arg:
    texels = _argument(value.memory, kept, what)
    if texels.size != 0 or not texels.value:
        raise TypeError("texels must be in a writable buffer")
    size = _sizes(value.size, "an image's size", 32)
    width, height, depth = (size + [1, 1])[:3]
    image = _native.Image(texels.value, len(size), width, height, depth,
                          _number(value.layers, "layers", 32), _number(value.levels, "levels", 32),
                          _number(value.samples, "samples", 32), value.order, value.type,
                          _number(value.row_pitch, "row_pitch"),
                          _number(value.slice_pitch, "slice_pitch"))
    kept.insert(len(kept) - 1, image)  # the memory stays the last
    return _native.Arg(ctypes.addressof(image), ctypes.sizeof(image))


def _shader_sampler(value: ShaderSampler, kept: List[object]) -> _native.Arg:
    sampler = _native.ShaderSampler(
        int(value.magnify_linear), int(value.minify_linear), int(value.mixes_levels),
        tuple(value.address), int(value.compare is not None), value.compare or 0, value.border,
        value.reduction, int(value.unnormalized), value.lod_bias, value.min_lod, value.max_lod)
    kept.append(sampler)
    return _native.Arg(ctypes.addressof(sampler), ctypes.sizeof(sampler))


def _argument(value: Argument, kept: List[object], what: str) -> _native.Arg:
    """The argument; what has to live until the launch has ended goes to `kept`."""
    if value is None:
        return _native.Arg(None, 0)
    if isinstance(value, Local):
        return _native.Arg(None, _number(value.size, "the size of local memory"))
    if isinstance(value, Sampler):
        filters = [0x1141 if is_linear else 0x1140
                   for is_linear in (value.linear, value.mixes_levels)]
        sampler = _native.Sampler(int(value.normalized), value.addressing, *filters)
        kept.append(sampler)
        return _native.Arg(ctypes.addressof(sampler), ctypes.sizeof(sampler))
    if isinstance(value, ShaderSampler):
        return _shader_sampler(value, kept)
    if isinstance(value, Image):
        return _image(value, kept, what)
    if isinstance(value, ctypes._SimpleCData):
        kept.append(value)
        return _native.Arg(ctypes.addressof(value), ctypes.sizeof(value))
    view = _view(value, what)
    if view.readonly:
        if view.nbytes == 0:  # the library would take it for memory, which has a size of 0
            raise ValueError(f"{what} has no bytes; memory that a kernel reads or writes must be "
                             "writable, as a bytearray is")
        copy = ctypes.create_string_buffer(view.tobytes(), view.nbytes)
        kept.append(copy)
        return _native.Arg(ctypes.addressof(copy), view.nbytes)
    if not view.c_contiguous:
        raise ValueError("memory that a kernel is given must be contiguous")
    memory = (ctypes.c_char * view.nbytes).from_buffer(view)
    kept.append(memory)
    return _native.Arg(ctypes.addressof(memory), 0)


def _sizes(value: Sizes, what: str, bits: int = 64) -> List[int]:
    sizes = list(value) if isinstance(value, Iterable) else [value]
    if not 1 <= len(sizes) <= 3:
        raise ValueError(f"{what} must have one to three dimensions")
    return [_number(n, what, bits) for n in sizes]


class _Launch:
    """A launch as the library takes it, with what must live until it has ended."""

    def __init__(self, kernel: Optional[str], arguments: Sequence[Argument], global_size: Sizes,
                 local_size: Optional[Sizes], global_offset: Optional[Sizes], interpreted: bool,
                 subgroup_size: int, threads: int) -> None:
        size = _sizes(global_size, "global_size")
        rest = [_sizes(s, what) if s is not None else []
                for s, what in ((global_offset, "global_offset"), (local_size, "local_size"))]
        if any(len(s) > len(size) for s in rest):
            raise ValueError("more dimensions than global_size has")
        self.kept: List[object] = []
        self.memory: List["ctypes.Array[ctypes.c_char]"] = []
        printed: List[bytes] = []
        self._printed = printed
        self.args = (_native.Arg * max(len(arguments), 1))()
        for i, value in enumerate(arguments):
            self.args[i] = _argument(value, self.kept, f"argument {i}")
            if isinstance(value, Image) or (self.args[i].size == 0 and self.args[i].value):
                self.memory.append(self.kept[-1])  # type: ignore[arg-type]
        self.native = _native.Launch(
            _name(kernel, "kernel"), self.args, len(arguments), len(size),
            tuple(rest[0]), tuple(size), tuple(rest[1]), int(bool(interpreted)),
            _number(subgroup_size, "subgroup_size", 32), _number(threads, "threads", 32),
            _native.PRINT(lambda _user, text, n: printed.append(ctypes.string_at(text, n))), None)

    def text(self) -> str:
        """What the kernel printed."""
        return b"".join(self._printed).decode("utf-8", "replace")


def address(value: object) -> int:
    """The device address of a writable buffer, for push constants and for the contents of buffers.

    The buffer must live, and keep its size, until the shader has run that uses the address.
    """
    view = _view(value, "what has an address")
    if view.readonly or not view.c_contiguous:
        raise TypeError("only contiguous memory that may be written has an address")
    return ctypes.addressof((ctypes.c_char * view.nbytes).from_buffer(view))


Bindings = Dict[Tuple[Union[str, int], ...], object]


_HEAPS = {"heap": 0, "samplers": 1}


def _bound_place(place: Tuple[Union[str, int], ...]) -> List[int]:
    """Set, binding and element of a binding; of a heap's descriptor what stands for them."""
    if len(place) == 2 and place[0] in _HEAPS:
        return [_native.HEAP, _HEAPS[str(place[0])], _number(place[1], "an index", 32)]
    if not 2 <= len(place) <= 3 or isinstance(place[0], str):
        raise ValueError("a binding is (set, binding), (set, binding, element), (\"heap\", index) "
                         "or (\"samplers\", index)")
    return [_number(n, "a binding's number", 32) for n in (*place, 0)[:3]]


class _Dispatch:
    """A shader's run as the library takes it, with what must live until it has ended."""

    def __init__(self, shader: Optional[str], bindings: Bindings, groups: Sizes, push: bytes,
                 interpreted: bool, subgroup_size: int, threads: int) -> None:
        self.kept: List[object] = []
        self.memory: Dict[Tuple[Union[str, int], ...], "ctypes.Array[ctypes.c_char]"] = {}
        printed: List[bytes] = []
        self._printed = printed
        bound = [(place, part) for place, value in bindings.items()
                 for part in (value if isinstance(value, tuple) else (value,))]
        self.bindings = (_native.Binding * max(len(bound), 1))()
        for i, (place, value) in enumerate(bound):
            where = _bound_place(place)
            if where[0] == _native.HEAP and isinstance(value, Image):
                where[0] = _native.HEAP_IMAGE
            memory = _argument(value, self.kept, f"binding {place}")
            is_opaque = isinstance(value, (Image, Sampler, ShaderSampler))
            if memory.size != 0 and not is_opaque:
                raise TypeError("what is bound must be a writable buffer, an Image or a Sampler")
            if memory.value and not isinstance(value, (Sampler, ShaderSampler)):
                self.memory[place] = self.kept[-1]  # type: ignore[assignment]
            size = memory.size
            if not is_opaque:
                size = len(self.kept[-1]) if memory.value else 0  # type: ignore[arg-type]
            self.bindings[i] = _native.Binding(*where, memory.value, size)
        self._push = ctypes.create_string_buffer(bytes(push), len(push)) if push else None
        self.native = _native.Dispatch(
            _name(shader, "shader"), self.bindings, len(bound),
            ctypes.addressof(self._push) if self._push is not None else None, len(push),
            tuple((_sizes(groups, "groups", 32) + [1, 1])[:3]), int(bool(interpreted)),
            _number(subgroup_size, "subgroup_size", 32), _number(threads, "threads", 32),
            _native.PRINT(lambda _user, text, n: printed.append(ctypes.string_at(text, n))), None)

    def text(self) -> str:
        """What the shader printed."""
        return b"".join(self._printed).decode("utf-8", "replace")
