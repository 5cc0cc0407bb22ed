/* base/option.h -- what users can set through the environment, one row each.
 *
 * Row NAME is the variable HEDDLE_NAME. Options are read when queried: there is no state.
 * docs/options.md is generated from these rows.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_OPTION_H
#define HD_BASE_OPTION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*  type, name, default, meaning; of width, dim and profile few numbers are valid */
#define HD_OPTIONS(O)                                                                              \
    O(number, THREADS, 0, "worker threads; 0 = as many as affinity and cgroups allow")             \
    O(width, SUBGROUP, 0, "sub-group size in lanes (1, 4, 8, 16, 32); 0 = the widest native one")  \
    O(number, DISPATCH, 0, "1: per-lane dispatcher instead of linearised control flow")            \
    O(number, FIBERS, 0, "1: a stack for each sub-group instead of regions between barriers")      \
    O(number, GUARD, 0, "1: code of shaders tests whether a descriptor is bound, even if it is")   \
    O(number, CALLS, 0, "1: functions are called where possible instead of being inlined")         \
    O(dim, LANE_DIM, 0, "1, 2, 3: lanes run along x, y, z where possible; 0 = by a cost rule")     \
    O(number, APART, 1,                                                                            \
      "1: code may rely on the buffers of a launch not overlapping; 0: it may not; 2: also in "    \
      "launches by heddle_run, where Heddle does not know the sizes of buffers")                   \
    O(number, JAM, 1,                                                                              \
      "rows of an NDRange that a work-item computes: 0: its own; 2 to 16: so many where "          \
      "possible; 1 = by a cost rule")                                                              \
    O(number, TRIAL, 1,                                                                            \
      "kernels for which the estimate of the faster form is uncertain: 1: launches try both "      \
      "forms; 0: they use the estimated one; 2: the other one; 3: they try both, the other one "   \
      "first")                                                                                     \
    O(number, STREAM_KB, 0,                                                                        \
      "launches that access so many KiB or more use non-temporal stores for data that they do "    \
      "not read, and distribute the iterations of grid-stride loops; 0 = the size of the "         \
      "last-level cache, up to twice that only for data that were not read before they were "      \
      "written again")                                                                             \
    O(number, CHECK, 0, "1: the driver runs kernels in the interpreter and looks for defects")     \
    O(text, CHECK_REPORT, "", "file for what CHECK finds: .json, .sarif, .html, else text")        \
    O(number, CHECK_EXIT, 0, "1: the process exits with 1 when CHECK has found an error")          \
    O(number, CHECK_OPTIMISED, 0, "1: OpenCL C for CHECK is optimised: faster, but hides defects") \
    O(number, CHECK_SEED, 0, "order in which CHECK runs work-groups; 0 = by number")               \
    O(number, CHECK_SECONDS, 0, "time limit of CHECK for a work-group, in seconds; 0 = none")      \
    O(text, CHECK_COUNTS, "",                                                                      \
      "file for how often CHECK ran each opcode, and bytes of memory: .json, else text; %p in "    \
      "its name is the process's number")                                                          \
    O(text, CHECK_COVERAGE, "",                                                                    \
      "file for the lines and branches that CHECK ran, as lcov's tracefile; %p in its name is "    \
      "the process's number")                                                                      \
    O(text, CHECK_OBSERVER, "",                                                                    \
      "shared object whose heddle_observer_open looks on at CHECK, as heddle/heddle.h has it")     \
    O(number, CHECK_QUICK, 0, "1: CHECK runs the first and the last work-group of a launch only")  \
    O(number, MAX_GROUP, 0,                                                                        \
      "most work-items of a work-group, for programs that shall also run on a smaller device; "    \
      "0 = 4096")                                                                                  \
    O(number, LOCAL_KB, 0, "local memory of a smaller device, in KiB; 0 = 256")                    \
    O(number, GLOBAL_MB, 0,                                                                        \
      "global memory of a smaller device, in MiB, of which a buffer may have half; 0 = the "       \
      "machine's")                                                                                 \
    O(number, CONSTANT_KB, 0,                                                                      \
      "largest buffer of a constant argument of a smaller device, in KiB; 0 = the largest buffer") \
    O(text, BUILD_OPTIONS, "", "added to the options with which programs in OpenCL C are built")   \
    O(number, CACHE, 1, "0: do not cache compiled kernels and sources on disk; 2: only sources")   \
    O(number, CACHE_MB, 256, "size of the disk cache, in MiB")                                     \
    O(text, CACHE_DIR, "", "folder of the disk cache; empty = the user's cache folder")            \
    O(number, AHEAD, 1,                                                                            \
      "0: the driver compiles kernels, and starts clang, only when they are needed")               \
    O(text, CAPTURE, "",                                                                           \
      "folder for launches with the memory of their arguments, and a script that repeats each; "   \
      "empty = none")                                                                              \
    O(number, CAPTURE_LAUNCH, 1, "which launch of each kernel CAPTURE writes, from 1 on")          \
    O(text, TRACE, "",                                                                             \
      "file for a trace of API calls, commands, work-groups and builds, which Perfetto and "       \
      "chrome://tracing show; empty = none")                                                       \
    O(number, PASS_LIMIT, UINT64_MAX,                                                              \
      "how many of the passes that nothing relies on run over the lane IR of a kernel; "           \
      "tools/bisect_pass.py finds the pass that makes a program fail")                             \
    O(text, PASS_SKIP, "",                                                                         \
      "passes over lane IR that are left out, by name, with commas, as bench/ablation.py does; "   \
      "those that later stages rely on run all the same; empty = none")                            \
    O(number, VERIFY, 0, "1: lane IR is verified after each pass, not only after the last ones")   \
    O(number, PERF, 0, "1: write /tmp/perf-<pid>.map, with which perf names compiled kernels")     \
    O(number, DEBUGGER, 0, "1: kernels without line information are reported to gdb, too")         \
    O(text, CPU, "",                                                                               \
      "processor to compile for: x86-64-v2, x86-64-v3, x86-64-v4, icelake-server, "                \
      "sapphirerapids, znver3, znver4, znver5, generic; empty = this one")                         \
    O(number, OPTIMISE, 1,                                                                         \
      "0: kernels are compiled without LLVM's optimisations: ready sooner, and slower")            \
    O(profile, EMBEDDED, 0,                                                                        \
      "1: the device has the embedded profile, without 64-bit integers in modules; 2: with them "  \
      "(cles_khr_int64)")                                                                          \
    O(number, GPU, 0,                                                                              \
      "1: the device says that it is a GPU, for programs that use nothing else; 2: at the end of " \
      "a program that asked for GPUs and made no context, standard error names this option")       \
    O(text, CLANG, "",                                                                             \
      "the clang that compiles OpenCL C; unset = the one of a wheel, or clang-22, or the next "    \
      "older one down to clang-19; empty = none")                                                  \
    O(text, TRANSLATOR, "",                                                                        \
      "the llvm-spirv for a clang whose own SPIR-V back end is missing or lacks extensions; "      \
      "unset = the one of clang's version; empty = none")

typedef enum HdOption {
#define O(type, name, initial, meaning) HD_OPTION_##name,
    HD_OPTIONS(O)
#undef O
        HD_OPTION_COUNT
} HdOption;

/* A number row's value; its default when unset or invalid. */
uint64_t hd_option_number(HdOption o);
/* Is a text a value of a row? */
bool hd_option_takes(HdOption o, const char *text);
/* Print a warning for each number row whose value is invalid. */
void hd_option_complain(FILE *to);
/* A text row's value, "" by default. Valid until the environment changes. */
const char *hd_option_text(HdOption o);
/* Name with its HEDDLE_ prefix, and meaning, of a row; NULL past the last. */
const char *hd_option_name(unsigned o);
const char *hd_option_meaning(unsigned o);

#endif
