/* interp/info.c -- what checked runs need to know about instructions before they run: operands with
 * shadow, origins of pointers, limits of indexes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/info.h"

#include "interp/coherence.h"
#include "interp/facts.h"
#include "interp/registers.h"
#include "module/decoration.h"
#include "module/extset.h"
#include "module/operands.h"
#include "module/parts.h"
#include "module/resource.h"

#define MAX_CHAIN 64u

typedef struct Info {
    HdInterpProgram *p;
    HdOperandTypes types;
    uint32_t argument;
    HdInterpCode *code;
} Info;

static HdStatus add_use(Info *x, HdInstInfo *info, HdId id)
{
    const HdPlace *place = id < x->p->m->bound ? &x->p->places[id] : NULL;

    if (place == NULL || place->kind != HD_PLACE_VALUE)
        return HD_OK;
    HD_TRY_PUSH(NULL, &x->p->info.uses, (uint32_t)(place->offset / 16));
    if (place->offset < x->p->undef_bytes)
        x->code->has_undefs = true;
    info->use_count++;
    return HD_OK;
}

static HdStatus find_uses(Info *x, const HdInst *in, HdInstInfo *info)
{
    HdOperandWalk walk;
    HdOperandPart part;
    uint32_t count;

    info->first_use = (uint32_t)x->p->info.uses.count;
    if (in->opix == HD_OPIX_Switch)
        return add_use(x, info, in->w[1]);
    hd_operands_start(&walk, &x->types, in->w, in->nwords);
    while (hd_operands_next(&walk, &part))
        if (part.klass == HD_OPERAND_ID || part.klass == HD_OPERAND_SCOPE_ID)
            HD_TRY(add_use(x, info, in->w[part.at]));
    if (in->opix != HD_OPIX_CompositeConstruct)
        return HD_OK;
    count = hd_parts_count(x->p->m, in, 3);
    for (uint32_t i = in->nwords - 3u; i < count; i++)
        HD_TRY(add_use(x, info, hd_parts_at(in->w, 3, i)));
    return HD_OK;
}

/* ---- pointers ------------------------------------------------------------------------------ */

/* The word of the pointer that a chain or cast is made from; 0 when it is none. */
static unsigned base_word(const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_AccessChain:
    case HD_OPIX_InBoundsAccessChain:
    case HD_OPIX_PtrAccessChain:
    case HD_OPIX_InBoundsPtrAccessChain:
    case HD_OPIX_Bitcast:
    case HD_OPIX_CopyObject:
    case HD_OPIX_PtrCastToGeneric:
    case HD_OPIX_GenericCastToPtr:
    case HD_OPIX_GenericCastToPtrExplicit:
    case HD_OPIX_PtrCastToCrossWorkgroupINTEL:
    case HD_OPIX_CrossWorkgroupCastToPtrINTEL: return 3;
    case HD_OPIX_UntypedAccessChainKHR:
    case HD_OPIX_UntypedInBoundsAccessChainKHR:
    case HD_OPIX_UntypedPtrAccessChainKHR:
    case HD_OPIX_UntypedInBoundsPtrAccessChainKHR: return 4;
    default: return 0;
    }
}

/* What a member says of its memory. */
static uint8_t member_promise(const HdModule *m, const HdType *t, uint32_t member)
{
    const bool no_write =
        hd_module_member_decoration(m, t->id, member, SpvDecorationNonWritable) != NULL;
    const bool no_read =
        hd_module_member_decoration(m, t->id, member, SpvDecorationNonReadable) != NULL;

    return (uint8_t)((no_write ? HD_PROMISE_NO_WRITE : 0) | (no_read ? HD_PROMISE_NO_READ : 0));
}

