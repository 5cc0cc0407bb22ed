/* xform/link.c -- several SPIR-V modules into one.
 *
 * Every id gets a new number. Then some ids are given the number of another: an import that of the
 * export, a type or constant that of an equal earlier one. The definition of such an id is omitted
 * when the modules are written one after another, section by section.
 *
 * Compilers guess what an imported function's pointers point to, so the pointer types of an import
 * and its export may differ in that; calls then cast. They also give structures padding members
 * where they initialise one, and none where they only know its name: a variable's import may have a
 * different type than its export if that is at least as large, and is cast.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/link.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/bisect.h"
#include "base/bitset.h"
#include "base/map.h"
#include "base/memory.h"
#include "module/decoration.h"
#include "module/edit.h"
#include "module/parts.h"
#include "module/type.h"
#include "xform/globals.h"
#include "xform/group.h"
#include "xform/interface.h"
#include "xform/linkage.h"

/* Sections of a module, in the order of the specification. What is before globals is written by
 * sections, which are then joined; the rest goes to the result at once. */
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
    SECTIONS = GLOBALS
} Section;

typedef struct Part {
    const HdModule *m;
    HdId first;        /* new id of its id 1, if that is not merged; ids follow in order */
    HdId *map;         /* [bound] new ids */
    uint64_t *dropped; /* [bound] a set: definition, names and decorations are left out */
} Part;

typedef struct Symbol {
    const char *name;
    uint32_t linkage;
    uint32_t part;
    HdId id;        /* in the part */
    bool is_merged; /* an import that took another id's number */
} Symbol;

/* Definitions that equal ones become, by what they say: open addressing, never full. */
typedef struct Merged {
    struct {
        uint32_t hash;
        HdId id; /* new; 0: free */
    } * slots;
    size_t room; /* a power of two */
} Merged;

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
    Merged merged;
    HdStrMap once; /* capabilities, extensions, entry points */
    HdWriter section[SECTIONS], out;
    size_t globals, globals_end; /* words of the result */
    bool is_unordered;           /* a table or variable has an address that a later part defines */
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

/* Record what a part imports and exports. The decoration's operands are the name and, after it, the
 * linkage type. */
static HdStatus note_symbols(Link *l, uint32_t p)
{
    const HdModule *m = l->parts[p].m;

    for (HdDecorations x = hd_module_applied_decorations(m); x.d != NULL; hd_decorations_step(&x)) {
        Symbol s = {.part = p, .id = x.target};

        if (x.d->decoration != SpvDecorationLinkageAttributes || x.d->operand_count < 2 ||
            is_builtin(m, x.target))
            continue;
        s.name = (const char *)hd_decoration_operands(m, x.d);
        s.linkage = hd_decoration_last(m, x.d);
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

    hd_bit_add(p->dropped, id);
    for (uint32_t word = f != NULL ? f->word : 0, end = f != NULL ? f->end : 0; word < end;) {
        HdInst in = hd_module_inst(p->m, word);
        HdId result = hd_inst_result(&in);

        if (result != 0)
            hd_bit_add(p->dropped, result);
        word = hd_inst_next(&in);
    }
}

/* The one of several definitions with the highest rank stays: one that other modules cannot
 * replace, then one that an Export replaces, then one of those that are all the same. */
static int rank(const Symbol *s)
{
    switch (s->linkage) {
    case SpvLinkageTypeLinkOnceODR: return 0;
    case SpvLinkageTypeWeakAMD: return 1;
    default: return 2;
    }
}

/* Does one of two definitions give way to the other? A weak one only to those of other modules. */
static bool may_give_way(const Symbol *a, const Symbol *b)
{
    if (rank(a) == 0 || rank(b) == 0)
        return true;
    return a->part != b->part && (rank(a) == 1 || rank(b) == 1);
}

/* One export for each name: one of several that may give way to it, else an error. */
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
        if (!may_give_way(first, s)) {
            st = first->part == s->part
                     ? hd_fail(l->d, HD_BAD_INPUT, HD_NO_PLACE, "link.duplicate",
                               "'%s' is the name of several definitions in %s", s->name,
                               name_of(l, s->part, one))
                     : hd_fail(l->d, HD_BAD_INPUT, HD_NO_PLACE, "link.duplicate",
                               "'%s' is defined in %s and again in %s", s->name,
                               name_of(l, first->part, one), name_of(l, s->part, other));
            continue;
        }
        if (rank(s) > rank(first)) {
            Symbol swap = *first;

            *first = *s;
            *s = swap;
        }
        HD_TRY_PUSH(l->arena, &l->imports, *s); /* what gives way is seen as an import is */
    }
    return st;
}

