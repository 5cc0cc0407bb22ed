"""What is in a module: instructions, functions, entry points.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

import ctypes
import dataclasses
import enum
from typing import Iterator, List, Optional, Tuple

from . import _native
from ._report import ModuleBytes, _Report, _text, _words


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

    def __repr__(self) -> str:
        version, entries = self.header.version, [e.name for e in self.entry_points]
        return (f"<heddle.Module of SPIR-V {version >> 16}.{version >> 8 & 255} with "
                f"{', '.join(entries) or 'no entry points'}>")

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
