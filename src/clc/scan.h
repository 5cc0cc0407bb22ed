/* clc/scan.h -- which functions a source declares: its text is read as far as this needs.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_SCAN_H
#define HD_CLC_SCAN_H

#include <stdbool.h>

#include "clc/text.h"

/* What a name means to the caller. */
typedef enum HdClcKind {
    HD_CLC_NO_NAME, /* nothing */
    HD_CLC_NAME,    /* it is looked for: as a function's outside of all, and in each namespace,
                       structure and class; as a variable's that is called like a function, anywhere */
    HD_CLC_RENAMED, /* the same, but for functions in namespaces, structures and classes */
} HdClcKind;

typedef struct HdClcScan {
    /* Set by the caller; `at` is where to begin. */
    const char *text, *at; /* NUL-terminated */
    HdClcKind (*kind_of)(const void *names, HdClcText name);
    const void *names;
    bool is_raw;      /* not preprocessed: what is found is a guess */
    bool is_cxx;      /* functions of one name overload each other */
    HdClcText name;   /* what was found */
    bool is_overload; /* a function that may be one of several of this name */
    bool has_macros;  /* the text so far defines some macros of these names */
    /* It asks whether there are some, removes one, or defines one by itself: it means macros of its
     * own. */
    bool asks_macros;
    /* Of the scan. */
    unsigned braces, parens;
    unsigned scopes;   /* braces around that do not count: of namespaces, structures, extern "C" */
    const char *begin; /* of the declaration; only where has_before */
    char last;         /* the character in front, but for spaces */
    bool has_before;   /* outside of braces, a type or attribute is in front */
    bool opens_scope;  /* the next brace is one of `scopes` */
    bool is_value;     /* behind `=` */
    bool is_elsewhere; /* in the prelude, or in a header of the compiler */
} HdClcScan;

/* Does `# 7 "file" 2 3` say that a header of the compiler, or the prelude, follows? */
bool hd_clc_is_elsewhere(HdClcText line);

/* Behind blanks and comments. */
const char *hd_clc_skip_blank(const char *p);
/* Where a directive ends that begins here; lines that end in a backslash go on. */
const char *hd_clc_directive_end(const char *p);

/* The next function, or variable that is called like one, that the text declares by one of the
 * names. False: there is no further one. */
bool hd_clc_next_declared(HdClcScan *s);

/* Has a text macros that make strings of their arguments? Seen before preprocessing. */
bool hd_clc_makes_strings(const char *text);

#endif