/* Names that get a body after linking. */
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
static void translate(const Part *p, const HdInst *in, uint32_t *to)
{
    const HdForm *form = &hd_gram_forms[in->opix];
    uint32_t i = 1, known = hd_form_is_plain(form, in->nwords) ? in->nwords : form->prefix + 1u;

    to[0] = in->w[0];
    for (; i < known; i++)
        to[i] = hd_form_is_id(form, i) ? p->map[in->w[i]] : in->w[i];
    for (; i < in->nwords; i++)
        to[i] = hd_bit_has(p->m->id_words, in->word + i) ? p->map[in->w[i]] : in->w[i];
    /* between types that are one now */
    if (in->opix == HD_OPIX_CopyLogical && to[1] == p->map[hd_module_type_id(p->m, in->w[3])])
        to[0] = (uint32_t)in->nwords << 16 | SpvOpCopyObject;
}

/* Write it. Nothing is known of the ids of an opcode that the grammar does not have. */
static HdStatus write_translated(const Link *l, const Part *p, const HdInst *in, HdWriter *w)
{
    uint32_t *to = hd_writer_take(w, in->nwords);
    char text[24];

    if (in->opix == HD_OPIX_NONE)
        return hd_fail(l->d, HD_UNSUPPORTED, HD_NO_PLACE, "link.opcode",
                       "%s has an instruction with the unknown opcode %u",
                       name_of(l, (uint32_t)(p - l->parts), text), (unsigned)in->opcode);
    if (to == NULL)
        return HD_NO_MEMORY;
    translate(p, in, to);
    if (hd_group_applies(in->opcode))
        hd_groups_drop_targets(w, in->w, p->dropped);
    return HD_OK;
}

/* ---- definitions that are there already ------------------------------------------------------ */

/* Which definitions are one when their words are. An entry point has one variable for a built-in.
 */
static bool may_merge(const Part *p, const HdInst *in)
{
    if (hd_parts_continue(p->m, in->opix,
                          hd_inst_next(in))) /* two that begin alike may end differently */
        return false;
    switch (in->opix) {
    case HD_OPIX_Variable: return is_builtin(p->m, in->w[2]);
    case HD_OPIX_TypeForwardPointer: return false;
    case HD_OPIX_ExtInstImport:
    case HD_OPIX_ConstantTrue:
    case HD_OPIX_ConstantFalse:
    case HD_OPIX_Constant:
    case HD_OPIX_ConstantComposite:
    case HD_OPIX_ConstantNull:
    case HD_OPIX_ConstantSampler: return true;
    default: return hd_gram_forms[in->opix].is_type;
    }
}

/* A word with its id replaced, and what tells ids from others. */
static uint64_t new_word(const Part *p, const HdInst *in, uint32_t i)
{
    return hd_inst_is_id(p->m, in, i) ? (uint64_t)1 << 32 | p->map[in->w[i]]
                                      : hd_inst_definition_word(in, i);
}

