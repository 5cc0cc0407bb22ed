/* xform/link.c -- several SPIR-V modules into one.
 *
 * Every id gets a new number. Then some ids are given the number of another: an import that of the
 * export, a type or constant that of an equal one before it. What such an id named is left out when
 * the modules are written one after the other, section by section.
 *
 * Compilers guess what an imported function's pointers point to, so pointer types of an import and
 * its export may differ in that; calls then cast. They also lay structures out with members of
 * their own for gaps where they initialise one, and without where they only know its name: a
 * variable's import may have another type than its export that is at least as large, and is cast.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/link.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/map.h"
#include "base/memory.h"
#include "module/edit.h"
#include "module/operands.h"
#include "module/type.h"
#include "xform/interface.h"

/* Sections of a module, in the order of the specification. */
typedef enum Section {
    CAPABILITIES,
    EXTENSIONS,
    IMPORTS,
    MEMORY_MODEL,
    ENTRIES,
    MODES,
    STRINGS,
    NAMES,
    PROCESSED,
    ANNOTATIONS,
    GLOBALS,
    DECLARATIONS,
    FUNCTIONS,
    SECTIONS
} Section;

typedef struct Part {
    const HdModule *m;
    HdId *map;     /* [bound] new ids */
    bool *dropped; /* [bound] its definition, names and decorations are left out */
    HdOperandTypes types;
} Part;

typedef struct Symbol {
    const char *name;
    uint32_t linkage;
    uint32_t part;
    HdId id;        /* in the part */
    bool is_merged; /* an import that took another id's number */
} Symbol;

typedef struct Link {
    const HdLinkOptions *options;
    HdArena *arena;
    HdDiags *d;
    Part *parts;
    uint32_t count;
    HdId next_id;
    HD_ARRAY(Symbol) exports, imports;
    HdStrMap export_index; /* index + 1 */
    HdMap export_by_id;    /* new id to index */
    HdStrMap merged;       /* words of a definition to new id */
    HdStrMap once;         /* capabilities, extensions, entry points */
    HdWriter out[SECTIONS];
} Link;

/* A module as messages call it. */
static const char *name_of(const Link *l, uint32_t part, char text[24])
{
    if (l->options->names != NULL)
        return l->options->names[part];
    snprintf(text, 24, "module %u", (unsigned)part);
    return text;
}

/* ---- symbols --------------------------------------------------------------------------------- */

static bool is_builtin(const HdModule *m, HdId id)
{
    return hd_module_decoration(m, id, SpvDecorationBuiltIn) != NULL;
}

/* Note what a part imports and exports. The decoration's operands are the name and, behind it, the
 * linkage type. */
static HdStatus note_symbols(Link *l, uint32_t p)
{
    const HdModule *m = l->parts[p].m;

    for (uint32_t i = 0; i < m->decoration_count; i++) {
        const HdDecoration *dec = &m->decorations[i];
        Symbol s = {.part = p, .id = dec->target};

        if (dec->decoration != SpvDecorationLinkageAttributes || dec->operand_count < 2 ||
            dec->target >= m->bound || is_builtin(m, dec->target))
            continue;
        s.name = (const char *)hd_decoration_operands(m, dec);
        s.linkage = hd_decoration_last(m, dec);
        if (s.linkage == SpvLinkageTypeImport)
            HD_TRY_PUSH(l->arena, &l->imports, s);
        else
            HD_TRY_PUSH(l->arena, &l->exports, s);
    }
    return HD_OK;
}

static void drop_function(Part *p, HdId id)
{
    const HdFunction *f = hd_module_function(p->m, id);

    p->dropped[id] = true;
    for (uint32_t word = f != NULL ? f->word : 0, end = f != NULL ? f->end : 0; word < end;) {
        HdInst in = hd_module_inst(p->m, word);
        HdId result = hd_inst_result(&in);

        if (result != 0)
            p->dropped[result] = true;
        word = hd_inst_next(&in);
    }
}

