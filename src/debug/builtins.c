/* debug/builtins.c -- built-in variables of a shader in expressions, whether or not it loads them.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>
#include <strings.h>

#include "debug/private.h"

typedef enum Form { NAME, SEMANTIC, FUNCTION } Form;

static const struct {
    const char *name;
    Form form;
    uint32_t builtin; /* SpvBuiltIn */
} builtins[] = {
#define NAME(name, builtin)     {#name, NAME, SpvBuiltIn##builtin},
#define SEMANTIC(name, builtin) {#name, SEMANTIC, SpvBuiltIn##builtin},
#define FUNCTION(name, builtin) {#name, FUNCTION, SpvBuiltIn##builtin},
#include "debug/builtins.def"
#undef NAME
#undef SEMANTIC
#undef FUNCTION
};

/* UINT32_MAX: there is none of that name. */
static uint32_t builtin_of(const char *name, size_t len, bool is_call)
{
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        bool is_same = builtins[i].form == SEMANTIC ? strncasecmp(builtins[i].name, name, len) == 0
                                                    : strncmp(builtins[i].name, name, len) == 0;

        if (is_same && builtins[i].name[len] == '\0' && (builtins[i].form == FUNCTION) == is_call)
            return builtins[i].builtin;
    }
    return UINT32_MAX;
}

bool hd_debug_builtin(HdDebug *d, uint32_t item, const char *name, size_t len, bool is_call,
                      HdDebugValue *out)
{
    static const char *const types[] = {NULL, "uint", NULL, "uint3", "uint4"};
    const uint32_t builtin =
        d->r->g->kernel->is_shader ? builtin_of(name, len, is_call) : UINT32_MAX;

    if (builtin == UINT32_MAX)
        return false;
    *out = (HdDebugValue){.is_builtin = true};
    out->type = hd_debug_type_named(d, types[hd_interp_builtin(d->r, item, builtin, out->own)]);
    return out->type != NULL;
}