static bool same_decoration(const Part *p, const HdDecoration *x, const Part *q,
                            const HdDecoration *y)
{
    HdInst s = hd_module_inst(p->m, x->word), t = hd_module_inst(q->m, y->word);

    if (x->decoration != y->decoration || x->operand_count != y->operand_count)
        return false;
    for (uint32_t o = 1; o <= x->operand_count; o++)
        if (new_word(p, &s, s.nwords - o) != new_word(q, &t, t.nwords - o))
            return false;
    return true;
}

/* Of a variable, linkage, Constant and others may be missing of one. */
static bool same_decorations(const Part *p, const HdInst *a, const Part *q, const HdInst *b)
{
    HdId id = hd_inst_result(a), other = hd_inst_result(b);
    HdDecorations x, y;

    if (a->opix == HD_OPIX_Variable) {
        const HdDecoration *s = hd_module_decoration(p->m, id, SpvDecorationBuiltIn);
        const HdDecoration *t = hd_module_decoration(q->m, other, SpvDecorationBuiltIn);

        return s == NULL || t == NULL ? s == t : same_decoration(p, s, q, t);
    }
    x = hd_module_decorations(p->m, id);
    y = hd_module_decorations(q->m, other);
    for (; x.d != NULL && y.d != NULL; hd_decorations_step(&x), hd_decorations_step(&y))
        if (x.member != y.member || !same_decoration(p, x.d, q, y.d))
            return false;
    return x.d == y.d; /* at their ends */
}

static bool same_definition(const Part *p, const HdInst *a, const Part *q, const HdInst *b)
{
    if (a->w[0] != b->w[0])
        return false;
    for (uint32_t i = 1; i < a->nwords; i++)
        if (i != hd_gram_forms[a->opix].result_at && new_word(p, a, i) != new_word(q, b, i))
            return false;
    /* whatever decorates what may be there once only */
    return !hd_type_may_repeat(a->opix) || same_decorations(p, a, q, b);
}

/* Of all but the decorations; seeded with an address, so that modules cannot be made to collide.
 * Those that differ in the last word only, as constants do that come one after the other, become
 * neighbours. */
static uint32_t definition_hash(const Link *l, const Part *p, const HdInst *in)
{
    uint64_t h = hd_hash_u64((uintptr_t)l->merged.slots ^ in->w[0]), last = 0;

    for (uint32_t i = 1; i < in->nwords; i++) {
        if (i == hd_gram_forms[in->opix].result_at)
            continue;
        h = hd_hash_add(h, last);
        last = new_word(p, in, i);
    }
    h = hd_hash_u64(h ^ last >> 4);
    return (uint32_t)((h & ~(uint64_t)15) | (last & 15));
}

/* The part that a new id comes from. */
static const Part *part_of(const Link *l, HdId id)
{
    uint32_t after;

    HD_BISECT(after, l->count, l->parts[after].first > id);
    return &l->parts[after - 1];
}

/* Room for all that may be merged. */
static HdStatus open_merged(Link *l)
{
    size_t count = 0;

    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t word = HD_MODULE_FIRST_WORD;

        for (HdInst in;
             word < l->parts[i].m->first_function && hd_module_next(l->parts[i].m, &word, &in);)
            count += hd_inst_result(&in) != 0 && may_merge(&l->parts[i], &in);
    }
    l->merged.room = hd_hash_room(count);
    HD_TAKE(l->merged.slots, hd_alloc_zero(l->merged.room * sizeof *l->merged.slots));
    return HD_OK;
}

/* The new id of an equal definition; the definition is the first: its own, which is noted. */
static HdId merge(Link *l, const Part *p, const HdInst *in)
{
    uint32_t hash = definition_hash(l, p, in);
    size_t i = hash & (l->merged.room - 1);

    for (; l->merged.slots[i].id != 0; i = (i + 1) & (l->merged.room - 1)) {
        const Part *q = part_of(l, l->merged.slots[i].id);
        HdInst other;

        if (l->merged.slots[i].hash != hash)
            continue;
        other = hd_module_inst(q->m, q->m->def[l->merged.slots[i].id - q->first + 1]);
        if (same_definition(p, in, q, &other))
            return l->merged.slots[i].id;
    }
    l->merged.slots[i].hash = hash;
    l->merged.slots[i].id = p->map[hd_inst_result(in)];
    return l->merged.slots[i].id;
}

