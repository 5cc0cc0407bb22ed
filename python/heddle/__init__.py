"""OpenCL SPIR-V modules: read, written, validated, linked, run and checked by libheddle.

A module is `bytes`, in either endianness on the way in and in the host's on the way out. Errors are
exceptions (`Error` and its subclasses) that carry every finding.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

import ctypes
import dataclasses
import enum
import os
from typing import Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

from . import _native

__version__ = "0.1.0"
__all__ = [
    "Address", "Addressing", "BadInput", "BindingInfo", "BindingKind", "Border", "ChannelOrder", "ChannelType", "Checker", "Compare", "Defect", "EntryPoint", "Error", "Finding", "Form", "Function", "Header", "Image",
    "Instruction", "Local", "Module", "OperandKind", "Operand", "Place", "Program", "Reduction", "Sampler", "Severity", "ShaderSampler",
    "Unsupported", "WorkItem", "address", "assemble", "check", "compile", "diff", "disassemble", "driver",
    "library_version", "link", "lower", "specialize", "strip", "validate",
]

ModuleBytes = Union[bytes, bytearray, memoryview]


class Severity(enum.IntEnum):
    """How serious a finding is."""

    NOTE = 0
    WARNING = 1
    ERROR = 2


@dataclasses.dataclass(frozen=True)
class Finding:
    """One thing that is wrong or worth noting, and where it is."""

    severity: Severity
    rule: str
    message: str
    spec: Optional[str] = None
    hint: Optional[str] = None
    instruction: Optional[str] = None
    source: Optional[str] = None
    source_line: int = 0
    byte: Optional[int] = None
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        place = (f"{self.line}:{self.column}: " if self.line else
                 f"byte {self.byte}: " if self.byte is not None else "")
        return f"{place}{self.severity.name.lower()}: {self.message} [{self.rule}]"


class Error(Exception):
    """A call that failed; `findings` says why."""

    def __init__(self, message: str, findings: Sequence[Finding] = ()) -> None:
        super().__init__(message)
        self.findings: Tuple[Finding, ...] = tuple(findings)


class BadInput(Error):
    """The module, text or argument is wrong."""


class Unsupported(Error):
    """The module is valid, but what it asks for is not supported."""


def _text(value: Optional[bytes]) -> Optional[str]:
    return None if value is None else value.decode("utf-8", "replace")


def _finding(f: _native.Finding) -> Finding:
    return Finding(Severity(f.severity), _text(f.rule) or "", _text(f.message) or "",
                   _text(f.spec), _text(f.hint), _text(f.instruction), _text(f.source),
                   f.source_line, None if f.byte == 2**64 - 1 else f.byte, f.line, f.column)


class _Report:
    """A heddle_report, closed with the block that opened it."""

    def __enter__(self) -> "_Report":
        self._handle: int = _native.lib().heddle_report_open()
        if not self._handle:
            raise MemoryError
        return self

    def __exit__(self, *_: object) -> None:
        _native.lib().heddle_report_close(self._handle)

    @property
    def handle(self) -> int:
        return self._handle

    def findings(self) -> List[Finding]:
        lib = _native.lib()
        count = lib.heddle_report_count(self._handle)
        return [_finding(lib.heddle_report_get(self._handle, i)) for i in range(count)]

    def check(self, status: int) -> None:
        """Raise what the status stands for."""
        if status == _native.OK:
            return
        if status == _native.NO_MEMORY:
            raise MemoryError
        findings = self.findings()
        first = next((f for f in findings if f.severity == Severity.ERROR), None)
        kind = {_native.BAD_INPUT: BadInput, _native.UNSUPPORTED: Unsupported}.get(status, Error)
        raise kind(str(first) if first else f"status {status}", findings)


def _words(module: ModuleBytes) -> Tuple["ctypes.Array[ctypes.c_uint32]", int]:
    data = bytes(module)
    if len(data) % 4:
        raise BadInput(f"{len(data)} bytes are not a whole number of 4-byte words")
    # A copy of our own, as words have to be aligned.
    count = len(data) // 4
    return (ctypes.c_uint32 * max(count, 1)).from_buffer_copy(data.ljust(4, b"\0")), count


def _take(words: ctypes.c_void_p, count: ctypes.c_size_t) -> bytes:
    try:
        return ctypes.string_at(words, count.value * 4)
    finally:
        _native.lib().heddle_free(words)


def driver() -> Optional[str]:
    """The path of the OpenCL driver that came with this package, for loaders that do not find it:
    OCL_ICD_VENDORS (ocl-icd) and OCL_ICD_FILENAMES (Khronos's loader) take it. None: there is none."""
    return _native.own_file("libheddle-cl.so")


def library_version() -> str:
    """The version of the library that was found."""
    version: bytes = _native.lib().heddle_version()
    return version.decode()


def assemble(text: Union[str, bytes], *, version: str = "1.6", preserve_ids: bool = False) -> bytes:
    """Assemble text in the syntax of SPIRV-Tools into a module of the given SPIR-V version.

    With `preserve_ids`, %12 gets the id 12. Raises BadInput, whose finding has line and column.
    """
    data = text.encode() if isinstance(text, str) else bytes(text)
    major, minor = (int(part) for part in version.split("."))
    words, count = ctypes.c_void_p(), ctypes.c_size_t()
    with _Report() as report:
        report.check(_native.lib().heddle_assemble_as(
            data, len(data), major << 16 | minor << 8, int(preserve_ids), report.handle,
            ctypes.byref(words), ctypes.byref(count)))
    return _take(words, count)


def compile(source: Union[str, bytes], options: str = "", *,
            path: Optional[Union[str, "os.PathLike[str]"]] = None) -> bytes:
    """Compile OpenCL C to a module, as the driver's device does when a program is built.

    `options` are those of clBuildProgram. With "-g" a Checker's defects name lines; with
    "-cl-opt-disable" nothing that is wrong is optimised away. `path` is named in messages, and its
    folder is searched first for includes. Raises BadInput with the compiler's messages, and
    Unsupported where there is no compiler.
    """
    data = source.encode() if isinstance(source, str) else bytes(source)
    words, count = ctypes.c_void_p(), ctypes.c_size_t()
    with _Report() as report:
        report.check(_native.lib().heddle_compile(
            data, len(data), os.fsencode(path) if path is not None else None, options.encode(),
            report.handle, ctypes.byref(words), ctypes.byref(count)))
    return _take(words, count)


def _take_text(text: Union[int, ctypes.c_void_p, None]) -> str:
    if not text:
        raise MemoryError
    try:
        return ctypes.string_at(text).decode("utf-8", "replace")
    finally:
        _native.lib().heddle_free(text)


def disassemble(module: ModuleBytes, *, raw_ids: bool = False, header: bool = True,
                indent: bool = False, offsets: bool = False, colour: bool = False,
                comments: bool = False, nested: bool = False, reorder: bool = False,
                unknown: bool = False) -> str:
    """Disassemble a module, which must be well-formed but need not be valid."""
    flags = sum(bit for on, bit in ((raw_ids, 1), (not header, 2), (indent, 4), (offsets, 8),
                                    (colour, 16), (comments, 32), (nested, 64), (reorder, 128),
                                    (unknown, 256)) if on)
    words, count = _words(module)
    text = ctypes.c_void_p()
    with _Report() as report:
        report.check(_native.lib().heddle_disassemble(words, count, flags, report.handle,
                                                      ctypes.byref(text)))
    return _take_text(text)


def validate(module: ModuleBytes, *, env: Optional[str] = None, extensions: Optional[str] = None,
             threads: int = 1, limit: int = 0,
             callback: Optional[Callable[[Finding], None]] = None) -> List[Finding]:
    """Validate a module by the rules of SPIR-V and of an environment; return all findings.

    A valid module has no finding of severity ERROR. `env` is "opencl3.0", "universal1.4",
    "vulkan1.3" …, and `extensions` a list such as "cl_khr_fp16,cl_khr_subgroups" or "all,-cl_khr_fp16",
    of Vulkan one of features such as "scalarBlockLayout". `callback` is
    called for each finding, in module order; an exception from it is raised again when validation
    is done. Raises BadInput for unknown names.
    """
    words, count = _words(module)
    raised: List[BaseException] = []

    def found(_user: object, finding: "ctypes._Pointer[_native.Finding]") -> None:
        try:
            if callback is not None and not raised:
                callback(_finding(finding.contents))
        except BaseException as error:  # a C function stands between: raised below
            raised.append(error)

    function = _native.FOUND(found)
    options = _native.ValidateOptions(env.encode() if env else None,
                                      extensions.encode() if extensions is not None else None,
                                      threads, limit, function, None)
    with _Report() as report:
        status = _native.lib().heddle_validate_with(words, count, ctypes.byref(options),
                                                    report.handle)
        findings = report.findings()
        if raised:
            raise raised[0]
        if status != _native.BAD_INPUT or any(f.rule.startswith("env.") for f in findings):
            report.check(status)
        return findings


def check(module: ModuleBytes, *, env: Optional[str] = None,
          extensions: Optional[str] = None) -> None:
    """Raise BadInput if a module is not valid."""
    findings = validate(module, env=env, extensions=extensions)
    errors = [f for f in findings if f.severity == Severity.ERROR]
    if errors:
        raise BadInput(str(errors[0]), findings)


def link(modules: Iterable[ModuleBytes], *, library: bool = False) -> bytes:
    """Link modules into one; with `library`, keep exports and allow unresolved imports."""
    pairs = [_words(m) for m in modules]
    array = (_native.Module * max(len(pairs), 1))(
        *[_native.Module(ctypes.cast(w, ctypes.POINTER(ctypes.c_uint32)), n) for w, n in pairs])
    words, count = ctypes.c_void_p(), ctypes.c_size_t()
    with _Report() as report:
        report.check(_native.lib().heddle_link(array, len(pairs), int(library), report.handle,
                                               ctypes.byref(words), ctypes.byref(count)))
    return _take(words, count)


def strip(module: ModuleBytes, *, names: bool = True, debug: bool = True,
          nonsemantic: bool = True) -> bytes:
    """Remove names, debug information and non-semantic instructions from a module."""
    what = names * 1 | debug * 2 | nonsemantic * 4
    if what == 0:
        return bytes(module)
    given, given_count = _words(module)
    words, count = ctypes.c_void_p(), ctypes.c_size_t()
    with _Report() as report:
        report.check(_native.lib().heddle_strip(given, given_count, what, report.handle,
                                                ctypes.byref(words), ctypes.byref(count)))
    return _take(words, count)


def _constants(values: Dict[int, bytes]) -> "ctypes.Array[_native.Specialization]":
    return (_native.Specialization * max(len(values), 1))(
        *[_native.Specialization(i, len(b), int.from_bytes(b[:8], "little"), bytes(b))
          for i, b in values.items()])


def specialize(module: ModuleBytes, values: Dict[int, bytes], *, freeze: bool = False) -> bytes:
    """Give specialisation constants new defaults: SpecId to the bytes of a value of their type.

    With `freeze`, all of them become ordinary constants. Unknown SpecIds are ignored.
    """
    given, given_count = _words(module)
    spec = _constants(values)
    words, count = ctypes.c_void_p(), ctypes.c_size_t()
    with _Report() as report:
        report.check(_native.lib().heddle_specialize(
            given, given_count, spec, len(values), int(freeze), report.handle,
            ctypes.byref(words), ctypes.byref(count)))
    return _take(words, count)


def lower(module: ModuleBytes, *, env: str = "opencl3.0",
          extensions: Optional[str] = None) -> bytes:
    """Rewrite a module for drivers that lack newer extensions; the result is valid for the target.

    Raises Unsupported for what cannot be lowered, and BadInput if the result is still not valid.
    """
    given, given_count = _words(module)
    words, count = ctypes.c_void_p(), ctypes.c_size_t()
    with _Report() as report:
        report.check(_native.lib().heddle_lower(
            given, given_count, env.encode(), extensions.encode() if extensions is not None else None,
            report.handle, ctypes.byref(words), ctypes.byref(count)))
    return _take(words, count)


def diff(old: ModuleBytes, new: ModuleBytes, *, context: int = 3) -> str:
    """Compare two modules, however their ids are numbered; "" when nothing differs.

    Lines that begin with - are in the old module only, those with + in the new one.
    """
    kept = [_words(old), _words(new)]
    pair = [_native.Module(ctypes.cast(w, ctypes.POINTER(ctypes.c_uint32)), n) for w, n in kept]
    text = ctypes.c_void_p()
    with _Report() as report:
        report.check(_native.lib().heddle_diff(ctypes.byref(pair[0]), ctypes.byref(pair[1]),
                                               context, report.handle, ctypes.byref(text)))
    return _take_text(text)


# ---- looking into modules -----------------------------------------------------------------------

class OperandKind(enum.IntEnum):
    """What an operand is."""

    ID = 0
    INTEGER = 1
    FLOAT = 2
    STRING = 3
    ENUMERANT = 4
    MASK = 5
    EXTENDED = 6
    OPCODE = 7


@dataclasses.dataclass(frozen=True)
class Operand:
    """One operand: its words, and what the grammar says about it."""

    kind: OperandKind
    words: Tuple[int, ...]
    name: str
    category: str
    bits: int
    signed: bool
    text: Optional[str]

    @property
    def value(self) -> int:
        """The words as one number, sign-extended if it is signed."""
        number = sum(w << 32 * i for i, w in enumerate(self.words))
        width = 32 * len(self.words)
        return number - (1 << width) if self.signed and number >> (width - 1) else number


@dataclasses.dataclass(frozen=True)
class Header:
    """The header of a module, and its OpMemoryModel."""

    version: int
    generator: int
    bound: int
    schema: int
    addressing_model: int
    memory_model: int


@dataclasses.dataclass(frozen=True)
class Function:
    """A function: where it is in the module, and how large it is."""

    id: int
    result_type: int
    type: int
    word: int
    end: int
    parameter_count: int
    block_count: int


@dataclasses.dataclass(frozen=True)
class EntryPoint:
    """An entry point."""

    execution_model: int
    function: int
    name: str


class Instruction:
    """One instruction of a Module. Operands are decoded when asked for."""

    __slots__ = ("_module", "_native", "opcode", "name", "word", "words", "type", "result")

    def __init__(self, module: "Module", native: _native.Instruction) -> None:
        self._module = module
        self._native = native
        self.opcode: int = native.opcode
        self.name: str = native.name.decode()
        self.word: int = native.word
        self.words: Tuple[int, ...] = tuple(native.words[:native.nwords])
        self.type: int = native.type
        self.result: int = native.result

    @property
    def operands(self) -> List[Operand]:
        """All operands in order, result type and result included."""
        lib, view = _native.lib(), self._module._view
        count = lib.heddle_view_operands(view, ctypes.byref(self._native), None, 0)
        out = (_native.Operand * max(count, 1))()
        lib.heddle_view_operands(view, ctypes.byref(self._native), out, count)
        return [Operand(OperandKind(o.kind), self.words[o.at:o.at + o.nwords], o.name.decode(),
                        o.category.decode(), o.bits, bool(o.is_signed), _text(o.value))
                for o in out[:count]]

    def __str__(self) -> str:
        text = _native.lib().heddle_view_text(self._module._view, ctypes.byref(self._native))
        if not text:
            raise MemoryError
        try:
            return ctypes.string_at(text).decode("utf-8", "replace")
        finally:
            _native.lib().heddle_free(text)

    def __repr__(self) -> str:
        return f"<Instruction {self}>"


class Module:
    """A module to inspect; iterating over it yields its instructions.

    It must be well-formed (otherwise BadInput is raised) but need not be valid.
    """

    def __init__(self, module: ModuleBytes) -> None:
        self._view = ctypes.c_void_p()
        words, count = _words(module)
        with _Report() as report:
            report.check(_native.lib().heddle_view_open(words, count, report.handle,
                                                        ctypes.byref(self._view)))

    def __del__(self) -> None:
        view = getattr(self, "_view", None)
        if view:
            _native.lib().heddle_view_close(view)
            self._view = ctypes.c_void_p()

    @property
    def header(self) -> Header:
        h = _native.lib().heddle_view_header(self._view)
        return Header(h.version, h.generator, h.bound, h.schema, h.addressing_model,
                      h.memory_model)

    def _range(self, word: int, end: Optional[int]) -> Iterator[Instruction]:
        at, native = ctypes.c_uint32(word), _native.Instruction()
        lib = _native.lib()
        while (end is None or at.value < end) and lib.heddle_view_next(
                self._view, ctypes.byref(at), ctypes.byref(native)):
            yield Instruction(self, native)
            native = _native.Instruction()

    def __iter__(self) -> Iterator[Instruction]:
        return self._range(0, None)

    def instructions_of(self, function: Function) -> Iterator[Instruction]:
        """A function's instructions, OpFunction and OpFunctionEnd included."""
        return self._range(function.word, function.end)

    def definition(self, id: int) -> Optional[Instruction]:
        """The instruction that defines an id."""
        native = _native.Instruction()
        found = _native.lib().heddle_view_definition(self._view, id, ctypes.byref(native))
        return Instruction(self, native) if found else None

    def name(self, id: int) -> Optional[str]:
        """What OpName calls an id."""
        return _text(_native.lib().heddle_view_name(self._view, id))

    @property
    def functions(self) -> List[Function]:
        lib = _native.lib()
        all_ = [lib.heddle_view_function(self._view, i)
                for i in range(lib.heddle_view_function_count(self._view))]
        return [Function(f.id, f.result_type, f.type, f.word, f.end, f.parameter_count,
                         f.block_count) for f in all_]

    @property
    def entry_points(self) -> List[EntryPoint]:
        lib = _native.lib()
        all_ = [lib.heddle_view_entry_point(self._view, i)
                for i in range(lib.heddle_view_entry_point_count(self._view))]
        return [EntryPoint(e.execution_model, e.function, _text(e.name) or "") for e in all_]


# ---- running ------------------------------------------------------------------------------------

@dataclasses.dataclass(frozen=True)
class Local:
    """An argument that is a pointer to so many bytes of local memory."""

    size: int


class ChannelOrder(enum.IntEnum):
    """Which channels texels have, as in the OpenCL API."""

    R, A, RG, RA, RGB, RGBA, BGRA, ARGB, INTENSITY, LUMINANCE = range(0x10B0, 0x10BA)
    RGBX, DEPTH, DEPTH_STENCIL = range(0x10BC, 0x10BF)
    SRGBA, SBGRA, ABGR = range(0x10C1, 0x10C4)


class ChannelType(enum.IntEnum):
    """What a channel is, as in the OpenCL API."""

    SNORM_INT8, SNORM_INT16, UNORM_INT8, UNORM_INT16 = range(0x10D0, 0x10D4)
    UNORM_SHORT_565, UNORM_SHORT_555, UNORM_INT_101010 = range(0x10D4, 0x10D7)
    SIGNED_INT8, SIGNED_INT16, SIGNED_INT32 = range(0x10D7, 0x10DA)
    UNSIGNED_INT8, UNSIGNED_INT16, UNSIGNED_INT32 = range(0x10DA, 0x10DD)
    HALF_FLOAT, FLOAT, UNORM_INT24 = range(0x10DD, 0x10E0)
    UNORM_INT_101010_2 = 0x10E0
    UNORM_INT_2_101010 = 0x10E5  # this and what follows are of shaders alone
    UNSIGNED_INT_2_101010, FLOAT_10_11_11, SIGNED_INT64, UNSIGNED_INT64 = range(0x48444C11, 0x48444C15)


class Addressing(enum.IntEnum):
    """What a sampler reads outside of an image, as in the OpenCL API."""

    NONE, CLAMP_TO_EDGE, CLAMP, REPEAT, MIRRORED_REPEAT = range(0x1130, 0x1135)


@dataclasses.dataclass(frozen=True)
class Image:
    """An argument that is an image in writable memory; `size` is width, height, depth."""

    memory: object
    size: Sequence[int]
    order: ChannelOrder = ChannelOrder.RGBA
    type: ChannelType = ChannelType.UNORM_INT8
    layers: int = 0
    levels: int = 1
    samples: int = 1
    row_pitch: int = 0
    slice_pitch: int = 0


@dataclasses.dataclass(frozen=True)
class Sampler:
    """An argument that is a sampler."""

    normalized: bool = False
    addressing: Addressing = Addressing.NONE
    linear: bool = False
    mixes_levels: bool = False


class Address(enum.IntEnum):
    """What a shader's sampler reads outside of an image, as in the Vulkan API."""

    REPEAT, MIRRORED_REPEAT, CLAMP_TO_EDGE, CLAMP_TO_BORDER, MIRROR_CLAMP_TO_EDGE = range(5)


class Compare(enum.IntEnum):
    """How a reference is compared with texels, as in the Vulkan API."""

    NEVER, LESS, EQUAL, LESS_OR_EQUAL, GREATER, NOT_EQUAL, GREATER_OR_EQUAL, ALWAYS = range(8)


class Border(enum.IntEnum):
    """The colour of a border, as in the Vulkan API."""

    (FLOAT_TRANSPARENT_BLACK, INT_TRANSPARENT_BLACK, FLOAT_OPAQUE_BLACK, INT_OPAQUE_BLACK,
     FLOAT_OPAQUE_WHITE, INT_OPAQUE_WHITE) = range(6)


class Reduction(enum.IntEnum):
    """What is made of several texels, as in the Vulkan API."""

    WEIGHTED_AVERAGE, MIN, MAX = range(3)


@dataclasses.dataclass(frozen=True)
class ShaderSampler:
    """A sampler with everything that those of shaders have; bound to one."""

    magnify_linear: bool = False
    minify_linear: bool = False
    mixes_levels: bool = False
    address: Sequence[Address] = (Address.REPEAT,) * 3
    compare: Optional[Compare] = None
    border: Border = Border.FLOAT_TRANSPARENT_BLACK
    reduction: Reduction = Reduction.WEIGHTED_AVERAGE
    unnormalized: bool = False
    lod_bias: float = 0.0
    min_lod: float = 0.0
    max_lod: float = 1000.0


Argument = Union[None, Local, Image, Sampler, ShaderSampler, ModuleBytes, "ctypes._SimpleCData[object]", object]
Sizes = Union[int, Sequence[int]]


def _image(value: Image, kept: List[object]) -> _native.Arg:
    texels = _argument(value.memory, kept)
    if texels.size != 0 or not texels.value:
        raise TypeError("texels must be in a writable buffer")
    width, height, depth = (list(value.size) + [1, 1])[:3]
    image = _native.Image(texels.value, len(value.size), width, height, depth, value.layers,
                          value.levels, value.samples, value.order, value.type, value.row_pitch,
                          value.slice_pitch)
    kept.insert(len(kept) - 1, image)  # the memory stays the last
    return _native.Arg(ctypes.addressof(image), ctypes.sizeof(image))


def _shader_sampler(value: ShaderSampler, kept: List[object]) -> _native.Arg:
    sampler = _native.ShaderSampler(
        int(value.magnify_linear), int(value.minify_linear), int(value.mixes_levels),
        tuple(value.address), int(value.compare is not None), value.compare or 0, value.border,
        value.reduction, int(value.unnormalized), value.lod_bias, value.min_lod, value.max_lod)
    kept.append(sampler)
    return _native.Arg(ctypes.addressof(sampler), ctypes.sizeof(sampler))


def _argument(value: Argument, kept: List[object]) -> _native.Arg:
    """The argument; what has to live until the launch has ended goes to `kept`."""
    if value is None:
        return _native.Arg(None, 0)
    if isinstance(value, Local):
        return _native.Arg(None, value.size)
    if isinstance(value, Sampler):
        filters = [0x1141 if is_linear else 0x1140
                   for is_linear in (value.linear, value.mixes_levels)]
        sampler = _native.Sampler(int(value.normalized), value.addressing, *filters)
        kept.append(sampler)
        return _native.Arg(ctypes.addressof(sampler), ctypes.sizeof(sampler))
    if isinstance(value, ShaderSampler):
        return _shader_sampler(value, kept)
    if isinstance(value, Image):
        return _image(value, kept)
    if isinstance(value, ctypes._SimpleCData):
        kept.append(value)
        return _native.Arg(ctypes.addressof(value), ctypes.sizeof(value))
    view = memoryview(value)  # type: ignore[arg-type]
    if view.readonly:
        copy = ctypes.create_string_buffer(view.tobytes(), view.nbytes)
        kept.append(copy)
        return _native.Arg(ctypes.addressof(copy), view.nbytes)
    if not view.c_contiguous:
        raise ValueError("memory that a kernel is given must be contiguous")
    memory = (ctypes.c_char * view.nbytes).from_buffer(view.cast("B"))
    kept.append(memory)
    return _native.Arg(ctypes.addressof(memory), 0)


def _sizes(value: Sizes) -> List[int]:
    sizes = [value] if isinstance(value, int) else list(value)
    if not 1 <= len(sizes) <= 3:
        raise ValueError("sizes have one to three dimensions")
    return sizes


class _Launch:
    """A launch as the library takes it, with what must live until it has ended."""

    def __init__(self, kernel: Optional[str], arguments: Sequence[Argument], global_size: Sizes,
                 local_size: Optional[Sizes], global_offset: Optional[Sizes], interpreted: bool,
                 subgroup_size: int, threads: int) -> None:
        size = _sizes(global_size)
        rest = [_sizes(s) if s is not None else [] for s in (global_offset, local_size)]
        if any(len(s) > len(size) for s in rest):
            raise ValueError("more dimensions than global_size has")
        self.kept: List[object] = []
        self.memory: List["ctypes.Array[ctypes.c_char]"] = []
        self._printed = printed = []  # type: List[bytes]
        self.args = (_native.Arg * max(len(arguments), 1))()
        for i, value in enumerate(arguments):
            self.args[i] = _argument(value, self.kept)
            if isinstance(value, Image) or (self.args[i].size == 0 and self.args[i].value):
                self.memory.append(self.kept[-1])  # type: ignore[arg-type]
        self.native = _native.Launch(
            kernel.encode() if kernel is not None else None, self.args, len(arguments), len(size),
            tuple(rest[0]), tuple(size), tuple(rest[1]), int(interpreted), subgroup_size, threads,
            _native.PRINT(lambda _user, text, n: printed.append(ctypes.string_at(text, n))), None)

    def text(self) -> str:
        """What the kernel printed."""
        return b"".join(self._printed).decode("utf-8", "replace")


def address(value: object) -> int:
    """The device address of a writable buffer, for push constants and for the contents of buffers.

    The buffer must live, and keep its size, until the shader has run that uses the address.
    """
    view = memoryview(value)  # type: ignore[arg-type]
    if view.readonly or not view.c_contiguous:
        raise TypeError("only contiguous memory that may be written has an address")
    return ctypes.addressof((ctypes.c_char * view.nbytes).from_buffer(view.cast("B")))


Bindings = Dict[Tuple[Union[str, int], ...], object]


_HEAPS = {"heap": 0, "samplers": 1}


def _bound_place(place: Tuple[Union[str, int], ...]) -> List[int]:
    """Set, binding and element of a binding; of a heap's descriptor what stands for them."""
    if len(place) == 2 and place[0] in _HEAPS:
        return [_native.HEAP, _HEAPS[str(place[0])], int(place[1])]
    if not 2 <= len(place) <= 3 or isinstance(place[0], str):
        raise ValueError("a binding is (set, binding), (set, binding, element), (\"heap\", index) "
                         "or (\"samplers\", index)")
    return [int(n) for n in (*place, 0)[:3]]


class _Dispatch:
    """A shader's run as the library takes it, with what must live until it has ended."""

    def __init__(self, shader: Optional[str], bindings: Bindings, groups: Sizes, push: bytes,
                 interpreted: bool, subgroup_size: int, threads: int) -> None:
        self.kept: List[object] = []
        self.memory: Dict[Tuple[Union[str, int], ...], "ctypes.Array[ctypes.c_char]"] = {}
        self._printed = printed = []  # type: List[bytes]
        bound = [(place, part) for place, value in bindings.items()
                 for part in (value if isinstance(value, tuple) else (value,))]
        self.bindings = (_native.Binding * max(len(bound), 1))()
        for i, (place, value) in enumerate(bound):
            where = _bound_place(place)
            if where[0] == _native.HEAP and isinstance(value, Image):
                where[0] = _native.HEAP_IMAGE
            memory = _argument(value, self.kept)
            is_opaque = isinstance(value, (Image, Sampler, ShaderSampler))
            if memory.size != 0 and not is_opaque:
                raise TypeError("what is bound must be a writable buffer, an Image or a Sampler")
            if memory.value and not isinstance(value, (Sampler, ShaderSampler)):
                self.memory[place] = self.kept[-1]  # type: ignore[assignment]
            size = memory.size if is_opaque else len(self.kept[-1]) if memory.value else 0  # type: ignore[arg-type]
            self.bindings[i] = _native.Binding(*where, memory.value, size)
        self._push = ctypes.create_string_buffer(bytes(push), len(push)) if push else None
        self.native = _native.Dispatch(
            shader.encode() if shader is not None else None, self.bindings, len(bound),
            ctypes.addressof(self._push) if self._push is not None else None, len(push),
            tuple((_sizes(groups) + [1, 1])[:3]), int(interpreted), subgroup_size, threads,
            _native.PRINT(lambda _user, text, n: printed.append(ctypes.string_at(text, n))), None)

    def text(self) -> str:
        """What the shader printed."""
        return b"".join(self._printed).decode("utf-8", "replace")


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
        or a Sampler; or None, a null pointer. The kernel must not access anything outside the memory it is given: that is
        not checked. Raises BadInput for sizes and arguments that do not fit the kernel.
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
        """Run so many work-groups of a compute shader. None: the only entry point.

        `bindings` has writable memory, an Image (of texel buffers with one dimension), a Sampler, both in a tuple, or None,
        for each (set, binding); of arrays of descriptors
        for each (set, binding, element), of heaps for each ("heap", index). `push` are the push constants. Raises BadInput where
        something that the shader uses is missing or too small.
        """
        run = _Dispatch(shader, bindings, groups, push, interpreted, subgroup_size, threads)
        with _Report() as report:
            report.check(_native.lib().heddle_dispatch_run(self._handle, ctypes.byref(run.native),
                                                           report.handle))
        return run.text()


# ---- checked runs -------------------------------------------------------------------------------

class Form(enum.IntEnum):
    """Forms of a report."""

    TEXT = 0
    COLOUR = 1
    JSON = 2
    SARIF = 3
    HTML = 4


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a defect is, as far as it is known."""

    function: Optional[str]
    instruction: Optional[str]
    source: Optional[str]
    line: int
    column: int
    byte: Optional[int]


@dataclasses.dataclass(frozen=True)
class WorkItem:
    """Which work-item did it."""

    global_id: Tuple[int, ...]
    local_id: Tuple[int, ...]
    group_id: Tuple[int, ...]
    subgroup: int
    lane: int


@dataclasses.dataclass(frozen=True)
class Defect:
    """One place where a kernel does what it must not, and how often it did."""

    severity: Severity
    rule: str
    message: str
    kernel: Optional[str]
    variable: Optional[str]
    memory: Optional[str]
    hint: Optional[str]
    place: Place
    item: Optional[WorkItem]
    other: Optional[str]
    other_place: Optional[Place]
    other_item: Optional[WorkItem]
    address: int
    bytes: int
    count: int

    def __str__(self) -> str:
        place = f"{self.place.source}:{self.place.line}: " if self.place.source else ""
        return f"{place}{self.severity.name.lower()}: {self.message} [{self.rule}]"


def _place(p: _native.Place) -> Place:
    return Place(_text(p.function), _text(p.instruction), _text(p.source), p.line, p.column,
                 None if p.byte == 2**64 - 1 else p.byte)


def _item(i: _native.WorkItem) -> Optional[WorkItem]:
    return WorkItem(tuple(i.global_id), tuple(i.local_id), tuple(i.group_id), i.subgroup,
                    i.lane) if i.is_known else None


def _defect(d: _native.Defect) -> Defect:
    has_other = d.other is not None
    return Defect(Severity(d.severity), _text(d.rule) or "", _text(d.message) or "",
                  _text(d.kernel), _text(d.variable), _text(d.memory), _text(d.hint),
                  _place(d.place), _item(d.item), _text(d.other),
                  _place(d.other_place) if has_other else None,
                  _item(d.other_item) if has_other else None, d.address, d.bytes, d.count)


class Checker:
    """Runs kernels in the reference interpreter and collects what they do wrong.

    Found are accesses out of bounds, data races, uses of values that do not exist, divergent
    barriers and other undefined behaviour. Each place is reported once, and the run goes on where
    it can. Memory that arguments point to is kept alive as long as the checker.
    """

    def __init__(self) -> None:
        self._handle: Optional[int] = _native.lib().heddle_check_open()
        self._kept: List[object] = []
        self._known: Dict[int, int] = {}
        if not self._handle:
            raise MemoryError

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle:
            _native.lib().heddle_check_close(handle)
            self._handle = None

    def memory(self, value: object, name: Optional[str] = None, *, undefined: bool = False,
               read_only: bool = False, write_only: bool = False) -> None:
        """Declare memory that kernels may touch: a writable buffer.

        run() declares what arguments point to, with values and for reading and writing. What is
        `undefined` has no values until it is written.
        """
        at, size = self._memory(value)
        self._declare(at, size, name, undefined | read_only << 1 | write_only << 2)

    def wrote(self, value: object) -> None:
        """The host has written all of this memory: it has values now."""
        _native.lib().heddle_check_wrote(self._handle, *self._memory(value))

    def reads(self, value: object) -> None:
        """The host is about to read all of this memory: what has no value is a defect."""
        _native.lib().heddle_check_reads(self._handle, *self._memory(value))

    def forget(self, value: object) -> None:
        """This memory is gone: later accesses are defects."""
        at, _ = self._memory(value)
        _native.lib().heddle_check_forget(self._handle, at)
        self._known.pop(at, None)

    def _memory(self, value: object) -> Tuple[int, int]:
        kept: List[object] = []
        argument = _argument(value, kept)
        if argument.size != 0 or not argument.value:
            raise TypeError("memory must be a writable buffer")
        self._kept += kept
        return argument.value, len(kept[-1])  # type: ignore[arg-type]

    def _declare(self, at: int, size: int, name: Optional[str], flags: int) -> None:
        with _Report() as report:
            report.check(_native.lib().heddle_check_memory(
                self._handle, at, size, name.encode() if name is not None else None, flags))
        self._known[at] = size

    def run(self, program: Program, kernel: Optional[str], arguments: Sequence[Argument],
            global_size: Sizes, *, local_size: Optional[Sizes] = None,
            global_offset: Optional[Sizes] = None, subgroup_size: int = 0, threads: int = 0,
            seconds: int = 0, seed: int = 0) -> str:
        """Run a kernel checked; otherwise as Program.run().

        A work-group may run for so many `seconds` (0: any time); another `seed` is another order of
        work-groups and sub-groups. Defects are no errors: see `defects`.
        """
        launch = _Launch(kernel, arguments, global_size, local_size, global_offset, True,
                         subgroup_size, threads)
        for memory in launch.memory:
            at = ctypes.addressof(memory)
            if self._known.get(at) != len(memory):
                self._declare(at, len(memory), None, 0)
        self._kept += [*launch.kept, program]
        options = _native.CheckOptions(seconds, seed)
        with _Report() as report:
            report.check(_native.lib().heddle_check_run(
                self._handle, program._handle, ctypes.byref(launch.native), ctypes.byref(options),
                report.handle))
        return launch.text()

    def dispatch(self, program: Program, shader: Optional[str], bindings: Bindings, groups: Sizes, *,
                 push: bytes = b"", subgroup_size: int = 0, threads: int = 0, seconds: int = 0,
                 seed: int = 0) -> str:
        """Run a compute shader checked; otherwise as Program.dispatch(), and as run()."""
        run = _Dispatch(shader, bindings, groups, push, True, subgroup_size, threads)
        for place, memory in run.memory.items():
            at = ctypes.addressof(memory)
            if self._known.get(at) != len(memory):
                name = "%s[%s]" % place if place[0] in _HEAPS else \
                    "binding " + ".".join(map(str, place))
                self._declare(at, len(memory), name, 0)
        self._kept += [*run.kept, program]
        options = _native.CheckOptions(seconds, seed)
        with _Report() as report:
            report.check(_native.lib().heddle_check_dispatch(
                self._handle, program._handle, ctypes.byref(run.native), ctypes.byref(options),
                report.handle))
        return run.text()

    @property
    def defects(self) -> List[Defect]:
        """All that was found, notes and warnings included."""
        lib = _native.lib()
        return [_defect(lib.heddle_check_get(self._handle, i))
                for i in range(lib.heddle_check_count(self._handle))]

    def report(self, form: Form = Form.TEXT, file: Optional[str] = None) -> str:
        """All defects as people or programs read them; `file` names what ran."""
        return _take_text(_native.lib().heddle_check_text(
            self._handle, os.fsencode(file) if file is not None else None, form))