/* One export for each name: one of several that may be merged, else an error. */
static HdStatus index_exports(Link *l)
{
    HdStatus st = HD_OK;

    for (size_t i = 0; i < l->exports.count; i++) {
        Symbol *s = &l->exports.at[i];
        char one[24], other[24];
        uint64_t index;
        Symbol *first;

        if (!hd_strmap_get(&l->export_index, s->name, strlen(s->name), &index)) {
            if (!hd_strmap_put(l->arena, &l->export_index, s->name, strlen(s->name), i + 1))
                return HD_NO_MEMORY;
            continue;
        }
        first = &l->exports.at[index - 1];
        if (s->linkage != SpvLinkageTypeLinkOnceODR &&
            first->linkage != SpvLinkageTypeLinkOnceODR) {
            st = hd_fail(l->d, HD_BAD_INPUT, HD_NO_PLACE, "link.duplicate",
                         "'%s' is defined in %s and again in %s", s->name,
                         name_of(l, first->part, one), name_of(l, s->part, other));
            continue;
        }
        if (first->linkage == SpvLinkageTypeLinkOnceODR &&
            s->linkage != SpvLinkageTypeLinkOnceODR) {
            Symbol swap = *first; /* the real definition wins */

            *first = *s;
            *s = swap;
        }
        HD_TRY_PUSH(l->arena, &l->imports, *s); /* what gives way is seen as an import is */
    }
    return st;
}

/* Names that something behind the linker gives a body. */
static bool is_left_to_others(const char *name)
{
    return strncmp(name, "_Z", 2) == 0 || strncmp(name, "__spirv_", 8) == 0 ||
           strncmp(name, "__to_", 5) == 0;
}

/* Imports take the number of their export, or of the first import of the same name. */
static HdStatus resolve_imports(Link *l)
{
    HdStatus st = HD_OK;

    for (size_t i = 0; i < l->imports.count; i++) {
        Symbol *s = &l->imports.at[i];
        Part *p = &l->parts[s->part];
        char text[24];
        uint64_t index;

        if (hd_strmap_get(&l->export_index, s->name, strlen(s->name), &index)) {
            const Symbol *e = &l->exports.at[index - 1];

            p->map[s->id] = l->parts[e->part].map[e->id];
            drop_function(p, s->id);
            s->is_merged = true;
        } else if (!l->options->is_library && !l->options->allow_unresolved &&
                   !is_left_to_others(s->name)) {
            st = hd_fail(l->d, HD_BAD_INPUT, HD_NO_PLACE, "link.undefined",
                         "'%s' is used in %s and defined in none", s->name,
                         name_of(l, s->part, text));
        }
    }
    return st;
}

/* ---- one instruction with new ids ------------------------------------------------------------ */

/* Copy an instruction's words with ids replaced. Room for in->nwords words. */
static HdStatus translate(Part *p, const HdInst *in, uint32_t *to)
{
    HdOperandWalk walk;
    HdOperandPart part;

    memcpy(to, in->w, in->nwords * sizeof *to);
    hd_operands_start(&walk, &p->types, in->w, in->nwords);
    while (hd_operands_next(&walk, &part)) {
        switch (part.klass) {
        case HD_OPERAND_ID:
        case HD_OPERAND_TYPE_ID:
        case HD_OPERAND_RESULT:
        case HD_OPERAND_SCOPE_ID:
        case HD_OPERAND_SEMANTICS_ID: to[part.at] = p->map[in->w[part.at]]; break;
        default: break;
        }
    }
    if (walk.problem != HD_OPERANDS_FINE)
        return HD_BUG; /* it has been read before */
    hd_operand_types_note(&p->types, in->w, in->nwords);
    return p->types.failed ? HD_NO_MEMORY : HD_OK;
}

/* Which definitions are one when their words are. An entry point has one variable for a built-in.
 */
