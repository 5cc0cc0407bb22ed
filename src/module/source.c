/* module/source.c -- debug information.
 *
 * Spec: SPIR-V, "Debug Instructions"; OpenCL.DebugInfo.100; NonSemantic.Shader.DebugInfo.100.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/source.h"

#include <string.h>

#include "gen/extinst.h"
#include "module/constant.h"
#include "module/source_state.h"

#define DI(name)    OpenCLDebugInfo100Debug##name
#define NS(name)    NonSemanticShaderDebugInfo100Debug##name
#define FIRST       5u  /* word of an extended instruction's first operand */
#define MAX_PARENTS 64u /* scopes that are nested; what is deeper is a circle */

/* ---- operands ------------------------------------------------------------------------------ */

uint32_t hd_source_inst(const HdModule *m, const HdInst *in)
{
    unsigned set;

    if ((in->opix != HD_OPIX_ExtInst && in->opix != HD_OPIX_ExtInstWithForwardRefsKHR) ||
        in->nwords < FIRST)
        return UINT32_MAX;
    set = hd_module_extset(m, in->w[3]);
    return set == HD_EXTSET_OpenCL_DebugInfo_100 ||
                   set == HD_EXTSET_NonSemantic_Shader_DebugInfo_100
               ? in->w[4]
               : UINT32_MAX;
}

bool hd_source_def(const HdModule *m, HdId id, HdInst *in, uint32_t *number)
{
    if (id == 0 || !hd_module_def(m, id, in))
        return false;
    *number = hd_source_inst(m, in);
    return *number != UINT32_MAX;
}

HdId hd_source_id(const HdInst *in, uint32_t operand)
{
    return FIRST + operand < in->nwords ? in->w[FIRST + operand] : 0;
}

static const char *string_of(const HdModule *m, HdId id)
{
    HdInst in;

    return hd_module_def(m, id, &in) && in.opix == HD_OPIX_String ? hd_inst_string(&in, 2) : NULL;
}

const char *hd_source_string(const HdModule *m, const HdInst *in, uint32_t operand)
{
    return string_of(m, hd_source_id(in, operand));
}

uint64_t hd_source_number(const HdModule *m, const HdInst *in, uint32_t operand)
{
    uint64_t value = 0;

    if (FIRST + operand >= in->nwords)
        return 0;
    if (hd_module_extset(m, in->w[3]) == HD_EXTSET_OpenCL_DebugInfo_100)
        return in->w[FIRST + operand];
    return hd_module_constant_u64(m, in->w[FIRST + operand], &value) ? value : 0;
}

/* File of a DebugSource. */
static const char *file_of(const HdModule *m, HdId source)
{
    uint32_t number;
    HdInst in;

    return hd_source_def(m, source, &in, &number) && number == DI(Source)
               ? hd_source_string(m, &in, 0)
               : NULL;
}

/* ---- lines --------------------------------------------------------------------------------- */

/* Where to start searching for what is in force at a word: lines and scopes end with their
 * block. */
static uint32_t first_word(const HdModule *m, uint32_t word)
{
    uint32_t block = hd_module_block_before(m, word), end;

    if (block == UINT32_MAX)
        return HD_MODULE_FIRST_WORD;
    end = hd_block_end(m, &m->blocks[block]);
    return word < end ? m->blocks[block].word : end;
}

void hd_source_step(const HdModule *m, const HdInst *in, HdSourcePlace *place)
{
    uint32_t number = UINT32_MAX;

    if (in->opix == HD_OPIX_Line) {
        *place =
            (HdSourcePlace){.file = string_of(m, in->w[1]), .line = in->w[2], .column = in->w[3]};
        return;
    }
    if (in->opix == HD_OPIX_ExtInst)
        number = hd_source_inst(m, in);
    if (number == NS(Line))
        *place = (HdSourcePlace){.file = file_of(m, hd_source_id(in, 0)),
                                 .line = (uint32_t)hd_source_number(m, in, 1),
                                 .column = (uint32_t)hd_source_number(m, in, 3)};
    else if (in->opix == HD_OPIX_NoLine || in->opix == HD_OPIX_Label ||
             in->opix == HD_OPIX_FunctionEnd || number == NS(NoLine))
        *place = (HdSourcePlace){0};
}

