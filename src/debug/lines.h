/* debug/lines.h -- the source line of an instruction.
 *
 * From debug information. A module without any is its own source: the text that it was assembled
 * from, or else its disassembly.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_DEBUG_LINES_H
#define HD_DEBUG_LINES_H

#include "base/array.h"
#include "module/module.h"

typedef struct HdDebugFile {
    const char *name; /* as the module has it */
    char *text;       /* heap; NULL until requested */
    size_t len;
    bool is_own;            /* the module's own text: it is nowhere else */
    bool was_read;          /* text has been requested */
    HD_ARRAY(size_t) lines; /* where each begins */
} HdDebugFile;

typedef struct HdDebugPlace {
    uint32_t word; /* of the instruction */
    uint32_t file; /* index; HD_NO_FILE */
    uint32_t line, column;
} HdDebugPlace;
#define HD_NO_FILE UINT32_MAX

typedef struct HdDebugLines {
    HD_ARRAY(HdDebugFile) files;
    HD_ARRAY(HdDebugPlace) places; /* of instructions in functions, by word */
    bool is_assembly;              /* lines are the module's own text */
} HdDebugLines;

/*   path, text  the file that the module was assembled from; text NULL: it was not */
HdStatus hd_debug_lines_open(const HdModule *m, const char *path, const char *text, size_t len,
                             HdDebugLines *out);
void hd_debug_lines_close(HdDebugLines *l);
/* file == HD_NO_FILE when nothing is known. */
HdDebugPlace hd_debug_lines_at(const HdDebugLines *l, uint32_t word);
/* A file by name: the whole name, or what follows its last folders. HD_NO_FILE: none. */
uint32_t hd_debug_lines_file(const HdDebugLines *l, const char *name);
/* Text of a line (1 = first), without its end; NULL when there is none. */
const char *hd_debug_lines_text(const HdModule *m, HdDebugLines *l, uint32_t file, uint32_t line,
                                size_t *len);
uint32_t hd_debug_lines_count(const HdModule *m, HdDebugLines *l, uint32_t file);

#endif