static bool may_merge(const Part *p, const HdInst *in)
{
    const char *name = hd_gram_insts[in->opix].name;

    if (in->opix == HD_OPIX_ExtInstImport)
        return true;
    if (in->opix == HD_OPIX_Variable)
        return is_builtin(p->m, in->w[2]);
    if (in->opix == HD_OPIX_TypeForwardPointer)
        return false;
    if (in->opix == HD_OPIX_ConstantTrue || in->opix == HD_OPIX_ConstantFalse ||
        in->opix == HD_OPIX_Constant || in->opix == HD_OPIX_ConstantComposite ||
        in->opix == HD_OPIX_ConstantNull || in->opix == HD_OPIX_ConstantSampler)
        return true;
    return name != NULL && strncmp(name, "OpType", 6) == 0;
}

/* A key: the words with new ids, without the result, and what decorates the id. */
static HdStatus key_of(Link *l, const Part *p, const HdInst *in, const uint32_t *words, HdId id,
                       uint32_t **key, size_t *count)
{
    uint32_t decorations, n = 0, total = in->nwords;
    const HdDecoration *dec = hd_module_decorations(p->m, id, &decorations);

    if (in->opix == HD_OPIX_Variable) { /* linkage, Constant and others may be missing of one */
        dec = hd_module_decoration(p->m, id, SpvDecorationBuiltIn);
        decorations = dec != NULL;
    }
    for (uint32_t i = 0; i < decorations; i++)
        total += 3 + dec[i].operand_count;
    HD_TAKE(*key, HD_NEW(l->arena, uint32_t, total));
    for (uint32_t i = 0; i < in->nwords; i++)
        if (i != hd_gram_forms[in->opix].result_at)
            (*key)[n++] = words[i];
    for (uint32_t i = 0; i < decorations; i++) {
        (*key)[n++] = dec[i].member;
        (*key)[n++] = dec[i].decoration;
        (*key)[n++] = dec[i].operand_count;
        for (uint32_t o = 0; o < dec[i].operand_count; o++)
            (*key)[n++] = hd_decoration_operands(p->m, &dec[i])[o];
    }
    *count = n * sizeof **key;
    return HD_OK;
}

/* Find the types and constants of a part that are there already. */
static HdStatus merge_globals(Link *l, Part *p)
{
    uint32_t word = HD_MODULE_FIRST_WORD;
    HdInst in;

    while (word < p->m->first_function && hd_module_next(p->m, &word, &in)) {
        HdId id = hd_inst_result(&in);
        uint32_t *words, *key;
        uint64_t found;
        size_t count;

        if (id == 0 || !may_merge(p, &in))
            continue;
        HD_TAKE(words, HD_NEW(l->arena, uint32_t, in.nwords));
        hd_operand_types_note(&p->types, in.w, in.nwords);
        HD_TRY(translate(p, &in, words));
        HD_TRY(key_of(l, p, &in, words, id, &key, &count));
        if (hd_strmap_get(&l->merged, (const char *)key, count, &found)) {
            p->map[id] = (HdId)found;
            p->dropped[id] = true;
        } else if (!hd_strmap_put(l->arena, &l->merged, (const char *)key, count, p->map[id])) {
            return HD_NO_MEMORY;
        }
    }
    return HD_OK;
}

/* ---- types of symbols ------------------------------------------------------------------------ */

/* Are they the same, or pointers that differ in what they point to? */
static bool types_fit(const HdModule *a, HdId ta, HdId na, const HdModule *b, HdId tb, HdId nb)
{
    const HdType *x = hd_module_type(a, ta), *y = hd_module_type(b, tb);

    if (na == nb)
        return true;
    return x != NULL && y != NULL && x->kind == HD_T_POINTER && y->kind == HD_T_POINTER &&
           x->storage == y->storage;
}

