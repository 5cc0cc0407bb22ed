/* val/modes.c -- memory model, entry points, execution modes and call cycles.
 *
 * What belongs to one instruction alone is that instruction's rule (ops/module); here is what needs
 * sight of all of them.
 *
 * Spec: SPIR-V, "Entry Point and Execution Model", "Universal Validation Rules".
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bitset.h"
#include "base/map.h"
#include "base/memory.h"
#include "val/calls.h"

#define SPEC "Universal Validation Rules"

/* ---- entry points -------------------------------------------------------------------------- */

/* Has no entry point before `i` its name and model? Then it goes into the table, of indexes plus 1.
 */
static bool is_new(const HdVal *v, uint32_t *table, size_t room, uint32_t i)
{
    const HdEntryPoint *e = &v->m->entries[i], *other;
    size_t at = (size_t)hd_hash_name(e->name, strlen(e->name), (uintptr_t)table + e->model);

    for (; table[at & (room - 1)] != 0; at++) {
        other = &v->m->entries[table[at & (room - 1)] - 1];
        if (other->model == e->model && strcmp(other->name, e->name) == 0)
            return false;
    }
    table[at & (room - 1)] = i + 1;
    return true;
}

static HdStatus check_names(HdVal *v)
{
    size_t room = 16;
    uint32_t *table;

    while (room < (size_t)v->m->entry_count * 2)
        room *= 2;
    HD_TAKE(table, hd_alloc_zero(room * sizeof *table));
    for (uint32_t i = 0; i < v->m->entry_count; i++) {
        HdInst in = hd_module_inst(v->m, v->m->entries[i].word);

        if (!is_new(v, table, room, i))
            (void)hd_val_fail(v, &in, "entry.duplicate",
                              "another entry point of this execution model has the name \"%s\"",
                              v->m->entries[i].name);
    }
    hd_free(table);
    return HD_OK;
}

static int by_model(const void *x, const void *y)
{
    const HdValModel *a = x, *b = y;

    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    return a->model < b->model ? -1 : a->model > b->model;
}

/* v->models: each pair of function and model once. */
static HdStatus note_models(HdVal *v)
{
    uint32_t count = v->m->entry_count, kept = 0;
    bool sorted = true;

    HD_TAKE(v->models, HD_NEW(v->a, HdValModel, count));
    for (uint32_t i = 0; i < count; i++) {
        v->models[i] = (HdValModel){v->m->entries[i].function, v->m->entries[i].model};
        sorted &= i == 0 || by_model(&v->models[i - 1], &v->models[i]) <= 0;
    }
    if (!sorted)
        qsort(v->models, count, sizeof *v->models, by_model);
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || by_model(&v->models[kept - 1], &v->models[i]) != 0)
            v->models[kept++] = v->models[i];
    v->model_count = kept;
    return HD_OK;
}

bool hd_val_next_model(const HdVal *v, HdId function, uint32_t *at, uint32_t *model)
{
    uint32_t low = 0, high = v->model_count;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (v->models[mid].function < function)
            low = mid + 1;
        else
            high = mid;
    }
    low += *at;
    if (low >= v->model_count || v->models[low].function != function)
        return false;
    ++*at;
    *model = v->models[low].model;
    return true;
}

/* Entry points that a specialisation constant may leave out are entry points. */
static bool has_conditional_entry(const HdVal *v)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    if (!hd_val_cap(v, SpvCapabilitySpecConditionalINTEL))
        return false;
    for (HdInst in; word < v->m->first_function && hd_module_next(v->m, &word, &in);)
        if (in.opix == HD_OPIX_ConditionalEntryPointINTEL)
            return true;
    return false;
}

static void check_any_entry(HdVal *v)
{
    if (v->m->entry_count == 0 && !hd_val_cap(v, SpvCapabilityLinkage) && !has_conditional_entry(v))
        (void)hd_fail(v->d, HD_BAD_INPUT, 0, "entry.none",
                      "the module has no entry point, which takes capability Linkage");
}

/* ---- the call graph ------------------------------------------------------------------------ */

uint32_t hd_val_function_number(const HdVal *v, HdId id)
{
    const HdFunction *f = hd_module_function(v->m, id);

    return f == NULL ? UINT32_MAX : (uint32_t)(f - v->m->functions);
}

