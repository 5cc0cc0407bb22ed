/* jit/program.h -- a checked module and the code of its kernels.
 *
 * A program is created from words (with specialisation), validated, laid out; its kernels are
 * compiled when first requested, per variant, and kept. Thread-safe: different kernels may be
 * compiled concurrently; requesting the same variant twice compiles once.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_JIT_PROGRAM_H
#define HD_JIT_PROGRAM_H

#include "build/layout.h"
#include "jit/facts.h"
#include "module/constant.h"
#include "lanes/jam.h"
#include "module/module.h"
#include "rt/abi.h"

typedef struct HdProgram HdProgram;

typedef struct HdProgramOptions {
    const char *env; /* validation environment; NULL: the device's own */
    const HdSpecialization *spec;
    size_t spec_count;
    bool fast_math;   /* -cl-fast-relaxed-math and friends */
    bool no_progress; /* -cl-no-subgroup-ifp: sub-groups need not wait for each other in loops */
    bool no_validate; /* the module is known to be valid */
    bool is_compiled; /* by Heddle's own compiler: defects of clang are repaired without a
                       * warning */
    const char *dump; /* stages to print to `dump_to`: "ir,lanes,llvm,asm"; NULL = none */
    HdStrbuf *dump_to;
} HdProgramOptions;

/* What of a launch a variant of code depends on. */
typedef struct HdVariant {
    uint8_t width;    /* lanes of a sub-group: 1, 4, 8, 16, 32 */
    bool x_divisible; /* the group's size in x is a multiple of width, or y and z are 1; and every
                         global id is < 2^31: ids are affine in x. False is always correct */
    bool full;        /* the group's items are a multiple of width. False is always correct */
    bool by_rows;  /* each row of a group begins a sub-group and leaves lanes over at its end: ids
                      are affine in x. Not where sub-groups are seen, or global ids >= 2^31 */
    bool one_row;  /* by_rows, and no row is longer than a sub-group. False is always correct */
    bool twice;    /* both hold for twice the width as well: two sub-groups of a kernel that sees
                      none may run as one. False is always correct */
    bool single;   /* one sub-group computes all rows of a group: barriers need not wait. False is
                    * always correct */
    bool dispatch; /* testing: per-lane dispatcher in place of linearised flow */
    bool fibers;   /* testing: a stack for each sub-group in place of regions */
    bool calls;    /* testing: functions that can be called are, in place of inlining */
    bool apart;    /* memory that one pointer argument leads to is not what another one leads to.
                      False is always correct */
    bool against;  /* item by item where lanes are estimated to be faster, and vice versa, if that
                    * is uncertain (HdCodeFacts.doubt) */
    bool spare;    /* made by a thread that runs when a processor has nothing else to do: whoever
                    * needs it before it is ready compiles it himself. No other code */
    uint8_t dims;  /* bit i: lanes may count along dimension i; without any along x */
    uint8_t fold;  /* length of x, if x and y are to be one dimension where that gains: else 0 */
    uint8_t jam;   /* rows per work-item where possible (lanes/jam.h); 0: one, as written;
                    * HD_JAM_BY_COST: as many as gain most */
    uint8_t rows;  /* bit i: they may be of dimension i, if a work-item then accesses tiles of
                    * memory; without any, and without tiles, they are of y */
} HdVariant;

#define HD_JAM_BY_COST 255u

#define HD_FOLD_MOST 127u /* longest x of HdVariant.fold */
#define HD_ALL_DIMS  7u   /* of HdVariant.dims */

typedef struct HdKernelCode {
    HdKernelFn *fn;
    HdVariant variant;
    HdCodeFacts facts;
    bool from_cache;
} HdKernelCode;

/* Make a program from a module's words (host or other endianness).
 *   d        findings, warnings included (the build log)
 * Errors: HD_BAD_INPUT, HD_UNSUPPORTED, HD_NO_MEMORY. */
HdStatus hd_program_open(const uint32_t *words, size_t nwords, const HdProgramOptions *o,
                         HdDiags *d, HdProgram **out);
/* The same of a module that was read: it becomes the program's, or is dropped on failure. */
HdStatus hd_program_open_module(HdModule *m, const HdProgramOptions *o, HdDiags *d,
                                HdProgram **out);
/* Another user of a program, who closes it, too: it is freed with the last one. */
void hd_program_hold(HdProgram *p);
void hd_program_close(HdProgram *p);