static bool functions_fit(const Part *a, HdId ta, const Part *b, HdId tb)
{
    HdInst x, y;

    if (a->map[ta] == b->map[tb])
        return true;
    if (!hd_module_def(a->m, ta, &x) || !hd_module_def(b->m, tb, &y) || x.nwords != y.nwords)
        return false;
    for (uint32_t i = 2; i < x.nwords; i++) {
        if (!types_fit(a->m, x.w[i], a->map[x.w[i]], b->m, y.w[i], b->map[y.w[i]]))
            return false;
    }
    return true;
}

/* Bytes of what a variable holds; 0 where it does not say. */
static uint64_t variable_bytes(const HdModule *m, HdId id)
{
    const HdType *t = hd_module_type_of(m, id);
    HdInst in;

    if (t != NULL && t->kind == HD_T_POINTER && t->is_untyped)
        t = hd_module_def(m, id, &in) && in.opix == HD_OPIX_UntypedVariableKHR && in.nwords > 4
                ? hd_module_type(m, in.w[4])
                : NULL;
    else
        t = t != NULL ? t->element : NULL;
    return t != NULL ? t->size : 0;
}

/* A variable's import may see less of it than there is, and see it without a type. */
static bool variables_fit(const Part *a, HdId ia, const Part *b, HdId ib)
{
    HdId ta = hd_module_type_id(a->m, ia), tb = hd_module_type_id(b->m, ib);
    const HdType *x = hd_module_type(a->m, ta), *y = hd_module_type(b->m, tb);

    if (a->map[ta] == b->map[tb])
        return true;
    return types_fit(a->m, ta, a->map[ta], b->m, tb, b->map[tb]) &&
           (x->element != NULL || x->is_untyped) && (y->element != NULL || y->is_untyped) &&
           variable_bytes(a->m, ia) <= variable_bytes(b->m, ib);
}

static HdStatus check_types(Link *l)
{
    HdStatus st = HD_OK;

    for (size_t i = 0; i < l->imports.count; i++) {
        const Symbol *s = &l->imports.at[i], *e;
        const Part *a = &l->parts[s->part], *b;
        const HdFunction *f, *g;
        char one[24], other[24];
        uint64_t index;
        bool fits;

        if (!s->is_merged || !hd_strmap_get(&l->export_index, s->name, strlen(s->name), &index))
            continue;
        e = &l->exports.at[index - 1];
        b = &l->parts[e->part];
        f = hd_module_function(a->m, s->id);
        g = hd_module_function(b->m, e->id);
        if (f != NULL && g != NULL)
            fits = functions_fit(a, f->type, b, g->type);
        else
            fits = f == NULL && g == NULL && variables_fit(a, s->id, b, e->id);
        if (!fits)
            st = hd_fail(l->d, HD_BAD_INPUT, HD_NO_PLACE, "link.type",
                         "'%s' has another type in %s than where it is defined (%s)", s->name,
                         name_of(l, s->part, one), name_of(l, e->part, other));
    }
    return st;
}

/* ---- calls that need casts ------------------------------------------------------------------- */

/* The export's function type for a call of an import; NULL when no cast is needed. */
static const Part *callee_of(const Link *l, const Part *p, HdId function, HdInst *type)
{
    const HdFunction *f = hd_module_function(p->m, function), *g;
    const Symbol *e;
    const Part *q;
    uint64_t index;

    if (!p->dropped[function] || f == NULL)
        return NULL;
    if (!hd_map_get(&l->export_by_id, p->map[function], &index))
        return NULL;
    e = &l->exports.at[index];
    q = &l->parts[e->part];
    g = hd_module_function(q->m, e->id);
    if (g == NULL || q->map[g->type] == p->map[f->type] || !hd_module_def(q->m, g->type, type))
        return NULL;
    return q;
}

static HdId cast(Link *l, HdWriter *w, HdId type, HdId value, HdId result)
{
    const uint32_t operands[] = {type, result != 0 ? result : l->next_id++, value};

    hd_writer_inst(w, SpvOpBitcast, operands, 3);
    return operands[1];
}

