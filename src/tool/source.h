/* tool/source.h -- modules from any input: binary, text, OpenCL C.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_SOURCE_H
#define HD_TOOL_SOURCE_H

#include <stdbool.h>

#include "base/diag.h"
#include "module/module.h"
#include "text/as.h"

/* A form of program that is no OpenCL C, by the ending of its file's name. */
typedef struct HdToolLanguage {
    const char *ending; /* ".comp" */
    const char *name;   /* "GLSL" */
    const char *how;    /* what to do with it: "slangc compiles it" */
} HdToolLanguage;

/* NULL: the ending is of none of them. */
const HdToolLanguage *hd_tool_language(const char *path);

bool hd_tool_ends_in(const char *path, const char *ending);
/* Is a file OpenCL C, by its name? */
bool hd_tool_is_source(const char *path);

/* Read a file that holds a module, or text, which has no magic number and no control characters;
 * no more of it than shows that it is neither.
 *   bytes  heap, hd_free'd by the caller; words, if it is no text
 * Errors: HD_IO, HD_BAD_INPUT (module.bytes), HD_NO_MEMORY. */
HdStatus hd_tool_read(const char *path, HdDiags *d, char **bytes, size_t *count, bool *is_text);
/* The same for one that must be text. */
HdStatus hd_tool_read_text(const char *path, HdDiags *d, char **bytes, size_t *count);
/* Assemble input that was taken for text; a finding mentions that if it may be the cause.
 *   text  heap; becomes that of `d`, for hd_tool_place_lines */
HdStatus hd_tool_assemble(const char *path, char *text, size_t len, const HdAsOptions *o,
                          HdDiags *d, uint32_t **words, size_t *nwords);

/* Read a module: .spvasm or .cl by name, else (and for "-") by what it holds.
 *   options, option_count  for the OpenCL C compiler
 *   fast_math              set when the options ask for it
 *   words                  heap, hd_free'd by the caller
 * Errors: HD_IO, HD_BAD_INPUT, HD_UNSUPPORTED (.cl without a compiler), HD_NO_MEMORY. */
HdStatus hd_tool_read_module(const char *path, const char *const *options, size_t option_count,
                             HdDiags *d, uint32_t **words, size_t *nwords, bool *fast_math);
/* The same; text is assembled to a version, as in a header (0: the newest). */
HdStatus hd_tool_read_module_for(const char *path, uint32_t version, const char *const *options,
                                 size_t option_count, HdDiags *d, uint32_t **words, size_t *nwords,
                                 bool *fast_math);
/* The same without options, and opened; or without types and constants. *out is NULL on error. */
HdStatus hd_tool_open_module(const char *path, HdDiags *d, HdModule **out);
HdStatus hd_tool_open_index(const char *path, HdDiags *d, HdModule **out);

#endif