/* Find the types and constants of a part that already exist. */
static void merge_globals(Link *l, Part *p)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; word < p->m->first_function && hd_module_next(p->m, &word, &in);) {
        HdId id = hd_inst_result(&in), found;

        if (id == 0 || !may_merge(p, &in))
            continue;
        found = merge(l, p, &in);
        if (found != p->map[id])
            hd_bit_add(p->dropped, id);
        p->map[id] = found;
    }
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
        t = t != NULL ? hd_type_element(t) : NULL;
    return t != NULL ? hd_type_size(t) : 0;
}

/* A variable's import may see less of it than there is, and see it without a type. */
static bool variables_fit(const Part *a, HdId ia, const Part *b, HdId ib)
{
    HdId ta = hd_module_type_id(a->m, ia), tb = hd_module_type_id(b->m, ib);
    const HdType *x = hd_module_type(a->m, ta), *y = hd_module_type(b->m, tb);

    if (a->map[ta] == b->map[tb])
        return true;
    return types_fit(a->m, ta, a->map[ta], b->m, tb, b->map[tb]) &&
           (hd_type_element(x) != NULL || x->is_untyped) &&
           (hd_type_element(y) != NULL || y->is_untyped) &&
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

    if (!hd_bit_has(p->dropped, function) || f == NULL)
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

/* OpFunctionCall: words 1 type, 2 result, 3 function, then arguments. */
static HdStatus write_call(Link *l, const Part *p, const HdInst *in)
{
    HdWriter *w = &l->out;
    HdInst type;
    const Part *q = callee_of(l, p, in->w[3], &type);
    HdId result, wanted;
    uint32_t *words;

    if (q == NULL)
        return write_translated(l, p, in, w);
    HD_TAKE(words, hd_alloc(in->nwords * sizeof *words));
    translate(p, in, words);
    wanted = words[1];
    result = words[2];
    for (uint32_t i = 4; i < in->nwords && i - 1 < type.nwords; i++) {
        HdId want = q->map[type.w[i - 1]], have = p->map[hd_module_type_id(p->m, in->w[i])];

        if (want != have)
            words[i] = cast(l, w, want, words[i], 0);
    }
    words[1] = q->map[type.w[2]];
    if (words[1] != wanted)
        words[2] = l->next_id++;
    hd_writer_words(w, words, in->nwords);
    if (words[1] != wanted)
        cast(l, w, wanted, words[2], result);
    hd_free(words);
    return HD_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

static Section section_of(const HdInst *in)
{
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
    case HD_OPIX_AliasDomainDeclINTEL:
    case HD_OPIX_AliasScopeDeclINTEL:
    case HD_OPIX_AliasScopeListDeclINTEL: return ANNOTATIONS;
    default: break;
    }
    return hd_gram_insts[in->opix].klass == HD_CLASS_Annotation ? ANNOTATIONS : GLOBALS;
}

/* The first of several equal ones, else *before is whose that is. Entry points are looked up by
 * name. */
static HdStatus is_first(Link *l, const void *key, size_t size_bytes, uint32_t part, bool *first,
                         uint32_t *before)
{
    uint64_t found = 0;

    *first = !hd_strmap_get(&l->once, key, size_bytes, &found);
    *before = (uint32_t)found;
    if (*first && !hd_strmap_put(l->arena, &l->once, key, size_bytes, part))
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
        return hd_bit_has(p->dropped, result);
    if (s == NAMES || (s == ANNOTATIONS && !hd_group_applies(in->opcode)))
        return hd_bit_has(p->dropped, in->w[1]) || is_export(l, in);
    return false;
}

/* What is before the globals: each to its section. */
static HdStatus write_early(Link *l, const Part *p, const HdInst *in, Section s)
{
    uint32_t part = (uint32_t)(p - l->parts), before;
    HdWriter *w = &l->section[s];
    char one[24], other[24];
    bool first = true;

    if (s == CAPABILITIES || s == EXTENSIONS) {
        size_t size = in->opix == HD_OPIX_Extension ? sizeof *in->w + strlen(hd_inst_string(in, 1))
                                                    : in->nwords * sizeof *in->w;

        HD_TRY(is_first(l, in->w, size, part, &first, &before));
    } else if (s == MEMORY_MODEL) {
        first = w->count == 0;
        if (!first && memcmp(w->words + 1, in->w + 1, 8) != 0)
            return hd_fail(l->d, HD_BAD_INPUT, HD_NO_PLACE, "link.memory-model",
                           "%s has another addressing or memory model than %s",
                           name_of(l, part, one), name_of(l, 0, other));
    } else if (s == ENTRIES) {
        const char *name = hd_inst_string(in, 3);

        HD_TRY(is_first(l, name, strlen(name), part, &first, &before));
        if (!first)
            return hd_fail(l->d, HD_BAD_INPUT, HD_NO_PLACE, "link.duplicate",
                           "kernel '%s' is defined in %s and again in %s", name,
                           name_of(l, before, one), name_of(l, part, other));
    }
    return first ? write_translated(l, p, in, w) : HD_OK;
}

/* Does a constant or variable refer to what a later part defines? */
static bool looks_ahead(const Link *l, const Part *p, const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_Variable:
    case HD_OPIX_UntypedVariableKHR:
    case HD_OPIX_ConstantComposite:
    case HD_OPIX_SpecConstantComposite:
    case HD_OPIX_SpecConstantOp: break;
    default: return false;
    }
    for (uint32_t i = 3; i < in->nwords; i++)
        if (hd_inst_is_id(p->m, in, i) && hd_bit_has(p->dropped, in->w[i]) &&
            part_of(l, p->map[in->w[i]]) > p)
            return true;
    return false;
}