/* OpFunctionCall: words 1 type, 2 result, 3 function, then arguments. `words` has new ids. */
static void write_call(Link *l, const Part *p, const HdInst *in, uint32_t *words)
{
    HdWriter *w = &l->out[FUNCTIONS];
    HdInst type;
    const Part *q = callee_of(l, p, in->w[3], &type);
    HdId result = words[2], wanted = words[1];

    if (q == NULL) {
        hd_writer_inst(w, in->opcode, words + 1, in->nwords - 1u);
        return;
    }
    for (uint32_t i = 4; i < in->nwords && i - 1 < type.nwords; i++) {
        HdId want = q->map[type.w[i - 1]], have = p->map[hd_module_type_id(p->m, in->w[i])];

        if (want != have)
            words[i] = cast(l, w, want, words[i], 0);
    }
    words[1] = q->map[type.w[2]];
    if (words[1] != wanted)
        words[2] = l->next_id++;
    hd_writer_inst(w, in->opcode, words + 1, in->nwords - 1u);
    if (words[1] != wanted)
        cast(l, w, wanted, words[2], result);
}

/* ---- writing --------------------------------------------------------------------------------- */

static Section section_of(const HdInst *in)
{
    const char *name = hd_gram_insts[in->opix].name;

    switch (in->opix) {
    case HD_OPIX_Capability: return CAPABILITIES;
    case HD_OPIX_Extension: return EXTENSIONS;
    case HD_OPIX_ExtInstImport: return IMPORTS;
    case HD_OPIX_MemoryModel: return MEMORY_MODEL;
    case HD_OPIX_EntryPoint: return ENTRIES;
    case HD_OPIX_ExecutionMode:
    case HD_OPIX_ExecutionModeId: return MODES;
    case HD_OPIX_String:
    case HD_OPIX_Source:
    case HD_OPIX_SourceContinued:
    case HD_OPIX_SourceExtension: return STRINGS;
    case HD_OPIX_Name:
    case HD_OPIX_MemberName: return NAMES;
    case HD_OPIX_ModuleProcessed: return PROCESSED;
    case HD_OPIX_DecorationGroup:
    case HD_OPIX_GroupDecorate:
    case HD_OPIX_GroupMemberDecorate: return ANNOTATIONS;
    default: break;
    }
    if (name != NULL &&
        (strncmp(name, "OpDecorate", 10) == 0 || strncmp(name, "OpMemberDecorate", 16) == 0))
        return ANNOTATIONS;
    return GLOBALS;
}

/* The first of several equal ones, else *before is whose that is. Entry points are looked up by
 * name. */
static HdStatus is_first(Link *l, const uint32_t *words, uint32_t count, uint32_t part, bool *first,
                         uint32_t *before)
{
    char *key = hd_arena_copy(l->arena, words, count * sizeof *words);
    uint64_t found = 0;

    if (key == NULL)
        return HD_NO_MEMORY;
    *first = !hd_strmap_get(&l->once, key, count * sizeof *words, &found);
    *before = (uint32_t)found;
    if (*first && !hd_strmap_put(l->arena, &l->once, key, count * sizeof *words, part))
        return HD_NO_MEMORY;
    return HD_OK;
}

/* An executable exports nothing. */
static bool is_export(const Link *l, const HdInst *in)
{
    return !l->options->is_library && !l->options->allow_unresolved &&
           in->opix == HD_OPIX_Decorate && in->nwords > 4 &&
           in->w[2] == SpvDecorationLinkageAttributes &&
           in->w[in->nwords - 1] != SpvLinkageTypeImport;
}

static bool is_left_out(const Link *l, const Part *p, const HdInst *in, Section s)
{
    HdId result = hd_inst_result(in);

    if (result != 0)
        return p->dropped[result];
    if (s == NAMES || (s == ANNOTATIONS && in->opix != HD_OPIX_GroupDecorate &&
                       in->opix != HD_OPIX_GroupMemberDecorate))
        return p->dropped[in->w[1]] || is_export(l, in);
    return false;
}

