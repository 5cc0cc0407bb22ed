"""Modules read, written, compiled, validated, linked, rewritten and compared.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

import ctypes
import os
from typing import Callable, Dict, Iterable, List, Optional, Union

from . import _native
from ._report import (BadInput, Finding, ModuleBytes, Severity, _finding, _number, _Report, _take,
                      _take_text, _words)


def driver() -> Optional[str]:
    """The path of the OpenCL driver that came with this package, for loaders that do not find it:
    OCL_ICD_VENDORS (ocl-icd) and OCL_ICD_FILENAMES (Khronos's loader) take it. None: there is none."""
    return _native.own_file("libheddle-cl.so")


def library_version() -> str:
    """The version of the library that was found."""
    version: bytes = _native.lib().heddle_version()
    return version.decode()


def assemble(text: Union[str, bytes], *, version: Optional[str] = None,
             preserve_ids: bool = False) -> bytes:
    """Assemble text in the syntax of SPIRV-Tools into a module of the given SPIR-V version.

    None is the version that the text's first comments name, as disassemble() writes them, else 1.6.
    With `preserve_ids`, %12 gets the id 12. Raises BadInput, whose finding has line and column.
    """
    data = text.encode() if isinstance(text, str) else bytes(text)
    major, minor = (int(part) for part in version.split(".")) if version is not None else (0, 0)
    words, count = ctypes.c_void_p(), ctypes.c_size_t()
    with _Report() as report:
        report.check(_native.lib().heddle_assemble_as(
            data, len(data), major << 16 | minor << 8, int(preserve_ids), report.handle,
            ctypes.byref(words), ctypes.byref(count)))
    return _take(words, count)


def compile(source: Union[str, bytes], options: Union[str, Iterable[str]] = "", *,
            path: Optional[Union[str, "os.PathLike[str]"]] = None) -> bytes:
    """Compile OpenCL C to a module, as the driver's device does when a program is built.

    `options` are those of clBuildProgram, in one text or one by one. With "-g" a Checker's defects
    name lines; with "-cl-opt-disable" nothing that is wrong is optimised away. `path` is named in
    messages, and its folder is searched first for includes. Raises BadInput with the compiler's
    messages, and Unsupported where there is no compiler.
    """
    data = source.encode() if isinstance(source, str) else bytes(source)
    words, count = ctypes.c_void_p(), ctypes.c_size_t()
    listed = options if isinstance(options, str) else " ".join(options)
    with _Report() as report:
        report.check(_native.lib().heddle_compile(
            data, len(data), os.fsencode(path) if path is not None else None, listed.encode(),
            report.handle, ctypes.byref(words), ctypes.byref(count)))
    return _take(words, count)


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
                                      _number(threads, "threads", 32), _number(limit, "limit"),
                                      function, None)
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
        *[_native.Specialization(_number(i, "a SpecId", 32), len(b), int.from_bytes(b[:8], "little"), bytes(b))
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