uint32_t hd_val_function_holding(const HdVal *v, uint32_t word)
{
    uint32_t low = 0, high = v->m->function_count;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (v->m->functions[mid].word <= word)
            low = mid + 1;
        else
            high = mid;
    }
    return low - 1;
}

HdStatus hd_val_find_calls(HdVal *v, HdValCalls *c)
{
    uint32_t n = v->m->function_count;
    HD_ARRAY(uint32_t) to = {0}, at = {0};

    HD_TAKE(c->first, HD_NEW(v->a, uint32_t, (size_t)n + 1));
    for (uint32_t f = 0; f < n; f++) {
        uint32_t word = v->m->functions[f].word, end = v->m->functions[f].end;

        c->first[f] = (uint32_t)to.count;
        while (v->m->has_calls && word < end) {
            const uint32_t *w = v->m->words + word;
            uint32_t called;

            if ((w[0] & 0xffff) == SpvOpFunctionCall &&
                (called = hd_val_function_number(v, w[3])) != UINT32_MAX) {
                HD_TRY_PUSH(v->a, &to, called);
                HD_TRY_PUSH(v->a, &at, word);
            }
            word += w[0] >> 16;
        }
    }
    c->first[n] = (uint32_t)to.count;
    c->to = to.at;
    c->word = at.at;
    return HD_OK;
}

/* Depth-first from the entry points; an edge to a function on the stack closes a cycle. */
static HdStatus check_cycles(HdVal *v, const HdValCalls *c)
{
    enum { NEW, OPEN, DONE };
    uint32_t n = v->m->function_count, *stack, *next;
    uint8_t *state;

    HD_TAKE(stack, HD_NEW(v->a, uint32_t, n));
    HD_TAKE(next, HD_NEW(v->a, uint32_t, n));
    HD_TAKE(state, HD_NEW(v->a, uint8_t, n));
    for (uint32_t e = 0; e < n; e++) {
        uint32_t depth = 0;

        /* In OpenCL every function counts: exported ones are called by entry points of others. */
        if (state[e] != NEW || (!c->is_entry[e] && !hd_val_opencl(v)))
            continue;
        stack[depth++] = e;
        state[e] = OPEN;
        next[e] = c->first[e];
        while (depth != 0) {
            uint32_t f = stack[depth - 1], to;

            if (next[f] == c->first[f + 1]) {
                state[f] = DONE;
                depth--;
                continue;
            }
            to = c->to[next[f]++];
            if (state[to] == OPEN) {
                HdInst in = hd_module_inst(v->m, c->word[next[f] - 1]);

                (void)hd_val_fail_spec(v, &in, "call.recursion", SPEC,
                                       "the call closes a cycle: recursion is not allowed");
            } else if (state[to] == NEW) {
                state[to] = OPEN;
                next[to] = c->first[to];
                stack[depth++] = to;
            }
        }
    }
    return HD_OK;
}

/* ---- interfaces ---------------------------------------------------------------------------- */

typedef struct Interfaces {
    uint32_t *first;   /* [functions + 1] into v->uses */
    uint32_t *in_list; /* [bound] number + 1 of the last entry point that lists the variable */
    uint32_t *seen;    /* [functions] likewise: the last one that reached it */
    uint32_t *stack;   /* [functions] */
    uint64_t *plain; /* set of ids: not built-in, nor a structure of such, in whatever interface */
    HdMap builtins; /* storage class << 32 | built-in → likewise, and the same for blocks of them */
    uint64_t steps;
} Interfaces;

#define BLOCK UINT32_MAX /* in place of a built-in: a structure of some */

/* The interface has that built-in; a second time is said once. */
static HdStatus note_builtin(HdVal *v, const HdInst *in, uint32_t number, uint32_t storage,
                             uint32_t builtin, Interfaces *x)
{
    const uint64_t key = (uint64_t)storage << 32 | builtin, once = number + 1, twice = ~once;
    const HdEnumerant *name = hd_gram_enumerant(HD_KIND_BuiltIn, builtin);
    uint64_t last = 0;

    (void)hd_map_get(&x->builtins, key, &last);
    if (last == twice)
        return HD_OK;
    if (last == once && builtin == BLOCK)
        (void)hd_val_fail_spec(v, in, "entry.builtin-blocks", SPEC,
                               "the interface has two structures of built-ins in one storage "
                               "class");
    else if (last == once) /* what linkers put together reads the same value twice */
        (void)(v->options->to_build ? hd_val_warn : hd_val_fail)(
            v, in, "entry.builtin-twice", "the interface has the built-in %s twice",
            name != NULL ? name->name : "");
    return hd_map_put(v->a, &x->builtins, key, last == once ? twice : once) ? HD_OK : HD_NO_MEMORY;
}

