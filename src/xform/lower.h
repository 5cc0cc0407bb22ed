/* xform/lower.h -- a module rewritten for drivers that lack newer extensions.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_LOWER_H
#define HD_XFORM_LOWER_H

#include "module/module.h"

/* What is rewritten, joined by |. */
enum {
    HD_LOWER_UNTYPED = 1,        /* untyped pointers: pointers to bytes, cast where they are used */
    HD_LOWER_FLOAT_ATOMICS = 2,  /* float add, min, max: compare and exchange in a loop */
    HD_LOWER_USM = 4,            /* DeviceOnlyINTEL, HostOnlyINTEL: CrossWorkgroup */
    HD_LOWER_EXPECT = 8,         /* OpExpectKHR, OpAssumeTrueKHR: gone */
    HD_LOWER_WRAP = 16,          /* NoSignedWrap, NoUnsignedWrap: gone */
    HD_LOWER_BITS = 32,          /* bit fields and reversal: shifts and masks */
    HD_LOWER_DOT = 64,           /* integer dot products: multiplications and additions */
    HD_LOWER_ONCE = 128,         /* linkage LinkOnceODR: Export */
    HD_LOWER_ROTATE = 256,       /* rotations in sub-groups: shuffles */
    HD_LOWER_UNIFORM = 512,      /* uniform group instructions: broadcasts in a loop */
    HD_LOWER_NON_UNIFORM = 1024, /* SPIR-V 1.3's sub-groups: OpGroup, broadcasts in a loop */
    HD_LOWER_ARRAYS = 2048,      /* variable-length arrays: in a room of `array_bytes` */
    HD_LOWER_COMPOSITES = 4096,  /* replicated composites, constant data: spelled out */
    HD_LOWER_WEAK = 8192,        /* linkage WeakAMD: Export */
    HD_LOWER_BLOCKS = 16384,     /* blocks in Workgroup memory: words */
    HD_LOWER_SIZE_ID = 32768,    /* LocalSizeId: LocalSize */
    HD_LOWER_TRINARY = 65536     /* AMD's min, max, mid of three: those of two */
};

typedef struct HdLowerOptions {
    unsigned what;
    uint32_t
        version; /* the result's at most; 0: unchanged. Entry points before 1.4 list inputs only */
    uint32_t array_bytes; /* ARRAYS: what a call of a function needs for its own at most */
} HdLowerOptions;

/* Rewrite. The caller validates the result for the target: what need not be rewritten, or cannot
 * be, is left unchanged.
 *   words  heap, hd_free'd by the caller
 * Errors: HD_UNSUPPORTED naming the instruction that has no older form (lower.…), HD_NO_MEMORY. */
HdStatus hd_xform_lower(const HdModule *m, const HdLowerOptions *options, HdDiags *d,
                        uint32_t **words, size_t *nwords);

#endif
