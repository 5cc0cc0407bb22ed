/* module/source.h -- debug information: lines, scopes, variables, the source itself.
 *
 * Lines are those of OpLine and of NonSemantic.Shader.DebugInfo.100's DebugLine, whichever was
 * last; scopes and variables those of OpenCL.DebugInfo.100 and of NonSemantic.Shader.DebugInfo.100,
 * which differ in how numbers are written. All answers are found by searching: they are for reports
 * and debuggers, not for engines.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_MODULE_SOURCE_H
#define HD_MODULE_SOURCE_H

#include "base/array.h"
#include "base/strbuf.h"
#include "module/module.h"

/* Source place of a word: file (NULL = unknown), line, column. */
typedef struct HdSourcePlace {
    const char *file;
    uint32_t line, column;
} HdSourcePlace;
HdSourcePlace hd_module_source(const HdModule *m, uint32_t word);
/* The same for those who ask for one word after the other: what was found before a word is gone on
 * from. Zeroed at first. */
typedef struct HdSourceCursor {
    HdSourcePlace place;
    uint32_t word;
} HdSourceCursor;
HdSourcePlace hd_source_at(const HdModule *m, uint32_t word, HdSourceCursor *c);
/* For callers that iterate over all instructions: what is in force after this one. */
void hd_source_step(const HdModule *m, const HdInst *in, HdSourcePlace *place);
/* A note about a source (llvm-spirv writes a checksum) where its text would be. */
bool hd_source_is_note(const char *text);
/* The text of a file, as the module carries it; false when it does not. */
bool hd_source_text(const HdModule *m, const char *file, HdStrbuf *out);

/* Where an instruction belongs: a DebugFunction, DebugLexicalBlock …, and the call that was inlined
 * there (a DebugInlinedAt). Ids; 0 = none. */
typedef struct HdSourceScope {
    HdId scope, inlined;
} HdSourceScope;
HdSourceScope hd_source_scope(const HdModule *m, uint32_t word);
/* The same for those who ask for one word after the other, as hd_source_at. Zeroed at first. */
typedef struct HdScopeCursor {
    HdSourceScope scope;
    uint32_t word;
} HdScopeCursor;
HdSourceScope hd_source_scope_at(const HdModule *m, uint32_t word, HdScopeCursor *c);
/* Is a scope the same as `outer` or inside it? */
bool hd_source_is_in(const HdModule *m, HdId scope, HdId outer);
/* Name of the function that a scope is in; NULL. */
const char *hd_source_function(const HdModule *m, HdId scope);
/* Location of an inlined call. `file` is that of the function that contained it. False if the id is
 * not one. */
bool hd_source_inlined(const HdModule *m, HdId inlined, HdSourceScope *caller,
                       HdSourcePlace *place);

/* A variable of the source, and where its value is. */
typedef struct HdSourceVariable {
    const char *name;
    HdId type;   /* debug type; 0 */
    HdId parent; /* scope that it was declared in */
    HdId inlined;
    HdId at;           /* id of memory, or of the value itself */
    uint32_t word;     /* from here on; 0: everywhere */
    bool is_value;     /* `at` is the value */
    bool is_declared;  /* it has that place for good */
    bool is_gone;      /* only a part of it exists, or it was optimised away */
    uint32_t argument; /* its number, 1 = first; 0: it is none */
    uint64_t offset;
} HdSourceVariable;
typedef HD_ARRAY(HdSourceVariable) HdSourceVariables;
/* Those that words `first` to `end` declare or give values; heap. Of globals: the module's part
 * before its functions. Errors: HD_NO_MEMORY. */
HdStatus hd_source_variables(const HdModule *m, uint32_t first, uint32_t end,
                             HdSourceVariables *out);
/* What the source calls an id: OpName's text, else that of its DebugDeclare, DebugGlobalVariable or
 * DebugFunction; NULL. */
const char *hd_source_name(const HdModule *m, HdId id);

/* Does an instruction say something about others, and do nothing? Such may be between phis. */
bool hd_source_is_silent(const HdModule *m, const HdInst *in);

/* An OpExtInst of one of the two sets: its number (those they share are the same); UINT32_MAX. */
uint32_t hd_source_inst(const HdModule *m, const HdInst *in);
bool hd_source_def(const HdModule *m, HdId id, HdInst *in, uint32_t *number);
/* Operands from 0 on: an id (0 when missing), a string, a number. */
HdId hd_source_id(const HdInst *in, uint32_t operand);
const char *hd_source_string(const HdModule *m, const HdInst *in, uint32_t operand);
uint64_t hd_source_number(const HdModule *m, const HdInst *in, uint32_t operand);

#endif
