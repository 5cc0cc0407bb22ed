/* tool/edit.h -- lines typed at a terminal: editing, history, completion.
 *
 * libedit does it, if it is installed: it is loaded when the first line is read. Without it lines
 * are read as the terminal gives them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_EDIT_H
#define HD_TOOL_EDIT_H

#include <stdbool.h>

typedef struct HdEdit HdEdit;

/* words(i): what the first word of a line can be, NULL past the last; must stay.
 * wait(): is called before each byte is read: false ends the line as the end of the input does.
 * NULL: there is no libedit, or no memory. */
HdEdit *hd_edit_open(const char *(*words)(unsigned i), bool (*wait)(void));
/* Writes the history. */
void hd_edit_close(HdEdit *e);
/* The next line without its end, heap; NULL at the end of the input, or when wait() ends it. */
char *hd_edit_read(HdEdit *e, const char *prompt);

#endif