/* Indexes of a chain into arrays of known length; what members that it goes through promise. */
static HdStatus add_indexes(Info *x, const HdInst *in, unsigned base, uint8_t *promise)
{
    const HdModule *m = x->p->m;
    const HdType *t = hd_module_type_of(m, in->w[base]);
    bool has_element = in->opix == HD_OPIX_PtrAccessChain ||
                       in->opix == HD_OPIX_InBoundsPtrAccessChain ||
                       in->opix == HD_OPIX_UntypedPtrAccessChainKHR ||
                       in->opix == HD_OPIX_UntypedInBoundsPtrAccessChainKHR;
    unsigned at = base + 1 + (has_element ? 1 : 0);
    uint32_t storage;

    storage = t != NULL && t->kind == HD_T_POINTER ? t->storage : UINT32_MAX;
    t = base == 4 ? hd_module_type(m, in->w[3]) : t != NULL ? hd_type_element(t) : NULL;
    for (; at < in->nwords && t != NULL; at++) {
        uint64_t extent = 0, member;

        switch (t->kind) {
        case HD_T_STRUCT:
            if (!hd_module_constant_u64(m, in->w[at], &member) || member >= t->count)
                return HD_OK;
            if (!hd_module_is_opencl(m))
                *promise |= member_promise(m, t, (uint32_t)member);
            t = hd_type_member(m, t, (uint32_t)member);
            continue;
        case HD_T_ARRAY: /* an index of descriptors is checked where it selects one */
            extent = !hd_module_is_opencl(m) && hd_module_is_descriptors(m, storage, t)
                         ? 0
                         : hd_type_length(t);
            break;
        case HD_T_VECTOR:
        case HD_T_MATRIX: extent = t->count; break;
        case HD_T_RUNTIME_ARRAY: break;
        default:
            if (!hd_is_cooperative(t))
                return HD_OK;
            extent = t->count;
        }
        if (extent != 0) {
            HdIndexCheck check = {
                .index = in->w[at], .extent = extent, .is_matrix = hd_is_cooperative(t)};

            HD_TRY_PUSH(NULL, &x->p->info.indexes, check);
        }
        t = hd_type_element(t);
    }
    return HD_OK;
}

static bool is_kernel(const HdInterpProgram *p, const HdInterpCode *code)
{
    return hd_module_entry_of(p->m, code->function->id) != NULL ||
           hd_build_child_info(p->layout, code->function->id) != NULL;
}

/* Is it known only in the run where a pointer comes from, or those in a composite? */
static bool has_provenance(const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_Load:
    case HD_OPIX_Phi:
    case HD_OPIX_Select:
    case HD_OPIX_FunctionCall:
    case HD_OPIX_CompositeExtract:
    case HD_OPIX_CompositeInsert:
    case HD_OPIX_CompositeConstruct: return true;
    default: return false;
    }
}

/* Larger composites' pointers are not followed. */
#define MAX_CELLS 64u

static bool has_pointer(const HdModule *m, const HdType *t, unsigned depth)
{
    uint64_t parts = t->kind == HD_T_STRUCT ? t->count : t->kind == HD_T_ARRAY ? 1 : 0;

    if (t->kind == HD_T_POINTER || hd_type_size(t) == 0)
        return hd_type_size(t) != 0;
    for (uint64_t i = 0; i < parts && depth < MAX_CELLS; i++)
        if (has_pointer(m, hd_type_part(m, t, i), depth + 1))
            return true;
    return false;
}

uint32_t hd_info_provenance_cells(const HdModule *m, const HdType *t)
{
    if (t->kind == HD_T_POINTER)
        return 1;
    if ((t->kind != HD_T_STRUCT && t->kind != HD_T_ARRAY) ||
        hd_type_size(t) > MAX_CELLS * HD_PROVENANCE_BYTES || !has_pointer(m, t, 0))
        return 0;
    return (uint32_t)(hd_type_size(t) / HD_PROVENANCE_BYTES);
}

static uint32_t provenance_slot(Info *x, HdId id)
{
    const HdType *t = hd_module_type_of(x->p->m, id);
    uint32_t *slot = &x->p->info.provenance_slot[id];

    if (*slot == 0) {
        *slot = x->code->provenance_count + 1;
        x->code->provenance_count += hd_info_provenance_cells(x->p->m, t);
    }
    return *slot;
}

/* Places for the provenances of a composite with pointers in it; false: there are none. */
static bool place_composite(Info *x, HdId id, const HdType *t)
{
    if (t->kind == HD_T_POINTER || hd_info_provenance_cells(x->p->m, t) == 0)
        return false;
    x->p->info.roots[id].provenance = provenance_slot(x, id);
    return true;
}