HdSourcePlace hd_source_at(const HdModule *m, uint32_t word, HdSourceCursor *c)
{
    uint32_t at;

    if (!m->has_lines)
        return (HdSourcePlace){0};
    at = first_word(m, word);
    if (c->word <= at || c->word > word) /* not after the same beginning */
        *c = (HdSourceCursor){.word = at};
    for (HdInst in; c->word < word && hd_module_next(m, &c->word, &in);)
        hd_source_step(m, &in, &c->place);
    return c->place;
}

HdSourcePlace hd_module_source(const HdModule *m, uint32_t word)
{
    HdSourceCursor c = {0};

    return hd_source_at(m, word, &c);
}

/* Text that continues in OpSourceContinued or DebugSourceContinued. */
static void add_continued(const HdModule *m, uint32_t word, HdStrbuf *out)
{
    for (HdInst in; hd_module_next(m, &word, &in);) {
        const char *more = NULL;

        if (in.opix == HD_OPIX_SourceContinued)
            more = hd_inst_string(&in, 1);
        else if (hd_source_inst(m, &in) == NS(SourceContinued))
            more = hd_source_string(m, &in, 0);
        if (more == NULL)
            return;
        hd_strbuf_add(out, more);
    }
}

bool hd_source_is_note(const char *text)
{
    return strncmp(text, "//__", 4) == 0 && strchr(text, '\n') == NULL;
}

/* What a text that is continued from `word` on has of a file. */
static bool add_lines(const HdModule *m, uint32_t word, const char *text, const char *name,
                      const char *file, HdStrbuf *out)
{
    HdStrbuf all = {0};
    bool any;

    hd_strbuf_add(&all, text);
    add_continued(m, word, &all);
    any = hd_source_presumed(hd_strbuf_text(&all), name, file, out);
    out->failed = out->failed || all.failed;
    hd_strbuf_free(&all);
    return any;
}

bool hd_source_text(const HdModule *m, const char *file, HdStrbuf *out)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);) {
        const char *name = NULL, *text = NULL;

        if (in.opix == HD_OPIX_Source && in.nwords > 4) {
            name = string_of(m, in.w[3]);
            text = hd_inst_string(&in, 4);
        } else if (hd_source_inst(m, &in) == DI(Source)) {
            name = hd_source_string(m, &in, 0);
            text = hd_source_string(m, &in, 1);
        }
        if (name == NULL || text == NULL || hd_source_is_note(text))
            continue;
        if (add_lines(m, word, text, name, file, out))
            return true;
    }
    return false;
}

/* ---- scopes -------------------------------------------------------------------------------- */

HdSourceScope hd_source_scope_at(const HdModule *m, uint32_t word, HdScopeCursor *c)
{
    uint32_t at = first_word(m, word);

    if (c->word <= at || c->word > word) /* not after the same beginning */
        *c = (HdScopeCursor){.word = at};
    for (HdInst in; c->word < word && hd_module_next(m, &c->word, &in);) {
        uint32_t number = hd_source_inst(m, &in);

        if (number == DI(Scope))
            c->scope =
                (HdSourceScope){.scope = hd_source_id(&in, 0), .inlined = hd_source_id(&in, 1)};
        else if (number == DI(NoScope) || in.opix == HD_OPIX_FunctionEnd)
            c->scope = (HdSourceScope){0};
    }
    return c->scope;
}

HdSourceScope hd_source_scope(const HdModule *m, uint32_t word)
{
    HdScopeCursor c = {0};

    return hd_source_scope_at(m, word, &c);
}

/* The scope that a scope is in; 0 for the outermost. */
static HdId parent_of(const HdModule *m, HdId scope)
{
    uint32_t number;
    HdInst in;

    if (!hd_source_def(m, scope, &in, &number))
        return 0;
    switch (number) {
    case DI(Function):
    case DI(FunctionDeclaration): return hd_source_id(&in, 5);
    case DI(LexicalBlock): return hd_source_id(&in, 3);
    case DI(LexicalBlockDiscriminator): return hd_source_id(&in, 2);
    case DI(TypeComposite): return hd_source_id(&in, 5);
    default: return 0;
    }
}

