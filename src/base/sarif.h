/* base/sarif.h -- findings in the format that code hosts read.
 *
 * Spec: Static Analysis Results Interchange Format (SARIF) 2.1.0, OASIS.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_SARIF_H
#define HD_BASE_SARIF_H

#include "base/diag.h"
#include "base/strbuf.h"

/* Where something is. A place in a text has a line, one in a binary its word. */
typedef struct HdSarifPlace {
    const char *file;      /* NULL: no file is known */
    uint32_t line, column; /* from 1; line 0: not in a text */
    uint32_t word;         /* HD_NO_PLACE: not in a binary */
    const char *snippet;   /* the instruction; NULL */
    const char *message;   /* what exists; NULL */
} HdSarifPlace;

typedef struct HdSarifResult {
    HdSeverity severity;
    const char *rule;
    const char *about, *help; /* of the rule: what it is of, what to do; NULL */
    const char *message;
    HdSarifPlace place;
    HdSarifPlace other;        /* the other side; without a message: none */
    const HdSarifPlace *stack; /* calls, innermost first */
    uint32_t stack_count;
    uint64_t count; /* how often; 0 = not counted */
} HdSarifResult;

/* Append a log of one run; rules are in the order of their first result. */
void hd_sarif_print(const HdSarifResult *results, size_t count, HdStrbuf *out);

#endif