/* What a parameter says of the memory that is reached through it. */
static uint8_t promise_of(const HdModule *m, HdId id)
{
    unsigned promise = 0;

    for (HdDecorations x = hd_module_decorations(m, id); x.d != NULL; hd_decorations_step(&x)) {
        const uint32_t value = x.d->operand_count > 0 ? hd_decoration_value(m, x.d) : 0;

        if (x.d->decoration == SpvDecorationNonWritable)
            promise |= HD_PROMISE_NO_WRITE;
        if (x.d->decoration == SpvDecorationNonReadable)
            promise |= HD_PROMISE_NO_READ;
        if (x.d->decoration != SpvDecorationFuncParamAttr)
            continue;
        if (value == SpvFunctionParameterAttributeNoWrite)
            promise |= HD_PROMISE_NO_WRITE;
        if (value == SpvFunctionParameterAttributeNoReadWrite)
            promise |= HD_PROMISE_NO_WRITE | HD_PROMISE_NO_READ;
    }
    return (uint8_t)promise;
}

/* A shader's buffer. Of an array of descriptors it is not known which. */
static void place_resource(Info *x, HdRoot *root, HdId id)
{
    const HdBuildLayout *l = x->p->layout;
    const HdResource *r = &l->resources[l->resource[id]].resource;

    root->promise |=
        (uint8_t)((r->no_write ? HD_PROMISE_NO_WRITE : 0) | (r->no_read ? HD_PROMISE_NO_READ : 0));
    if (r->elements != 0)
        return;
    root->kind = HD_ROOT_ARGUMENT;
    root->argument = l->resource[id];
}

/* What is known of the place that a root names. */
static void place_root(Info *x, HdRoot *root, const HdInst *in)
{
    const HdInterpProgram *p = x->p;
    const HdType *t = hd_module_type(p->m, in->w[1]);
    HdId id = in->w[2];

    root->id = id;
    if (in->opix == HD_OPIX_FunctionParameter)
        root->promise |= promise_of(p->m, id);
    if (in->opix == HD_OPIX_FunctionParameter && p->variables[id] == UINT64_MAX) {
        if (is_kernel(p, x->code))
            root->kind = HD_ROOT_ARGUMENT;
        else
            root->provenance = provenance_slot(x, id);
        root->argument = x->argument;
        return;
    }
    t = t == NULL                                                  ? NULL
        : in->opix == HD_OPIX_UntypedVariableKHR && in->nwords > 4 ? hd_module_type(p->m, in->w[4])
                                                                   : hd_type_element(t);
    if (t == NULL || (hd_type_size(t) == 0 && p->layout->resource[id] == UINT32_MAX))
        return;
    root->bytes = hd_type_size(t);
    if (p->variables[id] != UINT64_MAX) {
        root->kind = HD_ROOT_PRIVATE;
        root->offset = p->variables[id];
    } else if (p->layout->resource[id] != UINT32_MAX) {
        place_resource(x, root, id);
    } else if (p->layout->local_offset[id] != UINT64_MAX) {
        root->kind = HD_ROOT_LOCAL;
        root->offset = p->layout->local_offset[id];
    } else if (p->layout->program_offset[id] != UINT64_MAX) {
        root->kind = HD_ROOT_PROGRAM;
        root->offset = p->layout->program_offset[id];
    }
}

static void place_array(const Info *x, HdRoot *root, const HdInst *in)
{
    bool untyped = in->opix == HD_OPIX_UntypedVariableLengthArrayINTEL;
    const HdType *t = hd_module_vla_element(x->p->m, in);

    root->id = in->w[2];
    root->kind = HD_ROOT_ARRAY;
    root->argument = in->w[untyped ? 4 : 3];
    root->bytes = t != NULL ? hd_type_size(t) : 0;
}

/* Which parameter of its function an OpFunctionParameter is. */
static uint32_t number_of(const HdModule *m, const HdInst *in)
{
    for (uint32_t i = 0; i < m->function_count; i++) {
        const HdFunction *f = &m->functions[i];

        for (uint32_t k = 0; in->word >= f->word && in->word < f->end && k < f->param_count; k++)
            if (m->params[f->first_param + k] == in->word)
                return k;
    }
    return UINT32_MAX;
}

/* An image, or a pointer to a texel, of a shader: its variable and what that promises. Where its
 * texels lie only the descriptor knows. */
static HdStatus find_image(Info *x, HdId id, HdRoot *root)
{
    const HdModule *m = x->p->m;
    HdInst in;

    for (unsigned i = 0; i < MAX_CHAIN && hd_module_def(m, id, &in); i++) {
        const unsigned origin = hd_opaque_origin(m, &in),
                       base = origin != 0 ? origin : base_word(&in);

        if (hd_inst_is_variable(&in)) {
            root->id = id;
            root->promise |= promise_of(m, id);
        }
        if (base == 0 || base >= in.nwords)
            break;
        id = in.w[base];
    }
    x->p->info.has_promises = x->p->info.has_promises || root->promise != 0;
    return HD_OK;
}