/* Spec: SPIR-V, "BuiltIn": none twice in a storage class; "Universal Validation Rules"
 * (Decorations): at most one structure of them, for each entry point. */
static HdStatus note_builtins(HdVal *v, const HdInst *in, uint32_t number, HdId variable,
                              Interfaces *x)
{
    const HdType *p = hd_module_type_of(v->m, variable), *t = hd_val_held(v, variable);
    const HdDecoration *own = hd_module_decoration(v->m, variable, SpvDecorationBuiltIn), *d = NULL;
    uint32_t count = 0;
    bool is_block = false;

    if (own != NULL && hd_is_pointer(p))
        HD_TRY(note_builtin(v, in, number, p->storage, hd_decoration_value(v->m, own), x));
    if (t != NULL && t->kind == HD_T_STRUCT)
        d = hd_module_decorations(v->m, t->id, &count);
    for (uint32_t i = 0; i < count; i++)
        if (d[i].member != HD_NO_MEMBER && d[i].decoration == SpvDecorationBuiltIn) {
            is_block = true;
            HD_TRY(note_builtin(v, in, number, p->storage, hd_decoration_value(v->m, &d[i]), x));
        }
    if (is_block)
        return note_builtin(v, in, number, p->storage, BLOCK, x);
    if (own == NULL)
        hd_bit_add(x->plain, variable);
    return HD_OK;
}

static HdStatus list_interface(HdVal *v, const HdEntryPoint *e, uint32_t number, Interfaces *x)
{
    HdInst in = hd_module_inst(v->m, e->word);

    for (uint32_t i = 0; i < e->interface_count; i++) {
        HdId id = e->interface[i];

        if (id >= v->m->bound)
            continue;
        if (x->in_list[id] != number + 1) {
            if (!hd_bit_has(x->plain, id))
                HD_TRY(note_builtins(v, &in, number, id, x));
        } else if (v->m->version >= 0x10400) {
            (void)hd_val_fail(v, &in, "entry.interface-twice",
                              "the interface names id %u more than once", (unsigned)id);
        }
        x->in_list[id] = number + 1;
    }
    return HD_OK;
}

/* SPV_EXT_mesh_shader, "Decorations": outputs of mesh shaders and inputs of fragment shaders only.
 */
static void check_per_primitive(HdVal *v, const HdEntryPoint *e)
{
    HdInst in = hd_module_inst(v->m, e->word);
    bool mesh = e->model == SpvExecutionModelMeshEXT;

    if (!mesh && e->model != SpvExecutionModelFragment)
        return;
    for (uint32_t i = 0; i < e->interface_count; i++) {
        HdId id = e->interface[i];
        const HdType *t = id < v->m->bound ? hd_module_type_of(v->m, id) : NULL;

        if (hd_is_pointer(t) &&
            t->storage != (mesh ? SpvStorageClassOutput : SpvStorageClassInput) &&
            hd_module_decoration(v->m, id, SpvDecorationPerPrimitiveEXT) != NULL)
            (void)hd_val_fail_spec(v, &in, "entry.per-primitive", "SPV_EXT_mesh_shader",
                                   "id %u is PerPrimitiveEXT, which is for %s here", (unsigned)id,
                                   mesh ? "outputs" : "inputs");
    }
}