static HdStatus write_global(Link *l, Part *p, const HdInst *in)
{
    Section s = section_of(in);
    uint32_t *words, part = (uint32_t)(p - l->parts), before;
    char one[24], other[24];
    bool first = true;

    HD_TAKE(words, HD_NEW(l->arena, uint32_t, in->nwords));
    HD_TRY(translate(p, in, words));
    if (is_left_out(l, p, in, s))
        return HD_OK;
    if (s == CAPABILITIES || s == EXTENSIONS) {
        HD_TRY(is_first(l, words, in->nwords, part, &first, &before));
    } else if (s == MEMORY_MODEL) {
        first = l->out[MEMORY_MODEL].count == 0;
        if (!first && memcmp(l->out[MEMORY_MODEL].words + 1, words + 1, 8) != 0)
            return hd_fail(l->d, HD_BAD_INPUT, HD_NO_PLACE, "link.memory-model",
                           "%s has another addressing or memory model than %s",
                           name_of(l, part, one), name_of(l, 0, other));
    } else if (s == ENTRIES) {
        HD_TRY(is_first(l, words + 3, hd_inst_string_words(in, 3), part, &first, &before));
        if (!first)
            return hd_fail(l->d, HD_BAD_INPUT, HD_NO_PLACE, "link.duplicate",
                           "kernel '%s' is defined in %s and again in %s", hd_inst_string(in, 3),
                           name_of(l, before, one), name_of(l, part, other));
    }
    if (first)
        hd_writer_inst(&l->out[s], in->opcode, words + 1, in->nwords - 1u);
    return HD_OK;
}

static HdStatus write_function(Link *l, Part *p, const HdFunction *f)
{
    Section s = f->block_count == 0 ? DECLARATIONS : FUNCTIONS;

    for (uint32_t word = f->word; word < f->end;) {
        HdInst in = hd_module_inst(p->m, word);
        uint32_t *words;

        word = hd_inst_next(&in);
        HD_TAKE(words, HD_NEW(l->arena, uint32_t, in.nwords));
        HD_TRY(translate(p, &in, words));
        if (p->dropped[f->id])
            continue;
        if (in.opix == HD_OPIX_FunctionCall && in.nwords >= 4)
            write_call(l, p, &in, words);
        else
            hd_writer_inst(&l->out[s], in.opcode, words + 1, in.nwords - 1u);
    }
    return HD_OK;
}

/* Behind all globals: variables that a part sees under another type. What follows of the part, its
 * functions, use the cast ones. */
static void cast_variables(Link *l)
{
    for (size_t i = 0; i < l->imports.count; i++) {
        const Symbol *s = &l->imports.at[i], *e;
        Part *a = &l->parts[s->part];
        const Part *b;
        uint64_t index;
        HdId want;

        if (!s->is_merged || hd_module_function(a->m, s->id) != NULL ||
            !hd_strmap_get(&l->export_index, s->name, strlen(s->name), &index))
            continue;
        e = &l->exports.at[index - 1];
        b = &l->parts[e->part];
        want = a->map[hd_module_type_id(a->m, s->id)];
        if (want != b->map[hd_module_type_id(b->m, e->id)]) {
            const uint32_t operands[] = {want, l->next_id++, SpvOpBitcast, a->map[s->id]};

            hd_writer_inst(&l->out[GLOBALS], SpvOpSpecConstantOp, operands, 4);
            a->map[s->id] = operands[1];
        }
    }
}

