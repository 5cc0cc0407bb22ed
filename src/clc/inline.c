/* clc/inline.c -- functions that are `inline` and nothing else.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/inline.h"

#include <string.h>

#include "gen/spirv.h"
#include "module/module.h"

/* A name as the source has it: compilers' own begin with "__", and those of built-ins, which have
 * several forms each, with "_Z". */
static bool is_written(const char *name)
{
    return strncmp(name, "__", 2) != 0 && strncmp(name, "_Z", 2) != 0;
}

bool hd_clc_imports(const uint32_t *words, size_t nwords)
{
    size_t at = HD_MODULE_FIRST_WORD;

    for (HdRawInst in; hd_words_next(words, nwords, &at, &in) && in.op != SpvOpFunction;) {
        if (in.op == SpvOpDecorate && in.count > 4 && in.w[2] == SpvDecorationLinkageAttributes &&
            in.w[in.count - 1] == SpvLinkageTypeImport && is_written((const char *)(in.w + 3)))
            return true;
    }
    return false;
}

void hd_clc_keep_inline(const char *text, HdStrbuf *out)
{
    static const char inlined[] = "\ndefine available_externally ";

    for (const char *at; (at = strstr(text, inlined)) != NULL; text = at + strlen(inlined)) {
        hd_strbuf_add_bytes(out, text, (size_t)(at - text));
        hd_strbuf_add(out, "\ndefine linkonce_odr ");
    }
    hd_strbuf_add(out, text);
}
