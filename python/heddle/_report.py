"""Findings, errors, and what every call of the library needs.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

import ctypes
import dataclasses
import enum
import operator
from typing import List, Optional, Sequence, Tuple, Union

from . import _native

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


def _number(value: object, what: str, bits: int = 64) -> int:
    """A number that the library has `bits` for: ctypes would take it modulo 2**bits."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{what} must be an integer, not {type(value).__name__}") from None
    if not 0 <= number < 1 << bits:
        raise ValueError(f"{what} must be from 0 to 2**{bits} - 1, not {number}")
    return number


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
    if isinstance(module, (str, int)):
        raise TypeError("a module is bytes, as compile() makes them of OpenCL C, assemble() of text "
                        f"and open(path, 'rb').read() of a file, not {type(module).__name__}")
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


def _take_text(text: Union[int, ctypes.c_void_p, None]) -> str:
    if not text:
        raise MemoryError
    try:
        return ctypes.string_at(text).decode("utf-8", "replace")
    finally:
        _native.lib().heddle_free(text)