static HdStatus write_parts(Link *l)
{
    HdInst in;

    for (uint32_t i = 0; i < l->count; i++) {
        Part *p = &l->parts[i];

        for (uint32_t word = HD_MODULE_FIRST_WORD;
             word < p->m->first_function && hd_module_next(p->m, &word, &in);)
            HD_TRY(write_global(l, p, &in));
    }
    cast_variables(l);
    for (uint32_t i = 0; i < l->count; i++) {
        Part *p = &l->parts[i];

        for (uint32_t f = 0; f < p->m->function_count; f++)
            HD_TRY(write_function(l, p, &p->m->functions[f]));
    }
    return HD_OK;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static HdStatus number_ids(Link *l, const HdModule *const *modules)
{
    l->next_id = 1;
    for (uint32_t i = 0; i < l->count; i++) {
        Part *p = &l->parts[i];

        p->m = modules[i];
        if (p->m->bound > HD_OPERAND_ID_LIMIT - l->next_id)
            return hd_fail(l->d, HD_UNSUPPORTED, HD_NO_PLACE, "link.bound",
                           "the modules have too many ids together");
        HD_TAKE(p->map, HD_NEW(l->arena, HdId, p->m->bound > 0 ? p->m->bound : 1));
        HD_TAKE(p->dropped, HD_NEW(l->arena, bool, p->m->bound > 0 ? p->m->bound : 1));
        for (HdId id = 1; id < p->m->bound; id++)
            p->map[id] = l->next_id++;
    }
    return HD_OK;
}

static HdStatus link_all(Link *l, const HdModule *const *modules)
{
    HD_TAKE(l->parts, HD_NEW(l->arena, Part, l->count));
    HD_TRY(number_ids(l, modules));
    for (uint32_t i = 0; i < l->count; i++)
        HD_TRY(note_symbols(l, i));
    HD_TRY(index_exports(l));
    HD_TRY(resolve_imports(l));
    for (size_t i = 0; i < l->exports.count; i++) {
        const Symbol *e = &l->exports.at[i];
        const Part *p = &l->parts[e->part];

        if (!p->dropped[e->id] && !hd_map_put(l->arena, &l->export_by_id, p->map[e->id], i))
            return HD_NO_MEMORY;
    }
    for (uint32_t i = 0; i < l->count; i++)
        HD_TRY(merge_globals(l, &l->parts[i]));
    HD_TRY(check_types(l));
    return write_parts(l);
}

static HdStatus join(Link *l, uint32_t **words, size_t *nwords)
{
    uint32_t version = 0;
    HdWriter w = {0};

    for (uint32_t i = 0; i < l->count; i++)
        version = l->parts[i].m->version > version ? l->parts[i].m->version : version;
    hd_writer_start(&w, version, 0, l->next_id);
    for (int s = 0; s < SECTIONS; s++) {
        const HdWriter *from = &l->out[s];

        if (from->failed)
            w.failed = true;
        for (size_t i = 0; !w.failed && i < from->count;) {
            uint32_t n = from->words[i] >> 16;

            hd_writer_inst(&w, from->words[i] & 0xffff, from->words + i + 1, n - 1);
            i += n;
        }
    }
    if (w.failed) {
        hd_writer_free(&w);
        return HD_NO_MEMORY;
    }
    *words = w.words;
    *nwords = w.count;
    return hd_xform_interfaces(words, nwords, l->d);
}

HdStatus hd_xform_link(const HdModule *const *modules, size_t count, const HdLinkOptions *options,
                       HdDiags *d, uint32_t **words, size_t *nwords)
{
    Link l = {.options = options, .d = d, .count = (uint32_t)count};
    HdStatus st;

    *words = NULL;
    *nwords = 0;
    if (count == 0)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "link.empty", "there is nothing to link");
    HD_TAKE(l.arena, hd_arena_open());
    st = link_all(&l, modules);
    if (st == HD_OK)
        st = join(&l, words, nwords);
    if (st != HD_OK) {
        hd_free(*words);
        *words = NULL;
        *nwords = 0;
    }
    for (int s = 0; s < SECTIONS; s++)
        hd_writer_free(&l.out[s]);
    for (uint32_t i = 0; l.parts != NULL && i < l.count; i++)
        hd_operand_types_free(&l.parts[i].types);
    hd_arena_drop(l.arena);
    return st;
}
