/* base/diag.h -- what is wrong, where, by which rule, and what to do.
 *
 * Code that can find errors is given an HdDiags and adds to it; the owner decides whether it
 * becomes terminal text, JSON or a build log. One HdDiags belongs to one thread.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_DIAG_H
#define HD_BASE_DIAG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/strbuf.h"

typedef enum HdSeverity { HD_NOTE, HD_WARNING, HD_ERROR } HdSeverity;
const char *hd_severity_name(HdSeverity s); /* "note" … */

#define HD_NO_PLACE UINT32_MAX

typedef struct HdDiag {
    HdSeverity severity;
    HdStatus status;     /* HD_OK for notes and warnings */
    const char *rule;    /* stable id such as "atomic.value"; a literal */
    const char *message; /* one sentence, no full stop, lower case first letter */
    const char *spec;    /* section with the rule, by title; NULL if it is not from a document */
    const char *hint;    /* what to do; NULL when obvious */
    const char *inst;    /* the instruction in text; NULL when unknown */
    uint32_t mark, mark_bytes; /* position of the error in `inst`, and its length; 0: none */
    uint32_t operand;          /* which one that is, after the opcode; 0: none of them */
    const char *source;        /* source file of debug information; NULL when unknown */
    uint32_t source_line;      /* 1 = first */
    uint32_t source_column;
    uint32_t word;         /* word offset in the module, HD_NO_PLACE when none */
    uint32_t line, column; /* in the text being read, 1 = first; 0 = none */
} HdDiag;

/* An assembly text that is being read. */
typedef struct HdDiagText {
    char *bytes; /* heap */
    size_t count;
    uint32_t version;          /* it is assembled to, as in a header; 0: the newest */
    bool preserve_numeric_ids; /* %12 is id 12 */
} HdDiagText;

typedef struct HdDiags {
    HdArena *arena; /* owned; of the strings */
    HdDiag *at;     /* owned; in the order found */
    size_t count, room;
    size_t errors;    /* how many are HD_ERROR */
    size_t limit;     /* errors kept; further ones are counted only; 0 = no limit */
    HdStatus first;   /* status of the first error, else HD_OK */
    bool is_unread;   /* nobody wants to know more than whether there are errors */
    bool errors_only; /* printed for people: without warnings and notes */
    const char *file; /* name of what is being read, for printing; borrowed; may be NULL */
    HdDiagText text;  /* owned; bytes are NULL where it is no text, or its places are known */
} HdDiags;

/* Make an empty list. Needs no memory until something is added. */
void hd_diags_init(HdDiags *d);
void hd_diags_drop(HdDiags *d);

/* The text that is read from now on becomes the list's; NULL: none. */
void hd_diags_read_text(HdDiags *d, const HdDiagText *text);

/* Add an error and return its status, for `return hd_fail(…)`.
 *   word   word offset of the instruction in the module, or HD_NO_PLACE
 *   rule   stable id, a string literal */
HdStatus hd_fail(HdDiags *d, HdStatus status, uint32_t word, const char *rule, const char *fmt, ...)
    HD_PRINTF(5, 6);
/* Add a diagnostic of any severity, filled in by the caller; strings are copied except `rule` and
 * `spec`. Returns diag->status. */
HdStatus hd_diags_add(HdDiags *d, const HdDiag *diag, const char *fmt, ...) HD_PRINTF(3, 4);
/* The same with the message itself, which is copied. */
HdStatus hd_diags_add_text(HdDiags *d, const HdDiag *diag, const char *message);
/* Append all that another list has, those included that its limit only counted. */
void hd_diags_append(HdDiags *d, const HdDiags *from);
/* The diagnostic added last, for setting spec, hint or inst (strings must live as long); NULL when
 * none was kept. */
HdDiag *hd_diags_last(HdDiags *d);
/* Copy a string into the list's memory; NULL when there is none. */
const char *hd_diags_string(HdDiags *d, const char *s);

/* Print all as text for people:
 *   file:byte 132: error: sentence [rule]
 *       %5 = OpIAdd %uint %a %b
 *     spec: …
 *     hint: …
 *   colour   with terminal escapes */
void hd_diags_print(const HdDiags *d, HdStrbuf *out, bool colour);
/* Print all to standard error, for a driver, which has nobody to give them to. */
void hd_diags_complain(const HdDiags *d);
/* Print all as a JSON array of objects. */
void hd_diags_json(const HdDiags *d, HdStrbuf *out);

#endif