/* Of all parts what belongs to the globals, or what is before them. */
static HdStatus write_globals(Link *l, bool early)
{
    for (uint32_t i = 0; i < l->count; i++) {
        const Part *p = &l->parts[i];
        uint32_t word = HD_MODULE_FIRST_WORD;

        for (HdInst in; word < p->m->first_function && hd_module_next(p->m, &word, &in);) {
            Section s = section_of(&in);

            if ((s != GLOBALS) != early || is_left_out(l, p, &in, s))
                continue;
            HD_TRY(early ? write_early(l, p, &in, s) : write_translated(l, p, &in, &l->out));
            l->is_unordered = l->is_unordered || (!early && looks_ahead(l, p, &in));
        }
    }
    return HD_OK;
}

static HdStatus write_function(Link *l, const Part *p, const HdFunction *f)
{
    for (uint32_t word = f->word; word < f->end;) {
        HdInst in = hd_module_inst(p->m, word);

        word = hd_inst_next(&in);
        if (in.opix == HD_OPIX_FunctionCall && in.nwords >= 4)
            HD_TRY(write_call(l, p, &in));
        else
            HD_TRY(write_translated(l, p, &in, &l->out));
    }
    return HD_OK;
}

/* Of all parts those with a body, or those without. */
static HdStatus write_functions(Link *l, bool body)
{
    for (uint32_t i = 0; i < l->count; i++) {
        const Part *p = &l->parts[i];

        for (uint32_t k = 0; k < p->m->function_count; k++) {
            const HdFunction *f = &p->m->functions[k];

            if ((f->block_count != 0) == body && !hd_bit_has(p->dropped, f->id))
                HD_TRY(write_function(l, p, f));
        }
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

            hd_writer_inst(&l->out, SpvOpSpecConstantOp, operands, 4);
            a->map[s->id] = operands[1];
        }
    }
}