/* Everything that the entry point reaches; what it misses is said once. */
static void check_interface(HdVal *v, const HdValCalls *c, const HdEntryPoint *e, uint32_t number,
                            Interfaces *x)
{
    uint32_t depth = 0, root = hd_val_function_number(v, e->function);
    HdInst in = hd_module_inst(v->m, e->word);

    if (root == UINT32_MAX)
        return;
    x->stack[depth++] = root;
    x->seen[root] = number + 1;
    while (depth != 0 && x->steps < HD_VAL_MAX_STEPS) {
        uint32_t f = x->stack[--depth];

        for (uint32_t i = x->first[f]; i < x->first[f + 1]; i++, x->steps++) {
            HdId id = v->uses.at[i].variable;

            if (x->in_list[id] == number + 1)
                continue;
            x->in_list[id] = number + 1;
            (void)(v->options->to_build ? hd_val_warn : hd_val_fail)(
                v, &in, "entry.interface-missing", "id %u is used and not in the interface",
                (unsigned)id);
        }
        for (uint32_t i = c->first[f]; i < c->first[f + 1]; i++, x->steps++)
            if (x->seen[c->to[i]] != number + 1) {
                x->seen[c->to[i]] = number + 1;
                x->stack[depth++] = c->to[i];
            }
    }
}

/* Spec: OpEntryPoint, "Interface". */
static HdStatus check_interfaces(HdVal *v, const HdValCalls *c)
{
    uint32_t n = v->m->function_count, at = 0;
    Interfaces x = {0};

    HD_TAKE(x.first, HD_NEW(v->a, uint32_t, (size_t)n + 1));
    HD_TAKE(x.in_list, HD_NEW(v->a, uint32_t, v->m->bound));
    HD_TAKE(x.seen, HD_NEW(v->a, uint32_t, n));
    HD_TAKE(x.stack, HD_NEW(v->a, uint32_t, n));
    HD_TAKE(x.plain, HD_NEW(v->a, uint64_t, HD_BITSET_WORDS(v->m->bound)));
    for (uint32_t f = 0; f < n; f++) {
        x.first[f] = at;
        while (at < v->uses.count && v->uses.at[at].function == f)
            at++;
    }
    x.first[n] = at;
    for (uint32_t i = 0; i < v->m->entry_count; i++) {
        HD_TRY(list_interface(v, &v->m->entries[i], i, &x));
        if (v->shader)
            check_per_primitive(v, &v->m->entries[i]);
        if (v->uses.count != 0)
            check_interface(v, c, &v->m->entries[i], i, &x);
    }
    return HD_OK;
}

static HdStatus check_calls(HdVal *v)
{
    HdValCalls c = {0};

    if (v->m->function_count == 0)
        return HD_OK;
    HD_TRY(hd_val_find_calls(v, &c));
    HD_TAKE(c.is_entry, HD_NEW(v->a, bool, v->m->function_count));
    for (uint32_t i = 0; i < v->m->entry_count; i++) {
        uint32_t f = hd_val_function_number(v, v->m->entries[i].function);

        if (f != UINT32_MAX)
            c.is_entry[f] = true;
    }
    for (uint32_t i = 0; i < c.first[v->m->function_count]; i++)
        if (c.is_entry[c.to[i]]) {
            HdInst in = hd_module_inst(v->m, c.word[i]);

            (void)hd_val_fail_spec(v, &in, "call.entry-point", SPEC,
                                   "an entry point must not be called");
        }
    if (v->shader)
        HD_TRY(hd_val_reach(v, &c));
    if (v->m->entry_count != 0)
        HD_TRY(check_interfaces(v, &c));
    return check_cycles(v, &c);
}

/* ---- execution modes ----------------------------------------------------------------------- */

/* Modes of one sort exclude each other. */
typedef enum Sort {
    ORIGIN,
    DEPTH,
    INTERLOCK,
    STENCIL_FRONT,
    STENCIL_BACK,
    SPACING,
    DOMAIN,
    VERTEX_ORDER,
    GEOMETRY_IN,
    GEOMETRY_OUT,
    MESH_OUT,
    MESH_VERTICES,
    MESH_PRIMITIVES,
    SORTS
} Sort;

/* How many modes of each sort a function has. */
typedef struct ModesOf {
    uint8_t count[SORTS]; /* up to 255 */
    uint8_t sizes;        /* which of the modes `sizes`, a bit each */
} ModesOf;