bool hd_source_is_in(const HdModule *m, HdId scope, HdId outer)
{
    for (unsigned i = 0; i < MAX_PARENTS && scope != 0; i++) {
        if (scope == outer)
            return true;
        scope = parent_of(m, scope);
    }
    return false;
}

/* The DebugFunction that a scope is in; false when there is none. */
static bool function_of(const HdModule *m, HdId scope, HdInst *in)
{
    for (unsigned i = 0; i < MAX_PARENTS && scope != 0; i++) {
        uint32_t number;

        if (hd_source_def(m, scope, in, &number) && number == DI(Function))
            return true;
        scope = parent_of(m, scope);
    }
    return false;
}

const char *hd_source_function(const HdModule *m, HdId scope)
{
    HdInst in;

    return function_of(m, scope, &in) ? hd_source_string(m, &in, 0) : NULL;
}

bool hd_source_inlined(const HdModule *m, HdId inlined, HdSourceScope *caller, HdSourcePlace *place)
{
    uint32_t number;
    HdInst in, f;

    if (!hd_source_def(m, inlined, &in, &number) || number != DI(InlinedAt))
        return false;
    *caller = (HdSourceScope){.scope = hd_source_id(&in, 1), .inlined = hd_source_id(&in, 2)};
    *place = (HdSourcePlace){.line = (uint32_t)hd_source_number(m, &in, 0)};
    if (function_of(m, caller->scope, &f))
        place->file = file_of(m, hd_source_id(&f, 2));
    return true;
}

/* ---- variables ----------------------------------------------------------------------------- */

/* Only what every producer writes: dereferences, and distances. Address spaces (constu, swap,
 * xderef) are in the pointer's type already. */
static void read_expression(const HdModule *m, HdId expression, HdSourceVariable *v)
{
    uint32_t number;
    HdInst in, operation;

    if (!hd_source_def(m, expression, &in, &number) || number != DI(Expression))
        return;
    for (uint32_t i = 0; hd_source_id(&in, i) != 0; i++) {
        if (!hd_source_def(m, hd_source_id(&in, i), &operation, &number))
            return;
        switch (hd_source_number(m, &operation, 0)) {
        case OpenCLDebugInfo100DebugOperation_Deref: v->is_value = false; break;
        case OpenCLDebugInfo100DebugOperation_PlusUconst:
            v->offset += hd_source_number(m, &operation, 1);
            break;
        case OpenCLDebugInfo100DebugOperation_Constu:
        case OpenCLDebugInfo100DebugOperation_Swap:
        case OpenCLDebugInfo100DebugOperation_Xderef:
        case OpenCLDebugInfo100DebugOperation_StackValue: break;
        default: v->is_gone = true; break;
        }
    }
}

static bool read_local(const HdModule *m, const HdInst *in, uint32_t number, HdSourceVariable *v)
{
    uint32_t what;
    HdInst local;

    if (!hd_source_def(m, hd_source_id(in, 0), &local, &what) || what != DI(LocalVariable))
        return false;
    *v = (HdSourceVariable){.name = hd_source_string(m, &local, 0),
                            .type = hd_source_id(&local, 1),
                            .parent = hd_source_id(&local, 5),
                            .at = hd_source_id(in, 1),
                            .word = in->word,
                            .is_value = number == DI(Value),
                            .is_declared = number == DI(Declare),
                            .is_gone = number == DI(Value) && hd_source_id(in, 3) != 0,
                            .argument = (uint32_t)hd_source_number(m, &local, 7)};
    read_expression(m, hd_source_id(in, 2), v);
    /* Some producers declare values: what is no pointer is no place. */
    return v->name != NULL;
}

static bool read_global(const HdModule *m, const HdInst *in, HdSourceVariable *v)
{
    uint32_t what;
    HdInst at;

    *v = (HdSourceVariable){.name = hd_source_string(m, in, 0),
                            .type = hd_source_id(in, 1),
                            .parent = hd_source_id(in, 5),
                            .at = hd_source_id(in, 7)};
    return v->name != NULL && v->at != 0 && !hd_source_def(m, v->at, &at, &what);
}

