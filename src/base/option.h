/* base/option.h -- what users can set through the environment, one row each.
 *
 * Row NAME is the variable HEDDLE_NAME. Options are read when they are asked for: there is no
 * state. docs/options.md is made from these rows.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_OPTION_H
#define HD_BASE_OPTION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*  type, name, default, meaning; width, dim and profile are numbers of which few have a meaning */
#define HD_OPTIONS(O)                                                                              \
    O(number, THREADS, 0, "worker threads; 0 = what affinity and cgroup limits allow")             \
    O(width, SUBGROUP, 0, "sub-group size in lanes (1, 4, 8, 16, 32); 0 = the widest native one")  \
    O(number, DISPATCH, 0, "1: per-lane dispatcher in place of linearised control flow")           \
    O(number, FIBERS, 0, "1: a stack for each sub-group in place of regions between barriers")     \
    O(number, CALLS, 0, "1: functions that can be called are, in place of inlining small kernels") \
    O(dim, LANE_DIM, 0, "1, 2, 3: lanes count along x, y, z where they may; 0 = by a cost rule")   \
    O(number, APART, 1,                                                                            \
      "0: code does not rely on buffers of a launch being different memory; 2: in launches by "    \
      "heddle_run, too, where nobody else knows how large they are")                               \
    O(number, JAM, 1,                                                                              \
      "0: a work-item does its own row of an NDRange alone; 2 to 8: it does so many where it "     \
      "may; 1 = by a cost rule")                                                                   \
    O(number, STREAM_KB, 0,                                                                        \
      "launches that move so many KiB store past the caches what they do not read, and deal out "  \
      "rounds of loops in steps of their size; 0 = half of the last-level cache")                  \
    O(number, CHECK, 0, "1: the driver runs kernels in the interpreter and looks for defects")     \
    O(text, CHECK_REPORT, "", "file for what CHECK finds: .json, .sarif, .html, else text")        \
    O(number, CHECK_EXIT, 0, "1: the process exits with 1 when CHECK has found an error")          \
    O(number, CHECK_OPTIMISED, 0, "1: OpenCL C for CHECK is optimised: faster, but hides defects") \
    O(number, CHECK_SEED, 0, "order in which CHECK runs work-groups; 0 = by number")               \
    O(number, CHECK_SECONDS, 0, "time that CHECK gives a work-group; 0 = any")                     \
    O(number, CACHE, 1, "0: keep no compiled kernels and sources on disk")                         \
    O(number, CACHE_MB, 256, "size of the disk cache, in MiB")                                     \
    O(text, CACHE_DIR, "", "folder of the disk cache; empty = the user's cache folder")            \
    O(number, AHEAD, 1, "0: the driver compiles kernels only when they are needed")                \
    O(number, PERF, 0, "1: names of compiled kernels for perf, in /tmp/perf-<pid>.map")            \
    O(number, DEBUGGER, 0, "1: gdb hears of kernels without lines, too")                           \
    O(text, CPU, "",                                                                               \
      "processor to compile for: x86-64-v2, x86-64-v3, x86-64-v4, icelake-server, "                \
      "sapphirerapids, "                                                                           \
      "znver4, generic; empty = this one")                                                         \
    O(profile, EMBEDDED, 0,                                                                        \
      "1: the device is one of the embedded profile, without 64-bit integers in modules; 2: and "  \
      "with them (cles_khr_int64)")                                                                \
    O(text, CLANG, "", "the clang that compiles OpenCL C; unset = clang-22; empty = none")

typedef enum HdOption {
#define O(type, name, initial, meaning) HD_OPTION_##name,
    HD_OPTIONS(O)
#undef O
        HD_OPTION_COUNT
} HdOption;

/* A number row's value; its default when unset, or set to what has no meaning. */
uint64_t hd_option_number(HdOption o);
/* A line for each number row that is set to what has no meaning: else nobody would notice. */
void hd_option_complain(FILE *to);
/* A text row's value, "" by default. Valid until the environment changes. */
const char *hd_option_text(HdOption o);
/* Name with its HEDDLE_ prefix, and meaning, of a row; NULL behind the last. */
const char *hd_option_name(unsigned o);
const char *hd_option_meaning(unsigned o);

#endif
