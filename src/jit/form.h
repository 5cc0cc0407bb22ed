/* jit/form.h -- the form of a kernel: which work-items a lane does, and how many lanes there are.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_JIT_FORM_H
#define HD_JIT_FORM_H

#include "jit/compile.h"

typedef struct HdFormed {
    HdShared *shared; /* c->shared or a new one, held for the caller; set in case of errors, too,
                       * unless it is NULL */
    HdIrFunc *wide;   /* passes over wide functions have not been at it */
    bool is_single;   /* a group is one sub-group, of work-items in a row that do all its rows */
} HdFormed;

/* Translate and optimise a kernel, unless c->shared is there, and make it wide in the form that
 * suits it and the launch (c->variant). All memory is from `a`. dumped  receives what of c->dump is
 * done here: "forms", "ir" facts   what the form decides; needs.single and what hd_jit_facts finds
 * are the caller's Errors: HD_UNSUPPORTED, HD_NO_MEMORY, HD_BUG. */
HdStatus hd_jit_find_form(const HdCompile *c, HdArena *a, HdDiags *d, HdStrbuf *dumped,
                          HdCodeFacts *facts, HdFormed *out);

/* Is `stage` among those that c->dump lists? */
bool hd_jit_dumps(const HdCompile *c, const char *stage);
/* A kernel, or a wide one, and what it calls. */
void hd_jit_print(const HdIrFunc *f, HdStrbuf *to);

#endif