static bool points(const HdModule *m, HdId id)
{
    const HdType *t = hd_module_type_of(m, id);

    return t != NULL && t->kind == HD_T_POINTER;
}

/* Follow a pointer to where it comes from. */
static HdStatus find_root(Info *x, HdId id)
{
    HdRoot *root = &x->p->info.roots[id];
    HdId content;
    HdInst in;

    root->first_index = (uint32_t)x->p->info.indexes.count;
    if (!hd_module_is_opencl(x->p->m) && hd_module_def(x->p->m, id, &in) &&
        hd_opaque_origin(x->p->m, &in) != 0)
        return find_image(x, id, root);
    for (unsigned i = 0; i < MAX_CHAIN && hd_module_def(x->p->m, id, &in); i++) {
        unsigned base = base_word(&in);

        if (in.opix == HD_OPIX_VariableLengthArrayINTEL ||
            in.opix == HD_OPIX_UntypedVariableLengthArrayINTEL) {
            place_array(x, root, &in);
            break;
        }
        if (hd_inst_is_variable(&in) || in.opix == HD_OPIX_FunctionParameter) {
            if (in.opix == HD_OPIX_FunctionParameter)
                x->argument = number_of(x->p->m, &in);
            place_root(x, root, &in);
            break;
        }
        if (in.opix == HD_OPIX_BufferPointerEXT) { /* memory that only the run knows */
            root->id = id;
            root->promise = promise_of(x->p->m, id);
            x->p->info.has_promises = x->p->info.has_promises || root->promise != 0;
            break;
        }
        content = hd_registers_content(x->p, &in);
        if (content != 0) {
            id = content;
            continue;
        }
        if (has_provenance(&in)) {
            root->provenance = provenance_slot(x, id);
            break;
        }
        if (base == 0 || base >= in.nwords)
            break;
        if (hd_operands_is_chain(in.opix))
            HD_TRY(add_indexes(x, &in, base, &root->promise));
        id = in.w[base];
        if (!points(x->p->m, id)) /* OpBitcast of an address */
            break;
    }
    root->index_count = (uint32_t)x->p->info.indexes.count - root->first_index;
    x->p->info.has_promises = x->p->info.has_promises || root->promise != 0;
    return HD_OK;
}

const HdVariableInfo *hd_info_variable(const HdInterpProgram *p, uint32_t function, HdId id,
                                       uint64_t offset)
{
    for (size_t i = 0; i < p->info.variables.count; i++) {
        const HdVariableInfo *v = &p->info.variables.at[i];

        if (v->function == function &&
            (id != 0 ? v->id == id : offset >= v->offset && offset - v->offset < v->bytes))
            return v;
    }
    return NULL;
}

/* ---- instructions -------------------------------------------------------------------------- */

static HdStatus add_variable(Info *x, uint32_t function, HdId id, const HdType *t, uint32_t *number)
{
    uint64_t offset = x->p->variables[id];
    HdVariableInfo v = {.id = id, .offset = offset, .function = function, .number = *number};

    if (offset == UINT64_MAX || t == NULL)
        return HD_OK;
    v.bytes = hd_type_size(t) ? hd_type_size(t) : 1;
    HD_TRY_PUSH(NULL, &x->p->info.variables, v);
    x->p->info.variable_number[id] = *number;
    ++*number;
    return HD_OK;
}

/* An atomic that may order what its work-item did before. */
static bool releases(const HdModule *m, const HdInst *in)
{
    const uint64_t order = SpvMemorySemanticsReleaseMask | SpvMemorySemanticsAcquireReleaseMask |
                           SpvMemorySemanticsSequentiallyConsistentMask;
    const HdGramInst *row = &hd_gram_insts[in->opix];
    uint64_t semantics;

    for (unsigned i = 0; i < row->operand_count && i + 1u < in->nwords; i++)
        if (row->operands[i].klass == HD_OPERAND_SEMANTICS_ID)
            return !hd_module_constant_u64(m, in->w[i + 1], &semantics) || (semantics & order) != 0;
    return false;
}

