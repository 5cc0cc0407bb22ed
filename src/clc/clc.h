/* clc/clc.h -- OpenCL C to SPIR-V by clang, run as a process.
 *
 * Which compiler: clc/find.h; how it makes modules: clc/route.h. Sources, headers and results are
 * passed through a private folder that is removed when the call returns.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_CLC_H
#define HD_CLC_CLC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "base/strbuf.h"

/* Is there a compiler? Looks at the path, runs nothing. */
bool hd_clc_is_available(void);

/* Parsed OpenCL build options. */
typedef struct HdClcOptions {
    HdStrbuf args; /* clang's arguments: consecutive NUL-terminated strings */
    size_t arg_count;
    const char *extensions; /* the device's extensions and features of OpenCL C, and
                               __EMBEDDED_PROFILE__ if it is one of that profile, separated by
                               spaces; borrowed; NULL: whatever the compiler knows */
    void (*begins)(void *); /* called before the compiler is run, and again before it is for a
                             * second attempt; may be NULL */
    void *begins_user;
    const char *path;     /* the source's own file: named in messages, and #include "…" looks in
                             its folder first; borrowed; NULL: none, the current folder */
    bool fast_math;       /* -cl-fast-relaxed-math, -cl-unsafe-math-optimizations */
    bool no_progress;     /* -cl-no-subgroup-ifp */
    bool is_optimised;    /* no -cl-opt-disable */
    bool create_library;  /* -create-library */
    bool may_link;        /* other programs may define what the source only declares */
    bool may_modify;      /* -enable-link-options, which only a library may have */
    bool has_std;         /* -cl-std= was given */
    bool has_lines;       /* -g: the module says which line each instruction comes from */
    bool is_3_1;          /* it was CL3.1 */
    bool is_2_0;          /* it was OpenCL C 2.0 or later, which have blocks */
    bool has_arg_info;    /* -cl-kernel-arg-info */
    bool has_full_groups; /* -cl-uniform-work-group-size */
    bool zeroes_private;  /* variables of functions begin with zeros */
    bool is_checked;      /* -heddle-check: the driver runs kernels in the interpreter */
} HdClcOptions;

/* clang's arguments, one after the other.
 *   arg   NULL at first
 * False: there is no further one. */
bool hd_clc_next_arg(const HdClcOptions *options, const char **arg);

/* Where options may be used. */
typedef enum HdClcStage {
    HD_CLC_COMPILE = 1,
    HD_CLC_LINK = 2,
    HD_CLC_BUILD = 3 /* both */
} HdClcStage;

/* Parse options. text may be NULL. d (may be NULL) gets the first that is wrong, and what was
 * probably meant (source.options).
 * Errors: HD_BAD_INPUT, HD_NO_MEMORY. */
HdStatus hd_clc_options(const char *text, HdClcStage stage, HdClcOptions *out, HdDiags *d);
void hd_clc_options_free(HdClcOptions *o);

typedef struct HdClcHeader {
    const char *name; /* as #include has it; may hold folders, must not leave them */
    const char *text;
} HdClcHeader;

/* What is compiled; borrowed. */
typedef struct HdClcSource {
    const char *text; /* NUL-terminated */
    size_t bytes;     /* of text, without the NUL */
    const HdClcHeader *headers;
    size_t header_count;
} HdClcSource;

/* Compile.
 *   log     gets the compiler's messages, warnings of a successful run included
 *   words   heap, hd_free'd by the caller
 * Errors: HD_BAD_INPUT (the source; see log), HD_UNSUPPORTED (no compiler), HD_IO (it could not be
 * run, crashed or ran out of time; see log), HD_NO_MEMORY.
 * Threads: re-entrant. */
HdStatus hd_clc_compile(const HdClcSource *source, const HdClcOptions *options, HdStrbuf *log,
                        uint32_t **words, size_t *nwords);

#endif
