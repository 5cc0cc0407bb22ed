/* ops/debug/debug_rule_text.c -- lines and columns of debug information must exist in the text of
 * their source, if the module has it.
 *
 * Spec: OpenCL.DebugInfo.100, DebugSource; NonSemantic.Shader.DebugInfo.100, DebugSource,
 * DebugSourceContinued, DebugLine.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "gen/extinst.h"
#include "module/source.h"
#include "ops/debug/debug_rule.h"

#define FIRST 5 /* word of the first operand after the instruction's number */

typedef HdDebugText Text;
typedef HD_ARRAY(uint32_t) Lengths;

static bool add_piece(HdArena *a, Lengths *lines, const char *piece, uint32_t *length)
{
    for (; *piece != '\0'; piece++) {
        if (*piece != '\n') {
            ++*length;
        } else {
            if (!HD_PUSH(a, lines, *length))
                return false;
            *length = 0;
        }
    }
    return true;
}

static const char *text_of(const HdVal *v, const HdInst *in, uint32_t at)
{
    HdInst string;

    return at < in->nwords && hd_module_def(v->m, in->w[at], &string) &&
                   string.opix == HD_OPIX_String
               ? hd_inst_string(&string, 2)
               : "";
}

/* Does the text contain #line directives? Then line numbers are unknown. */
static bool is_renumbered(const char *text)
{
    return strncmp(text, "#line", 5) == 0 || strstr(text, "\n#line") != NULL;
}

/* The text of the source and of the instructions that continue it. */
static bool read_text(HdVal *v, HdId source, Text *out)
{
    Lengths lines = {0};
    uint32_t length = 0, word;
    HdInst in;

    *out = (Text){0};
    if (!hd_module_def(v->m, source, &in))
        return true;
    word = in.word + in.nwords;
    if (hd_source_is_note(text_of(v, &in, FIRST + 1)) || is_renumbered(text_of(v, &in, FIRST + 1)))
        return true;
    if (!add_piece(v->a, &lines, text_of(v, &in, FIRST + 1), &length))
        return false;
    for (HdInst next; hd_module_next(v->m, &word, &next);) {
        if (next.opix != HD_OPIX_ExtInst || next.w[3] != in.w[3] ||
            next.w[4] != NonSemanticShaderDebugInfo100DebugSourceContinued)
            break;
        if (!add_piece(v->a, &lines, text_of(v, &next, FIRST), &length))
            return false;
    }
    if (length != 0 && !HD_PUSH(v->a, &lines, length))
        return false;
    out->count = (uint32_t)lines.count;
    out->lengths = lines.at;
    return true;
}

static const Text *find_text(HdVal *v, HdId source)
{
    struct HdValDebug *debug = hd_val_debug(v);
    uint64_t at;
    Text made;

    if (debug == NULL)
        return NULL;
    if (hd_map_get(&debug->text_of, source, &at))
        return &debug->texts.at[at];
    at = debug->texts.count;
    if (!read_text(v, source, &made) || !HD_PUSH(v->a, &debug->texts, made) ||
        !hd_map_put(v->a, &debug->text_of, source, at))
        return NULL;
    return &debug->texts.at[at];
}

/* In OpenCL sources are preprocessed, which numbers lines differently. */
static HdStatus outside(HdVal *v, const HdInst *in, const char *what, uint64_t number)
{
    if (v->kernel)
        return hd_val_warn(v, in, "debug.text", "the source's text has no %s %llu", what,
                           (unsigned long long)number);
    return hd_val_fail(v, in, "debug.text", "the source's text has no %s %llu", what,
                       (unsigned long long)number);
}

HdStatus hd_rule_debug_text(HdVal *v, const HdInst *in, HdId source, uint64_t line, uint64_t column)
{
    const Text *text = find_text(v, source);

    if (text == NULL) {
        v->stop = true;
        return HD_NO_MEMORY;
    }
    if (text->count == 0 || line == 0)
        return HD_OK;
    if (line > text->count)
        return outside(v, in, "line", line);
    if (column > text->lengths[line - 1])
        return outside(v, in, "column", column);
    return HD_OK;
}

struct HdValDebug *hd_val_debug(HdVal *v)
{
    if (v->debug == NULL)
        v->debug = HD_NEW(v->a, struct HdValDebug, 1);
    return v->debug;
}
