/* clc/job.h -- a running compilation: its private folder, its compiler, the command to run next.
 *
 * clc.c decides what is run, command.c writes the command line, process.c runs it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_JOB_H
#define HD_CLC_JOB_H

#include "clc/clc.h"
#include "clc/find.h"
#include "clc/folder.h"

/* What is left out for a source in which LLVM's optimiser makes integers of odd widths: four bits
 * for a counter that begins with `n & 15`, where n counts an outer loop. Its back end takes the
 * next larger type without clearing the other bits. */
typedef enum HdClcCare {
    HD_CLC_NOTHING_LEFT_OUT,
    HD_CLC_NO_WIDE_COUNTERS,
    HD_CLC_NO_OPTIMISATION
} HdClcCare;

typedef struct HdClcJob {
    HdClcFolder folder;
    char compiler[HD_CLC_PATH_ROOM];
    /* Of the compiler's LLVM IR; "": its back end makes modules. */
    char translator[HD_CLC_PATH_ROOM];
    HdStrbuf unknown;  /* extensions that the back end does not know: "+NAME," for each */
    HdStrbuf recalled; /* the way that an earlier build has found (clc/route.h); empty: none */
    HdStrbuf files;    /* that its compilations have read: a rule for make */
    HdStrbuf included; /* texts of files outside of the folder that the last one has read */
    size_t log_from;   /* where the log begins of the attempt that counts */
    HdStrbuf in_way;   /* what was said of functions that the prelude and the source define */
    HdStrbuf args;     /* as in HdClcOptions */
    size_t arg_count;
    HdStrbuf *log;
    bool is_repeated;  /* this process has compiled before */
    bool is_again;     /* warnings were already reported */
    bool tells_widths; /* integers of odd widths stay in the module */
    bool has_odd;      /* it has some, but for reversals, which are repaired */
    bool has_blocks;   /* the source may enqueue some */
    bool redefines;    /* it has macros of its own where the prelude has some (clc/own.h) */
    bool is_optimised; /* not always as the options say */
    HdClcCare care;    /* of what is optimised */
    bool keeps_names;  /* the back end does, and has no option for it */
    bool is_plain;     /* plain.cl is the source: preprocessed, without macros (clc/own.h) */
    bool from_text;    /* inline.ll is compiled instead of the source (clc/inline.h) */
} HdClcJob;

/* What a run of the compiler makes. */
typedef enum HdClcProduct {
    HD_CLC_MODULE, /* out.spv */
    HD_CLC_INFO,   /* info.ll: unoptimised LLVM IR of the source, for what SPIR-V omits */
    HD_CLC_INLINE, /* inline.ll: the same with bodies of inline functions */
    HD_CLC_LINES,  /* lines.ll: LLVM's text of what would become the module, with names and lines */
    HD_CLC_TEXT,   /* the same without lines */
    HD_CLC_SOURCE, /* source.i: the source, preprocessed, with the macros that it defines */
} HdClcProduct;

/* Write the command line that makes a product of the source; of inline.ll where the job says so.
 * Running out of memory is remembered in the job's args. */
void hd_clc_command(HdClcJob *j, const HdClcOptions *o, HdClcProduct product);
/* Without it LLVM 22 leaves out names of a module that it reads as text. */
#define HD_CLC_KEEP_NAMES "--spirv-emit-op-names"

/* The one that makes the module of marked.ll, LLVM's text that has been through all passes. */
void hd_clc_command_marked(HdClcJob *j);

/* The one that makes the module of the LLVM IR that one of these has left, by the job's translator.
 */
void hd_clc_command_translator(HdClcJob *j);
/* Leave out an extension, from '+' on, that the back end does not know; is one left out? */
HdStatus hd_clc_leave_out(HdClcJob *j, const char *extension);
bool hd_clc_leaves_out(const HdClcJob *j, const char *extension);

/* Run the command line; the compiler's output goes to the job's log.
 * Errors: HD_BAD_INPUT (it rejected the source), HD_IO (it could not be run, crashed or took too
 * long), HD_NO_MEMORY. */
HdStatus hd_clc_run(HdClcJob *j);
/* Log what could not be done, with errno's reason. Returns HD_IO. */
HdStatus hd_clc_fail(HdClcJob *j, const char *what);

#endif
