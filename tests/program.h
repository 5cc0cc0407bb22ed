/* tests/program.h -- how test programs open a module that is text.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TESTS_PROGRAM_H
#define HD_TESTS_PROGRAM_H

#include <stdio.h>

#include "base/memory.h"
#include "jit/program.h"
#include "text/as.h"

/* o: as hd_program_open takes it. NULL: it could not be opened; why is printed. */
static inline HdProgram *program_open(const char *text, size_t length, const HdProgramOptions *o)
{
    uint32_t *words = NULL;
    HdProgram *p = NULL;
    size_t count;
    HdDiags d;

    hd_diags_init(&d);
    if (hd_text_assemble(text, length, NULL, &d, &words, &count) != HD_OK ||
        hd_program_open(words, count, o, &d, &p) != HD_OK)
        printf("not opened: %s\n", d.count != 0 ? d.at[0].message : "");
    hd_free(words);
    hd_diags_drop(&d);
    return p;
}

#endif