/* A memory barrier, for others than those that a control barrier holds up. */
static bool is_fence(const HdModule *m, const HdInst *in)
{
    uint64_t scope;

    return in->opix == HD_OPIX_MemoryBarrier ||
           (in->opix == HD_OPIX_ControlBarrier &&
            (!hd_module_constant_u64(m, in->w[2], &scope) || scope <= SpvScopeDevice ||
             scope == SpvScopeQueueFamily));
}

/* An atomic or fence that concerns less than the device. */
static bool is_narrow(const HdModule *m, const HdInst *in)
{
    const char *name = hd_gram_insts[in->opix].name;
    const HdGramInst *row = &hd_gram_insts[in->opix];
    uint64_t scope;

    if (strncmp(name, "OpAtomic", 8) != 0 && in->opix != HD_OPIX_MemoryBarrier)
        return false;
    for (unsigned i = 0; i < row->operand_count && i + 1u < in->nwords; i++)
        if (row->operands[i].klass == HD_OPERAND_SCOPE_ID)
            return hd_module_constant_u64(m, in->w[i + 1], &scope) && scope >= SpvScopeWorkgroup &&
                   scope <= SpvScopeInvocation;
    return false;
}

static bool has_pointers(const HdModule *m, HdId id)
{
    const HdType *t = hd_module_type_of(m, id);

    return t != NULL && hd_info_provenance_cells(m, t) > 0;
}

/* Is it known what becomes of a composite's pointers? */
static bool is_followed(const HdInst *in)
{
    return has_provenance(in) || in->opix == HD_OPIX_CopyObject || in->opix == HD_OPIX_CopyLogical;
}

/* A widened number is undefined if a bit of it is: the checks of stores work on whole
 * components. */
static bool widens(const HdModule *m, const HdInst *in)
{
    const HdType *to, *from;

    if (in->opix != HD_OPIX_UConvert && in->opix != HD_OPIX_SConvert)
        return false;
    to = hd_module_type(m, in->w[1]);
    from = hd_module_type_of(m, in->w[3]);
    return to != NULL && from != NULL && hd_type_size(to) > hd_type_size(from);
}

uint8_t hd_info_finite(const HdModule *m, HdId id)
{
    const HdDecoration *d = hd_module_decoration(m, id, SpvDecorationFPFastMathMode);
    const uint32_t mode = d != NULL ? hd_decoration_value(m, d) : 0;

    return (uint8_t)(((mode & SpvFPFastMathModeNotNaNMask) != 0 ? HD_FINITE_NUMBER : 0) |
                     ((mode & SpvFPFastMathModeNotInfMask) != 0 ? HD_FINITE_BOUND : 0));
}

static HdStatus add_inst(Info *x, uint32_t function, const HdInst *in, HdInstInfo *info,
                         uint32_t *variables)
{
    const HdModule *m = x->p->m;
    HdId id = hd_inst_result(in);
    const HdType *t = id != 0 ? hd_module_type(m, hd_inst_type(in)) : NULL;

    info->number = x->p->info.inst_count++;
    info->shadow = widens(m, in) ? HD_SHADOW_SPREADS : hd_eval_shadow[in->opix];
    HD_TRY(find_uses(x, in, info));
    x->p->info.has_fences = x->p->info.has_fences || is_fence(m, in);
    x->p->info.has_scopes = x->p->info.has_scopes || is_narrow(m, in);
    if (hd_eval_convergent[in->opix] || releases(m, in))
        x->p->info.has_epochs = true;
    info->coherence = hd_coherence_of(x->p, in);
    x->p->info.has_private = x->p->info.has_private || info->coherence != HD_COHERENT;
    if (in->opix == HD_OPIX_Store && has_pointers(m, in->w[2]))
        x->p->info.stores_pointers = true;
    if (id == 0 || t == NULL || x->p->places[id].kind != HD_PLACE_VALUE)
        return HD_OK;
    info->result = (uint32_t)(x->p->places[id].offset / 16) + 1;
    x->code->slot_types[info->result - 1] = t;
    info->finite = hd_info_finite(m, id);
    info->no_signed_wrap = hd_module_decoration(m, id, SpvDecorationNoSignedWrap) != NULL;
    info->no_unsigned_wrap = hd_module_decoration(m, id, SpvDecorationNoUnsignedWrap) != NULL;
    if (t->kind == HD_T_POINTER) {
        HD_TRY(find_root(x, id));
        info->has_provenance = has_provenance(in) && in->opix != HD_OPIX_FunctionCall;
    } else if (!hd_module_is_opencl(m) && hd_type_image(t) != NULL) {
        HD_TRY(find_root(x, id));
    } else if (is_followed(in) && place_composite(x, id, t)) {
        info->has_provenance = in->opix != HD_OPIX_FunctionCall;
    }
    if (in->opix == HD_OPIX_Variable)
        HD_TRY(add_variable(x, function, id, hd_type_element(t), variables));
    else if (in->opix == HD_OPIX_UntypedVariableKHR && in->nwords > 4)
        HD_TRY(add_variable(x, function, id, hd_module_type(m, in->w[4]), variables));
    return HD_OK;
}