const HdModule *hd_program_module(const HdProgram *p);
const HdBuildLayout *hd_program_layout(const HdProgram *p);

/* May sub-groups have that size? */
bool hd_program_is_width(uint64_t lanes);

/* The default width of a kernel: by required sub-group size, then options (HEDDLE_SUBGROUP), then a
 * cost rule. Fixed once the program is open. */
uint32_t hd_program_width(const HdProgram *p, const HdKernelInfo *k);

/* Can neither the kernel nor the host observe sub-groups? */
bool hd_program_hides_subgroups(const HdKernelInfo *k);

/* The width for groups of a given size: rows that are not a whole number of sub-groups long are
 * cheaper in narrower ones, whose lanes are neighbours in memory. Equal to hd_program_width if the
 * kernel or the host may observe sub-groups, and with images, whose cost is per lane. */
uint32_t hd_program_width_for(const HdProgram *p, const HdKernelInfo *k, const uint64_t local[3]);

/* Should sub-groups of a width be arranged by rows (HdVariant.by_rows) in groups of a given size?
 * Not if half of their lanes would be idle, nor if they can be observed, nor with images. */
bool hd_program_goes_by_rows(const HdKernelInfo *k, uint32_t width, const uint64_t local[3]);

/* The variant for groups of one size.
 *   is_small     every global id is < 2^31
 *   may_by_rows  sub-groups may be arranged by rows where ids are not affine otherwise */
HdVariant hd_variant_of_size(uint32_t width, const uint64_t size[3], bool is_small,
                             bool may_by_rows);

/* The dimensions along which lanes of groups of one size find neighbours, as HdVariant.dims. */
uint8_t hd_variant_dims(uint32_t width, const uint64_t size[3]);

/* The variant that most launches of a kernel need. */
HdVariant hd_program_usual_variant(const HdProgram *p, const HdKernelInfo *k);

/* Is that variant's code there, being made by another thread, or on disk? */
bool hd_program_is_made(HdProgram *p, const HdKernelInfo *k, HdVariant v);

/* Can it be had without waiting for the compiler: is it there, or on disk? */
bool hd_program_is_ready(HdProgram *p, const HdKernelInfo *k, HdVariant v);

/* The same of what hd_program_facts asks for. */
bool hd_program_is_known(HdProgram *p, const HdKernelInfo *k, HdVariant v);

/* Is that variant's code there, or being made by another thread, or are its facts known? */
bool hd_program_has_code(HdProgram *p, const HdKernelInfo *k, HdVariant v);

/* The code of one variant, or code compiled for another that also serves launches of this one;
 * compiled (or loaded from the cache) if neither exists yet. Errors: HD_UNSUPPORTED with reasons in
 * d, HD_NO_MEMORY, HD_IO (libheddle-llvm.so is missing). */
HdStatus hd_program_code(HdProgram *p, const HdKernelInfo *k, HdVariant v, HdDiags *d,
                         const HdKernelCode **out);

/* What is known of such code, all but private_bytes if it is not there yet: a draft of it is made
 * then, which takes the smaller part of the time, and from which hd_program_code goes on. */
HdStatus hd_program_facts(HdProgram *p, const HdKernelInfo *k, HdVariant v, HdDiags *d,
                          HdCodeFacts *out);

/* A launch chooses among variants of a kernel: nobody else goes on with drafts that are there. */
void hd_program_begin_choice(HdProgram *p, const HdKernelInfo *k);
/* It has its code: drafts of the kernel that are left over go, and what is known of them is kept on
 * disk. */
void hd_program_end_choice(HdProgram *p, const HdKernelInfo *k);

/* Go on with a draft, if it is still there, and neither a launch nor another thread does. */
void hd_program_finish(HdProgram *p, const HdKernelInfo *k, HdVariant v);

/* What launches that tried both forms of a kernel (HdVariant.against) found. It is kept on disk, so
 * that later processes begin with it. */
typedef struct HdOutcome {
    bool against;   /* the form that is against the estimate took less time */
    uint32_t times; /* consecutive trials with this outcome; 0: not tried */
} HdOutcome;

/* Of code that is not `against` and whose form is in doubt. */
HdOutcome hd_program_outcome(const HdKernelCode *code);
/* The same for all launches. Writes a file: not for time-critical callers. */
void hd_program_keep_outcome(HdProgram *p, const HdKernelCode *code, HdOutcome o);

#endif