static const struct {
    uint32_t mode;
    Sort sort;
} sorts[] = {
    {SpvExecutionModeOriginUpperLeft, ORIGIN},
    {SpvExecutionModeOriginLowerLeft, ORIGIN},
    {SpvExecutionModeDepthGreater, DEPTH},
    {SpvExecutionModeDepthLess, DEPTH},
    {SpvExecutionModeDepthUnchanged, DEPTH},
    {SpvExecutionModePixelInterlockOrderedEXT, INTERLOCK},
    {SpvExecutionModePixelInterlockUnorderedEXT, INTERLOCK},
    {SpvExecutionModeSampleInterlockOrderedEXT, INTERLOCK},
    {SpvExecutionModeSampleInterlockUnorderedEXT, INTERLOCK},
    {SpvExecutionModeShadingRateInterlockOrderedEXT, INTERLOCK},
    {SpvExecutionModeShadingRateInterlockUnorderedEXT, INTERLOCK},
    {SpvExecutionModeStencilRefUnchangedFrontAMD, STENCIL_FRONT},
    {SpvExecutionModeStencilRefGreaterFrontAMD, STENCIL_FRONT},
    {SpvExecutionModeStencilRefLessFrontAMD, STENCIL_FRONT},
    {SpvExecutionModeStencilRefUnchangedBackAMD, STENCIL_BACK},
    {SpvExecutionModeStencilRefGreaterBackAMD, STENCIL_BACK},
    {SpvExecutionModeStencilRefLessBackAMD, STENCIL_BACK},
    {SpvExecutionModeSpacingEqual, SPACING},
    {SpvExecutionModeSpacingFractionalEven, SPACING},
    {SpvExecutionModeSpacingFractionalOdd, SPACING},
    {SpvExecutionModeTriangles, DOMAIN},
    {SpvExecutionModeQuads, DOMAIN},
    {SpvExecutionModeIsolines, DOMAIN},
    {SpvExecutionModeVertexOrderCw, VERTEX_ORDER},
    {SpvExecutionModeVertexOrderCcw, VERTEX_ORDER},
    {SpvExecutionModeInputPoints, GEOMETRY_IN},
    {SpvExecutionModeInputLines, GEOMETRY_IN},
    {SpvExecutionModeInputLinesAdjacency, GEOMETRY_IN},
    {SpvExecutionModeTriangles, GEOMETRY_IN},
    {SpvExecutionModeInputTrianglesAdjacency, GEOMETRY_IN},
    {SpvExecutionModeOutputPoints, GEOMETRY_OUT},
    {SpvExecutionModeOutputLineStrip, GEOMETRY_OUT},
    {SpvExecutionModeOutputTriangleStrip, GEOMETRY_OUT},
    {SpvExecutionModeOutputPoints, MESH_OUT},
    {SpvExecutionModeOutputLinesEXT, MESH_OUT},
    {SpvExecutionModeOutputTrianglesEXT, MESH_OUT},
    {SpvExecutionModeOutputVertices, MESH_VERTICES},
    {SpvExecutionModeOutputPrimitivesEXT, MESH_PRIMITIVES},
};

/* What an entry point of a model needs: at least and at most that many modes of a sort. */
static const struct {
    uint32_t model;
    Sort sort;
    uint32_t least;
    const char *rule, *names;
} needed[] = {
    {SpvExecutionModelFragment, ORIGIN, 1, "mode.origin", "OriginUpperLeft and OriginLowerLeft"},
    {SpvExecutionModelFragment, DEPTH, 0, "mode.depth",
     "DepthGreater, DepthLess and DepthUnchanged"},
    {SpvExecutionModelFragment, INTERLOCK, 0, "mode.interlock", "the interlock modes"},
    {SpvExecutionModelFragment, STENCIL_FRONT, 0, "mode.stencil", "the StencilRef…Front modes"},
    {SpvExecutionModelFragment, STENCIL_BACK, 0, "mode.stencil", "the StencilRef…Back modes"},
    {SpvExecutionModelTessellationControl, SPACING, 0, "mode.spacing", "the Spacing modes"},
    {SpvExecutionModelTessellationControl, DOMAIN, 0, "mode.domain",
     "Triangles, Quads and Isolines"},
    {SpvExecutionModelTessellationControl, VERTEX_ORDER, 0, "mode.vertex-order",
     "VertexOrderCw and VertexOrderCcw"},
    {SpvExecutionModelTessellationEvaluation, SPACING, 0, "mode.spacing", "the Spacing modes"},
    {SpvExecutionModelTessellationEvaluation, DOMAIN, 0, "mode.domain",
     "Triangles, Quads and Isolines"},
    {SpvExecutionModelTessellationEvaluation, VERTEX_ORDER, 0, "mode.vertex-order",
     "VertexOrderCw and VertexOrderCcw"},
    {SpvExecutionModelGeometry, GEOMETRY_IN, 1, "mode.geometry-input",
     "InputPoints, InputLines, InputLinesAdjacency, Triangles and InputTrianglesAdjacency"},
    {SpvExecutionModelGeometry, GEOMETRY_OUT, 1, "mode.geometry-output",
     "OutputPoints, OutputLineStrip and OutputTriangleStrip"},
    {SpvExecutionModelMeshEXT, MESH_OUT, 1, "mode.mesh-output",
     "OutputPoints, OutputLinesEXT and OutputTrianglesEXT"},
    {SpvExecutionModelMeshEXT, MESH_VERTICES, 1, "mode.mesh-size", "OutputVertices"},
    {SpvExecutionModelMeshEXT, MESH_PRIMITIVES, 1, "mode.mesh-size", "OutputPrimitivesEXT"},
};