static HdStatus add_function(Info *x, uint32_t number)
{
    HdInterpProgram *p = x->p;
    HdInterpCode *c = &p->codes[number];
    const HdFunction *f = c->function;
    uint32_t count = f->block_count > 0 ? c->first[f->block_count] : 0, variables = 0;

    HD_TAKE(c->info, HD_NEW(p->arena, HdInstInfo, count + 1));
    HD_TAKE(c->slot_types, HD_NEW(p->arena, const HdType *, c->value_bytes / 16 + 1));
    x->code = c;
    for (size_t i = 0; i < p->undef_count; i++)
        c->slot_types[p->undefs[i].offset / 16] = p->undefs[i].constant->type;
    for (uint32_t i = 0; i < f->param_count; i++) {
        HdInst in = hd_function_param(p->m, f, i);
        const HdType *t = hd_module_type(p->m, in.w[1]);

        if (t != NULL && x->p->places[in.w[2]].kind == HD_PLACE_VALUE)
            c->slot_types[x->p->places[in.w[2]].offset / 16] = t;
        if (t != NULL && t->kind == HD_T_POINTER) {
            HD_TRY(find_root(x, in.w[2]));
            HD_TRY(add_variable(x, number, in.w[2], hd_type_element(t), &variables));
        } else if (t != NULL) {
            (void)place_composite(x, in.w[2], t);
        }
    }
    for (uint32_t i = 0; i < count; i++)
        HD_TRY(add_inst(x, number, &c->insts[i], &c->info[i], &variables));
    /* Phis are done together, by the first of them. */
    for (uint32_t i = count; i-- > 1;)
        if (c->info[i].has_provenance && c->insts[i].opix == HD_OPIX_Phi &&
            c->insts[i - 1].opix == HD_OPIX_Phi)
            c->info[i - 1].has_provenance = true;
    c->variable_count = variables;
    c->number = number;
    return HD_OK;
}

static HdStatus open_in(Info *x)
{
    const HdModule *m = x->p->m;

    HD_TAKE(x->p->info.roots, HD_NEW(x->p->arena, HdRoot, m->bound));
    HD_TAKE(x->p->info.provenance_slot, HD_NEW(x->p->arena, uint32_t, m->bound));
    HD_TAKE(x->p->info.variable_number, HD_NEW(x->p->arena, uint32_t, m->bound));
    for (HdId id = 1; id < m->bound; id++)
        if (x->p->places[id].kind == HD_PLACE_FIXED || x->p->places[id].kind == HD_PLACE_INPUT)
            HD_TRY(find_root(x, id));
    x->p->info.inst_count = (uint32_t)x->p->undef_count;
    for (uint32_t i = 0; i < m->function_count; i++)
        HD_TRY(add_function(x, i));
    return HD_OK;
}

/* Sets whose instructions compute; the ids in others are no uses. */
static void find_imports(Info *x)
{
    const HdModule *m = x->p->m;
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);) {
        unsigned set = in.opix == HD_OPIX_ExtInstImport ? hd_module_extset(m, in.w[1]) : 0;

        if (in.opix == HD_OPIX_ExtInstImport && hd_extset_computes(set))
            hd_operand_types_set_import(&x->types, in.w[1], set, true);
    }
}

HdStatus hd_info_open(HdInterpProgram *p)
{
    Info x = {.p = p};
    HdStatus st;

    find_imports(&x);
    st = open_in(&x);
    hd_operand_types_free(&x.types);
    return st;
}

void hd_info_close(HdInterpProgram *p)
{
    HD_ARRAY_FREE(&p->info.uses);
    HD_ARRAY_FREE(&p->info.indexes);
    HD_ARRAY_FREE(&p->info.variables);
}