static HdStatus write_all(Link *l)
{
    uint32_t version = 0;

    HD_TRY(write_globals(l, true));
    hd_xform_forget_linkage(&l->section[CAPABILITIES], &l->section[EXTENSIONS],
                            &l->section[ANNOTATIONS]);
    for (uint32_t i = 0; i < l->count; i++)
        version = l->parts[i].m->version > version ? l->parts[i].m->version : version;
    hd_writer_start(&l->out, version, 0, 0);
    for (int s = 0; s < SECTIONS; s++) {
        hd_writer_append(&l->out, &l->section[s]);
        hd_writer_free(&l->section[s]);
    }
    l->globals = l->out.count;
    HD_TRY(write_globals(l, false));
    cast_variables(l);
    l->globals_end = l->out.count;
    HD_TRY(write_functions(l, false));
    HD_TRY(write_functions(l, true));
    hd_writer_set_bound(&l->out, l->next_id);
    return hd_writer_finish(&l->out, l->d);
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
        p->first = l->next_id;
        HD_TAKE(p->map, HD_NEW(l->arena, HdId, p->m->bound > 0 ? p->m->bound : 1));
        HD_TAKE(p->dropped, HD_NEW(l->arena, uint64_t, HD_BITSET_WORDS(p->m->bound) + 1));
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

        if (!hd_bit_has(p->dropped, e->id) &&
            !hd_map_put(l->arena, &l->export_by_id, p->map[e->id], i))
            return HD_NO_MEMORY;
    }
    HD_TRY(open_merged(l));
    for (uint32_t i = 0; i < l->count; i++)
        merge_globals(l, &l->parts[i]);
    hd_free(l->merged.slots);
    l->merged.slots = NULL;
    for (uint32_t i = 0; i < l->count; i++)
        HD_TRY(hd_groups_find_unused(l->parts[i].m, l->parts[i].dropped));
    HD_TRY(check_types(l));
    return write_all(l);
}

/* Variables that point to each other in their start values: each alone is well-formed. */
static HdStatus refuse_cycle(const Link *l, const HdCycle *cycle)
{
    char names[256] = "", text[24];
    size_t len = 0;

    for (uint32_t i = 0; i < cycle->count && len < sizeof names; i++) {
        uint64_t index;

        if (!hd_map_get(&l->export_by_id, cycle->ids[i], &index))
            continue;
        len += (size_t)snprintf(names + len, sizeof names - len, "%s'%s' in %s",
                                len != 0 ? ", " : "", l->exports.at[index].name,
                                name_of(l, l->exports.at[index].part, text));
    }
    return hd_fail(l->d, HD_BAD_INPUT, HD_NO_PLACE, "link.cycle",
                   "variables point to each other in their start values: %s. SPIR-V has no form "
                   "for that; let a kernel set one of the pointers",
                   names);
}

static HdStatus order_globals(Link *l)
{
    HdCycle cycle;

    HD_TRY(hd_xform_order_globals(l->out.words, l->out.count, (uint32_t)l->globals,
                                  (uint32_t)l->globals_end, l->d, &cycle));
    return cycle.count != 0 ? refuse_cycle(l, &cycle) : HD_OK;
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
    if (st == HD_OK && l.is_unordered)
        st = order_globals(&l);
    for (int s = 0; s < SECTIONS; s++)
        hd_writer_free(&l.section[s]);
    hd_free(l.merged.slots);
    hd_arena_drop(l.arena);
    if (st == HD_OK)
        st = hd_xform_interfaces(&l.out.words, &l.out.count, d);
    if (st != HD_OK) {
        hd_writer_free(&l.out);
        return st;
    }
    *words = l.out.words;
    *nwords = l.out.count;
    return HD_OK;
}