/* How the local size is said. */
static const uint32_t sizes[] = {SpvExecutionModeLocalSize, SpvExecutionModeLocalSizeId,
                                 SpvExecutionModeLocalSizeHint, SpvExecutionModeLocalSizeHintId};

static void count_mode(ModesOf *of, uint32_t mode)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] == mode)
            of->sizes |= (uint8_t)(1u << i);
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++)
        if (sorts[i].mode == mode && of->count[sorts[i].sort] != UINT8_MAX)
            of->count[sorts[i].sort]++;
}

/* Every entry point, though several may share a function. */
static void check_needed(HdVal *v, const HdEntryPoint *e, const ModesOf *of)
{
    HdInst in = hd_module_inst(v->m, e->word);

    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        uint32_t n = of->count[needed[i].sort];

        if (needed[i].model == e->model && (n < needed[i].least || n > 1))
            (void)hd_val_fail(v, &in, needed[i].rule,
                              "an entry point of this execution model has %s one of %s",
                              needed[i].least != 0 ? "exactly" : "at most", needed[i].names);
    }
}

/* At most one mode says the local size; but clang says a hint beside what it requires, where the
 * source does. */
static void check_sizes(HdVal *v, const HdEntryPoint *e, const ModesOf *of)
{
    HdInst in = hd_module_inst(v->m, e->word);

    if ((of->sizes & (of->sizes - 1)) != 0)
        (void)hd_val_warn(v, &in, "mode.sizes",
                          "the entry point has more than one of LocalSize, LocalSizeId, "
                          "LocalSizeHint and LocalSizeHintId");
}

/* Two modes that say the contrary of numbers of one width. */
static const struct {
    uint32_t a, b;
} contrary[] = {
    {SpvExecutionModeDenormPreserve, SpvExecutionModeDenormFlushToZero},
    {SpvExecutionModeRoundingModeRTE, SpvExecutionModeRoundingModeRTZ},
};

/* widths: [functions] bits 8 * (which pair * 2 + which of it) + width / 16 of what was seen. */
static void check_contrary(HdVal *v, const HdInst *in, uint32_t *widths)
{
    uint32_t mode = in->w[2], width = in->nwords > 3 ? in->w[3] / 16 : 0;

    for (uint32_t i = 0; i < 2; i++) {
        uint32_t side = mode == contrary[i].a ? 0 : 1;

        if ((mode != contrary[i].a && mode != contrary[i].b) || width == 0 || width > 4)
            continue;
        if (*widths >> (i * 16 + (1 - side) * 8 + width) & 1)
            (void)hd_val_fail(v, in, "mode.contrary",
                              "the entry point has the contrary mode for this width");
        *widths |= 1u << (i * 16 + side * 8 + width);
    }
}

