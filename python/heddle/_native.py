"""libheddle's structures and functions, as heddle/heddle.h declares them.

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

import ctypes
import ctypes.util
import os
import threading
from ctypes import POINTER, c_char_p, c_int, c_size_t, c_uint, c_uint32, c_uint64, c_void_p
from typing import Optional

HEAP = 0xffffffff
HEAP_IMAGE = 0xfffffffe
OK, BAD_INPUT, UNSUPPORTED, NO_MEMORY, IO, BUG = range(6)


class Finding(ctypes.Structure):
    _fields_ = [("severity", c_int), ("rule", c_char_p), ("message", c_char_p),
                ("spec", c_char_p), ("hint", c_char_p), ("instruction", c_char_p),
                ("source", c_char_p), ("source_line", c_uint32), ("byte", c_uint64),
                ("line", c_uint32), ("column", c_uint32)]


FOUND = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Finding))


class ValidateOptions(ctypes.Structure):
    _fields_ = [("env", c_char_p), ("extensions", c_char_p), ("threads", c_uint),
                ("limit", c_size_t), ("finding", FOUND), ("user", c_void_p)]


class Module(ctypes.Structure):
    _fields_ = [("words", POINTER(c_uint32)), ("nwords", c_size_t)]


class Specialization(ctypes.Structure):
    _fields_ = [("spec_id", c_uint32), ("size_bytes", c_uint32), ("bits", c_uint64),
                ("bytes", ctypes.c_char_p)]


class Header(ctypes.Structure):
    _fields_ = [(n, c_uint32) for n in ("version", "generator", "bound", "schema",
                                        "addressing_model", "memory_model")]


class Instruction(ctypes.Structure):
    _fields_ = [("opcode", c_uint32), ("name", c_char_p), ("word", c_uint32),
                ("nwords", c_uint32), ("words", POINTER(c_uint32)), ("type", c_uint32),
                ("result", c_uint32)]


class Operand(ctypes.Structure):
    _fields_ = [("kind", c_int), ("at", c_uint32), ("nwords", c_uint32), ("bits", c_uint32),
                ("is_signed", c_int), ("name", c_char_p), ("category", c_char_p),
                ("value", c_char_p)]


class Function(ctypes.Structure):
    _fields_ = [(n, c_uint32) for n in ("id", "result_type", "type", "word", "end",
                                        "parameter_count", "block_count")]


class EntryPoint(ctypes.Structure):
    _fields_ = [("execution_model", c_uint32), ("function", c_uint32), ("name", c_char_p)]


class ProgramOptions(ctypes.Structure):
    _fields_ = [("spec", POINTER(Specialization)), ("spec_count", c_size_t), ("fast_math", c_int)]


class Arg(ctypes.Structure):
    _fields_ = [("value", c_void_p), ("size", c_size_t)]


class Image(ctypes.Structure):
    _fields_ = [("texels", c_void_p), ("dimensions", c_uint32), ("width", c_uint32),
                ("height", c_uint32), ("depth", c_uint32), ("layers", c_uint32),
                ("levels", c_uint32), ("samples", c_uint32), ("channel_order", c_uint32),
                ("channel_type", c_uint32), ("row_pitch", c_uint64), ("slice_pitch", c_uint64)]


class Sampler(ctypes.Structure):
    _fields_ = [("normalized", c_int), ("addressing", c_uint32), ("filter", c_uint32),
                ("mip_filter", c_uint32)]


class ShaderSampler(ctypes.Structure):
    _fields_ = [("mag_filter", c_uint32), ("min_filter", c_uint32), ("mip_mode", c_uint32),
                ("address", c_uint32 * 3), ("compare_enable", c_uint32), ("compare", c_uint32),
                ("border", c_uint32), ("reduction", c_uint32), ("unnormalized", c_uint32),
                ("lod_bias", ctypes.c_float), ("min_lod", ctypes.c_float),
                ("max_lod", ctypes.c_float)]


PRINT = ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_size_t)


class Launch(ctypes.Structure):
    _fields_ = [("kernel", c_char_p), ("args", POINTER(Arg)), ("arg_count", c_size_t),
                ("work_dim", c_uint32), ("global_offset", c_uint64 * 3),
                ("global_size", c_uint64 * 3), ("local_size", c_uint64 * 3), ("engine", c_int),
                ("subgroup_size", c_uint32), ("threads", c_uint), ("print", PRINT),
                ("user", c_void_p)]


class Binding(ctypes.Structure):
    _fields_ = [("set", c_uint32), ("binding", c_uint32), ("element", c_uint32),
                ("memory", c_void_p), ("size", c_size_t)]


class BindingInfo(ctypes.Structure):
    _fields_ = [("kind", c_int), ("set", c_uint32), ("binding", c_uint32), ("elements", c_uint32),
                ("name", c_char_p), ("fixed_size", c_uint64), ("stride", c_uint64),
                ("is_used", c_int), ("is_readonly", c_int), ("is_writeonly", c_int)]


class Dispatch(ctypes.Structure):
    _fields_ = [("shader", c_char_p), ("bindings", POINTER(Binding)), ("binding_count", c_size_t),
                ("push", c_void_p), ("push_size", c_size_t), ("groups", c_uint32 * 3),
                ("engine", c_int), ("subgroup_size", c_uint32), ("threads", c_uint),
                ("print", PRINT), ("user", c_void_p)]


class CheckOptions(ctypes.Structure):
    _fields_ = [("seconds", c_uint64), ("seed", c_uint64)]


class Place(ctypes.Structure):
    _fields_ = [("function", c_char_p), ("instruction", c_char_p), ("source", c_char_p),
                ("line", c_uint32), ("column", c_uint32), ("byte", c_uint64)]


class ObservedLaunch(ctypes.Structure):
    _fields_ = [("kernel", c_char_p), ("work_dim", c_uint32), ("global_offset", c_uint64 * 3),
                ("global_size", c_uint64 * 3), ("local_size", c_uint64 * 3), ("data", c_void_p)]


class ObservedGroup(ctypes.Structure):
    _fields_ = [("launch", POINTER(ObservedLaunch)), ("id", c_uint64 * 3), ("size", c_uint64 * 3),
                ("lanes", c_uint32), ("data", c_void_p)]


class ObservedInstruction(ctypes.Structure):
    _fields_ = [("opcode", c_char_p), ("place", Place), ("first_item", c_uint32),
                ("lanes", c_uint64)]


class Access(ctypes.Structure):
    _fields_ = [("kind", c_int), ("storage", c_char_p), ("bytes", c_uint64), ("lanes", c_uint64),
                ("address", POINTER(c_uint64))]


def _event(*arguments: type) -> type:
    return ctypes.CFUNCTYPE(None, c_void_p, *map(POINTER, arguments))


class Observer(ctypes.Structure):
    _fields_ = [("user", c_void_p),
                ("launch_begins", _event(ObservedLaunch)), ("launch_ends", _event(ObservedLaunch)),
                ("group_begins", _event(ObservedGroup)), ("group_ends", _event(ObservedGroup)),
                ("instruction", _event(ObservedGroup, ObservedInstruction)),
                ("access", _event(ObservedGroup, ObservedInstruction, Access)),
                ("barrier", _event(ObservedGroup)), ("close", _event())]


class WorkItem(ctypes.Structure):
    _fields_ = [("is_known", c_int), ("global_id", c_uint64 * 3), ("local_id", c_uint64 * 3),
                ("group_id", c_uint64 * 3), ("subgroup", c_uint32), ("lane", c_uint32)]


class Defect(ctypes.Structure):
    _fields_ = [("severity", c_int), ("rule", c_char_p), ("message", c_char_p),
                ("kernel", c_char_p), ("variable", c_char_p), ("memory", c_char_p),
                ("hint", c_char_p), ("place", Place), ("item", WorkItem), ("other", c_char_p),
                ("other_place", Place), ("other_item", WorkItem), ("address", c_uint64),
                ("bytes", c_uint64), ("count", c_uint64)]


class KernelCounts(ctypes.Structure):
    _fields_ = [("kernel", c_char_p), ("launches", c_uint64), ("work_items", c_uint64),
                ("instructions", c_uint64)]


class OpcodeCount(ctypes.Structure):
    _fields_ = [("opcode", c_char_p), ("count", c_uint64)]


class InstructionCount(ctypes.Structure):
    _fields_ = [("opcode", c_char_p), ("place", Place), ("count", c_uint64)]


class MemoryCount(ctypes.Structure):
    _fields_ = [("storage", c_char_p), ("loaded", c_uint64), ("stored", c_uint64),
                ("atomic", c_uint64)]


class LineCount(ctypes.Structure):
    _fields_ = [("source", c_char_p), ("line", c_uint32), ("count", c_uint64)]


class BranchCount(ctypes.Structure):
    _fields_ = [("source", c_char_p), ("line", c_uint32), ("block", c_uint32), ("edge", c_uint32),
                ("is_reached", c_int), ("count", c_uint64)]


_FUNCTIONS = {
    "heddle_version": (c_char_p, []),
    "heddle_free": (None, [c_void_p]),
    "heddle_report_open": (c_void_p, []),
    "heddle_report_close": (None, [c_void_p]),
    "heddle_report_count": (c_size_t, [c_void_p]),
    "heddle_report_get": (Finding, [c_void_p, c_size_t]),
    "heddle_assemble_as": (c_int, [c_char_p, c_size_t, c_uint32, c_uint, c_void_p,
                                   POINTER(c_void_p), POINTER(c_size_t)]),
    "heddle_disassemble": (c_int, [POINTER(c_uint32), c_size_t, c_uint, c_void_p,
                                   POINTER(c_void_p)]),
    "heddle_validate_with": (c_int, [POINTER(c_uint32), c_size_t, POINTER(ValidateOptions),
                                     c_void_p]),
    "heddle_link": (c_int, [POINTER(Module), c_size_t, c_int, c_void_p, POINTER(c_void_p),
                            POINTER(c_size_t)]),
    "heddle_strip": (c_int, [POINTER(c_uint32), c_size_t, c_uint, c_void_p, POINTER(c_void_p),
                             POINTER(c_size_t)]),
    "heddle_specialize": (c_int, [POINTER(c_uint32), c_size_t, POINTER(Specialization), c_size_t,
                                  c_int, c_void_p, POINTER(c_void_p), POINTER(c_size_t)]),
    "heddle_lower": (c_int, [POINTER(c_uint32), c_size_t, c_char_p, c_char_p, c_void_p,
                             POINTER(c_void_p), POINTER(c_size_t)]),
    "heddle_view_open": (c_int, [POINTER(c_uint32), c_size_t, c_void_p, POINTER(c_void_p)]),
    "heddle_view_close": (None, [c_void_p]),
    "heddle_view_header": (Header, [c_void_p]),
    "heddle_view_next": (c_int, [c_void_p, POINTER(c_uint32), POINTER(Instruction)]),
    "heddle_view_definition": (c_int, [c_void_p, c_uint32, POINTER(Instruction)]),
    "heddle_view_name": (c_char_p, [c_void_p, c_uint32]),
    "heddle_view_text": (c_void_p, [c_void_p, POINTER(Instruction)]),
    "heddle_view_operands": (c_size_t, [c_void_p, POINTER(Instruction), POINTER(Operand),
                                        c_size_t]),
    "heddle_view_function_count": (c_size_t, [c_void_p]),
    "heddle_view_function": (Function, [c_void_p, c_size_t]),
    "heddle_view_entry_point_count": (c_size_t, [c_void_p]),
    "heddle_view_entry_point": (EntryPoint, [c_void_p, c_size_t]),
    "heddle_compile": (c_int, [c_char_p, c_size_t, c_char_p, c_char_p, c_void_p,
                               POINTER(c_void_p), POINTER(c_size_t)]),
    "heddle_diff": (c_int, [POINTER(Module), POINTER(Module), c_uint, c_void_p,
                            POINTER(c_void_p)]),
    "heddle_program_open_with": (c_int, [POINTER(c_uint32), c_size_t, POINTER(ProgramOptions),
                                         c_void_p, POINTER(c_void_p)]),
    "heddle_program_close": (None, [c_void_p]),
    "heddle_program_kernel_count": (c_size_t, [c_void_p]),
    "heddle_program_kernel": (c_char_p, [c_void_p, c_size_t]),
    "heddle_program_binding_count": (c_size_t, [c_void_p, c_size_t]),
    "heddle_program_binding": (BindingInfo, [c_void_p, c_size_t, c_size_t]),
    "heddle_program_local_size": (None, [c_void_p, c_size_t, POINTER(c_uint32)]),
    "heddle_run": (c_int, [c_void_p, POINTER(Launch), c_void_p]),
    "heddle_dispatch_run": (c_int, [c_void_p, POINTER(Dispatch), c_void_p]),
    "heddle_check_open": (c_void_p, []),
    "heddle_check_close": (None, [c_void_p]),
    "heddle_check_memory": (c_int, [c_void_p, c_void_p, c_size_t, c_char_p, c_uint]),
    "heddle_check_forget": (None, [c_void_p, c_void_p]),
    "heddle_check_wrote": (None, [c_void_p, c_void_p, c_size_t]),
    "heddle_check_reads": (None, [c_void_p, c_void_p, c_size_t]),
    "heddle_check_run": (c_int, [c_void_p, c_void_p, POINTER(Launch), POINTER(CheckOptions),
                                 c_void_p]),
    "heddle_check_dispatch": (c_int, [c_void_p, c_void_p, POINTER(Dispatch), POINTER(CheckOptions),
                                      c_void_p]),
    "heddle_check_observe": (None, [c_void_p, POINTER(Observer)]),
    "heddle_check_count": (c_size_t, [c_void_p]),
    "heddle_check_get": (Defect, [c_void_p, c_size_t]),
    "heddle_check_text": (c_void_p, [c_void_p, c_char_p, c_int]),
    "heddle_counts_begin": (None, [c_void_p]),
    "heddle_counts_kernel_count": (c_size_t, [c_void_p]),
    "heddle_counts_kernel": (KernelCounts, [c_void_p, c_size_t]),
    "heddle_counts_opcodes": (c_int, [c_void_p, c_size_t, POINTER(POINTER(OpcodeCount)),
                                      POINTER(c_size_t)]),
    "heddle_counts_instructions": (c_int, [c_void_p, c_size_t, POINTER(POINTER(InstructionCount)),
                                           POINTER(c_size_t)]),
    "heddle_counts_memory": (c_int, [c_void_p, c_size_t, POINTER(POINTER(MemoryCount)),
                                     POINTER(c_size_t)]),
    "heddle_counts_text": (c_void_p, [c_void_p, c_int]),
    "heddle_coverage_lines": (c_int, [c_void_p, POINTER(POINTER(LineCount)), POINTER(c_size_t)]),
    "heddle_coverage_branches": (c_int, [c_void_p, POINTER(POINTER(BranchCount)),
                                         POINTER(c_size_t)]),
    "heddle_coverage_write": (c_int, [c_void_p, c_char_p, c_void_p]),
}

_lock = threading.Lock()
_lib: Optional[ctypes.CDLL] = None


def own_file(name: str) -> Optional[str]:
    """The path of a file that came with this package: beside it, or where a wheel puts libraries,
    lib/heddle/ of the environment (or of pip's --target)."""
    here = os.path.dirname(os.path.abspath(__file__))
    for folder in (here, os.path.join(here, "..", "..", "..", "heddle"),
                   os.path.join(here, "..", "lib", "heddle")):
        path = os.path.normpath(os.path.join(folder, name))
        if os.path.exists(path):
            return path
    return None


def _open() -> ctypes.CDLL:
    path = (os.environ.get("HEDDLE_LIBRARY") or own_file("libheddle.so") or
            ctypes.util.find_library("heddle") or "libheddle.so.0")
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"libheddle.so was not found ({error}); HEDDLE_LIBRARY can name "
                          "it") from error
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def lib() -> ctypes.CDLL:
    """The library, opened once."""
    global _lib
    if _lib is None:
        with _lock:
            if _lib is None:
                _lib = _open()
    return _lib
