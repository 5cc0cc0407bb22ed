/* clc/own.h -- names of built-ins to which a source gives a meaning of its own.
 *
 * The prelude replaces some built-ins by macros. Where a source declares a function of that name,
 * as clang alone lets it, the macro would rename that function, or make no sense of it. Whether a
 * source does so is seen in its preprocessed text: in what it does not compile, in comments and
 * strings there may be the same words, and a built-in that is not replaced may compute something
 * wrong.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_OWN_H
#define HD_CLC_OWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "clc/clc.h"
#include "clc/text.h"

/* Does the prelude have a macro for a built-in of this name? */
bool hd_clc_replaces(const char *prelude, HdClcText name);

/* Take out the prelude's macros that options define (-DNAME). */
void hd_clc_yield_to_options(const HdClcOptions *o, HdStrbuf *prelude);

/* Does a source, or a header, seem to give one of the prelude's names another meaning? Seen before
 * preprocessing, so that this may be wrong, either way. */
bool hd_clc_seems_to_declare(const char *text, const char *prelude);

/* Do directives of it ask for macros of these names, or remove them? What they mean are no macros
 * of the prelude. Seen before preprocessing, too. */
bool hd_clc_asks_macros(const char *text, const char *prelude);

/* Does one of the texts have a name that the prelude replaces? Pasted ones, too; seen before
 * preprocessing. */
bool hd_clc_may_replace(const HdClcSource *source, const HdClcOptions *o, const char *prelude);

/* Was the source compiled with macros that are in the way of its own names?
 *   log     what the compiler said, before hd_clc_tidy_log */
bool hd_clc_redefines(const char *log);
/* Did its compilation fail so that these may be the reason? */
bool hd_clc_may_declare(const HdClcSource *source, const HdClcOptions *o, const char *prelude,
                        const char *log);
bool hd_clc_renames_kernels(const uint32_t *words, size_t nwords);

/* The prelude without its macros for built-ins, with which a source is preprocessed. */
void hd_clc_bare_prelude(const char *prelude, HdStrbuf *out);

/* What a source has names of. */
typedef struct HdClcOwn {
    const char *text; /* preprocessed with the bare prelude by -dD */
    bool is_cxx;      /* clc/overload.h */
    /* Functions that overload those of the prelude become overloads of them, whatever these are
     * called there; or else these are taken out. */
    bool joins;
} HdClcOwn;

/* Take out the macros of functions, and of what else is called like one, that the source declares;
 * those that it defines as macros itself stay, up to there.
 * False: there are none, the prelude is as it was. */
bool hd_clc_yield_to_source(const HdClcOwn *own, HdStrbuf *prelude);

/* Cut the prelude's functions that the source defines, too.
 *   log   what the compiler said of them, before hd_clc_tidy_log
 * False: there are none. */
bool hd_clc_cut_redefined(const char *log, HdStrbuf *prelude);

/* Such a text as a source that has no macros: all that is left of a name is a built-in, or what the
 * source declares. */
void hd_clc_plain_source(const char *text, HdStrbuf *out);

#endif