/* FPFastMathDefault: 3 type, 4 flags. Once for each type. */
static void check_fast_default(HdVal *v, const HdInst *in)
{
    const HdType *t = in->nwords > 4 ? hd_module_type(v->m, in->w[3]) : NULL;
    const uint64_t all = SpvFPFastMathModeNotNaNMask | SpvFPFastMathModeNotInfMask |
                         SpvFPFastMathModeNSZMask | SpvFPFastMathModeAllowRecipMask |
                         SpvFPFastMathModeFastMask | SpvFPFastMathModeAllowContractMask |
                         SpvFPFastMathModeAllowReassocMask | SpvFPFastMathModeAllowTransformMask;
    const uint32_t more = SpvFPFastMathModeAllowContractMask | SpvFPFastMathModeAllowReassocMask;
    uint64_t flags = 0;

    if (in->nwords <= 4)
        return;
    if (!hd_is_float_scalar(t)) {
        (void)hd_val_fail(v, in, "mode.fast-math-type", "the target type is no float scalar");
        return;
    }
    if (!hd_val_is_constant(v, in->w[4]) || !hd_is_int_scalar(hd_val_operand(v, in, 4)) ||
        hd_val_operand(v, in, 4)->bits != 32 ||
        (hd_module_constant(v->m, in->w[4]) != NULL &&
         hd_module_constant(v->m, in->w[4])->is_spec)) {
        (void)hd_val_fail(v, in, "mode.fast-math-flags",
                          "the flags are no 32-bit integer constant that is not specialised");
        return;
    }
    if (!hd_val_known_part(v, in->w[4], 0, &flags))
        return;
    if (flags & ~all)
        (void)hd_val_fail(v, in, "mode.fast-math-flags", "the flags have bits that mean nothing");
    if (flags & SpvFPFastMathModeFastMask)
        (void)hd_val_fail(v, in, "mode.fast-math-flags", "the default must not include Fast");
    if ((flags & SpvFPFastMathModeAllowTransformMask) && (flags & more) != more)
        (void)hd_val_fail(v, in, "mode.fast-math-flags",
                          "AllowTransform needs AllowContract and AllowReassoc");
}

/* One execution mode of one function. */
typedef struct Mode {
    uint32_t function, mode, operand, word; /* operand: what tells modes of one kind apart, or 0 */
} Mode;

static int by_function(const void *x, const void *y)
{
    const Mode *a = x, *b = y;

    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    if (a->mode != b->mode)
        return a->mode < b->mode ? -1 : 1;
    if (a->operand != b->operand)
        return a->operand < b->operand ? -1 : 1;
    return a->word < b->word ? -1 : a->word > b->word;
}

static void check_repeated(HdVal *v, const Mode *modes, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        HdInst in = hd_module_inst(v->m, modes[i].word);

        /* A mode with a target width, or of hints that producers repeat, may come again. */
        if (modes[i].function == modes[i - 1].function && modes[i].mode == modes[i - 1].mode &&
            modes[i].operand == modes[i - 1].operand &&
            (!hd_val_mode_repeats(modes[i].mode) ||
             (v->shader && !v->kernel && hd_val_mode_per_type(modes[i].mode))))
            (void)hd_val_fail(v, &in, "mode.duplicate",
                              "the entry point has this execution mode already");
    }
}

static HdStatus check_modes(HdVal *v)
{
    HD_ARRAY(Mode) modes = {0};
    bool sorted = true;
    ModesOf *of;
    uint32_t *widths;
    uint32_t word = HD_MODULE_FIRST_WORD;

    if (v->m->function_count == 0)
        return HD_OK;
    HD_TAKE(of, HD_NEW(v->a, ModesOf, v->m->function_count));
    HD_TAKE(widths, HD_NEW(v->a, uint32_t, v->m->function_count));
    for (HdInst in; word < v->m->first_function && hd_module_next(v->m, &word, &in);) {
        Mode mode;

        if (in.opix != HD_OPIX_ExecutionMode && in.opix != HD_OPIX_ExecutionModeId)
            continue;
        mode = (Mode){hd_val_function_number(v, in.w[1]), in.w[2],
                      hd_val_mode_per_type(in.w[2]) && in.nwords > 3 ? in.w[3] : 0, in.word};
        if (mode.function == UINT32_MAX)
            continue;
        count_mode(&of[mode.function], mode.mode);
        check_contrary(v, &in, &widths[mode.function]);
        if (mode.mode == SpvExecutionModeFPFastMathDefault)
            check_fast_default(v, &in);
        sorted &= modes.count == 0 || by_function(&modes.at[modes.count - 1], &mode) < 0;
        HD_TRY_PUSH(v->a, &modes, mode);
    }
    if (!sorted)
        qsort(modes.at, modes.count, sizeof *modes.at, by_function);
    check_repeated(v, modes.at, modes.count);
    for (uint32_t i = 0; i < v->m->entry_count; i++) {
        uint32_t f = hd_val_function_number(v, v->m->entries[i].function);

        if (f != UINT32_MAX) {
            check_needed(v, &v->m->entries[i], &of[f]);
            check_sizes(v, &v->m->entries[i], &of[f]);
        }
    }
    return HD_OK;
}