HdStatus hd_source_variables(const HdModule *m, uint32_t first, uint32_t end,
                             HdSourceVariables *out)
{
    HdSourceScope scope = {0};
    uint32_t word = first;

    for (HdInst in; word < end && hd_module_next(m, &word, &in);) {
        uint32_t number = hd_source_inst(m, &in);
        HdSourceVariable v;

        if (number == DI(Scope))
            scope = (HdSourceScope){.scope = hd_source_id(&in, 0), .inlined = hd_source_id(&in, 1)};
        else if (number == DI(NoScope) || in.opix == HD_OPIX_Label)
            scope = (HdSourceScope){0};
        if (((number == DI(Declare) || number == DI(Value)) && read_local(m, &in, number, &v)) ||
            (number == DI(GlobalVariable) && read_global(m, &in, &v))) {
            v.inlined = scope.inlined;
            HD_TRY_PUSH(NULL, out, v);
        }
    }
    return HD_OK;
}

/* The function that has a parameter, and its number there. */
static const HdFunction *function_with(const HdModule *m, HdId param, uint32_t *number)
{
    HdInst in;

    if (!hd_module_def(m, param, &in) || in.opix != HD_OPIX_FunctionParameter)
        return NULL;
    for (uint32_t f = 0; f < m->function_count; f++)
        for (*number = 0; *number < m->functions[f].param_count; ++*number)
            if (hd_function_param(m, &m->functions[f], *number).w[2] == param)
                return &m->functions[f];
    return NULL;
}

/* The variable that is declared as a function's argument; otherwise, for a function that passes the
 * parameter on, that of the callee: llvm-spirv wraps kernels in such functions. */
static const char *name_of_param(const HdModule *m, const HdFunction *f, HdId param,
                                 uint32_t number, bool passes)
{
    uint32_t word = f->word;

    for (HdInst in; word < f->end && hd_module_next(m, &word, &in);) {
        uint32_t what = hd_source_inst(m, &in);
        HdSourceVariable v;

        if ((what == DI(Declare) || what == DI(Value)) && read_local(m, &in, what, &v) &&
            v.argument == number + 1 && hd_source_scope(m, in.word).inlined == 0)
            return v.name;
        for (uint32_t i = 4; passes && in.opix == HD_OPIX_FunctionCall && i < in.nwords; i++) {
            const HdFunction *called = hd_module_function(m, in.w[3]);

            if (in.w[i] == param && called != NULL)
                return name_of_param(m, called, 0, i - 4, false);
        }
    }
    return NULL;
}

const char *hd_source_name(const HdModule *m, HdId id)
{
    uint32_t word = HD_MODULE_FIRST_WORD, number;
    const char *name = hd_module_name(m, id);
    const HdFunction *f;

    if (name != NULL && name[0] != '\0')
        return name;
    if (id == 0 || id >= m->bound || !m->has_lines)
        return NULL;
    f = function_with(m, id, &number);
    if (f != NULL)
        return name_of_param(m, f, id, number, true);
    for (HdInst in; hd_module_next(m, &word, &in);) {
        HdSourceVariable v;

        number = hd_source_inst(m, &in);
        if (number == DI(Declare) && hd_source_id(&in, 1) == id && read_local(m, &in, number, &v))
            return v.name;
        if (number == DI(GlobalVariable) && hd_source_id(&in, 7) == id)
            return hd_source_string(m, &in, 0);
        if (number == DI(Function) && hd_source_id(&in, 9) == id)
            return hd_source_string(m, &in, 0);
        if (number == NS(FunctionDefinition) && hd_source_id(&in, 1) == id &&
            hd_source_def(m, hd_source_id(&in, 0), &in, &number))
            return hd_source_string(m, &in, 0);
    }
    return NULL;
}

bool hd_source_is_silent(const HdModule *m, const HdInst *in)
{
    if (in->opix == HD_OPIX_Line || in->opix == HD_OPIX_NoLine)
        return true;
    if (in->opix != HD_OPIX_ExtInst && in->opix != HD_OPIX_ExtInstWithForwardRefsKHR)
        return false;
    return hd_module_extset(m, in->w[3]) != HD_EXTSET_OpenCL_std &&
           hd_module_extset(m, in->w[3]) != HD_EXTSET_NonSemantic_DebugPrintf &&
           hd_module_type_of(m, in->w[2]) != NULL &&
           hd_module_type_of(m, in->w[2])->kind == HD_T_VOID;
}