/* Is the id defined at module scope, or in a function that something calls? */
static bool in_running_code(const HdVal *v, const bool *runs, HdId id)
{
    uint32_t word = id < v->m->bound ? v->m->def[id] : 0, function;

    if (word == 0 || word < v->m->first_function)
        return word != 0;
    function = hd_val_function_holding(v, word);
    return function != UINT32_MAX && runs[function];
}

/* Spec: SPV_KHR_float_controls2: what FPFastMathDefault replaces is not used beside it. */
static HdStatus check_fast_math(HdVal *v)
{
    uint32_t word = HD_MODULE_FIRST_WORD;
    HdMap with = {0};
    HdValCalls c = {0};
    bool *runs;

    for (HdInst in; word < v->m->first_function && hd_module_next(v->m, &word, &in);)
        if (in.opix == HD_OPIX_ExecutionModeId && in.w[2] == SpvExecutionModeFPFastMathDefault &&
            !hd_map_put(v->a, &with, in.w[1], 1))
            return HD_NO_MEMORY;
    for (uint32_t i = 0; i < v->m->decoration_count; i++) {
        const HdDecoration *d = &v->m->decorations[i];
        HdInst in = hd_module_inst(v->m, d->word);

        if (d->decoration == SpvDecorationNoContraction &&
            hd_module_decoration(v->m, d->target, SpvDecorationFPFastMathMode) != NULL &&
            hd_val_cap(v, SpvCapabilityFloatControls2))
            (void)hd_val_fail(v, &in, "mode.fast-math-contraction",
                              "NoContraction and FPFastMathMode exclude each other");
    }
    if (with.count == 0)
        return HD_OK;
    word = HD_MODULE_FIRST_WORD;
    for (HdInst in; word < v->m->first_function && hd_module_next(v->m, &word, &in);)
        if (in.opix == HD_OPIX_ExecutionMode &&
            (in.w[2] == SpvExecutionModeContractionOff ||
             in.w[2] == SpvExecutionModeSignedZeroInfNanPreserve) &&
            hd_map_get(&with, in.w[1], NULL))
            (void)hd_val_fail(v, &in, "mode.fast-math-default",
                              "this mode is not used beside FPFastMathDefault");
    HD_TRY(hd_val_find_calls(v, &c));
    HD_TAKE(runs, HD_NEW(v->a, bool, v->m->function_count + 1));
    for (uint32_t i = 0; i < v->m->entry_count; i++)
        if (hd_val_function_number(v, v->m->entries[i].function) != UINT32_MAX)
            runs[hd_val_function_number(v, v->m->entries[i].function)] = true;
    for (uint32_t i = 0; i < c.first[v->m->function_count]; i++)
        runs[c.to[i]] = true;
    for (uint32_t i = 0; i < v->m->decoration_count; i++) {
        const HdDecoration *d = &v->m->decorations[i];
        HdInst in = hd_module_inst(v->m, d->word);

        if (!in_running_code(v, runs, d->target))
            continue;
        if (d->decoration == SpvDecorationNoContraction ||
            (d->decoration == SpvDecorationFPFastMathMode && d->operand_count != 0 &&
             (hd_decoration_value(v->m, d) & SpvFPFastMathModeFastMask)))
            (void)hd_val_fail(v, &in, "mode.fast-math-default",
                              "this decoration is not used beside FPFastMathDefault");
    }
    return HD_OK;
}

HdStatus hd_val_modes(HdVal *v)
{
    check_any_entry(v);
    HD_TRY(note_models(v));
    HD_TRY(check_names(v));
    HD_TRY(check_modes(v));
    HD_TRY(check_fast_math(v));
    return check_calls(v);
}
