/* val/reach.c -- what an entry point may reach: instructions that belong to some execution models
 * only, and what its execution modes require of the functions that it calls.
 *
 * Spec: SPIR-V, "Execution Model", "Execution Mode" and the instructions' own words;
 * SPV_KHR_maximal_reconvergence; SPV_EXT_mesh_shader; SPV_EXT_fragment_shader_interlock;
 * SPV_KHR_ray_tracing.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/bitset.h"
#include "gen/extinst.h"
#include "val/calls.h"
#include "val/models.h"

#define RAYS (HD_MODEL_RAY_GENERATION | HD_MODEL_CLOSEST_HIT | HD_MODEL_MISS)

/* ---- execution models ----------------------------------------------------------------------- */

uint32_t hd_val_model_bit(uint32_t model)
{
    switch (model) {
    case SpvExecutionModelTaskNV: return HD_MODEL_TASK_NV;
    case SpvExecutionModelMeshNV: return HD_MODEL_MESH_NV;
    case SpvExecutionModelRayGenerationKHR: return HD_MODEL_RAY_GENERATION;
    case SpvExecutionModelIntersectionKHR: return HD_MODEL_INTERSECTION;
    case SpvExecutionModelAnyHitKHR: return HD_MODEL_ANY_HIT;
    case SpvExecutionModelClosestHitKHR: return HD_MODEL_CLOSEST_HIT;
    case SpvExecutionModelMissKHR: return HD_MODEL_MISS;
    case SpvExecutionModelCallableKHR: return HD_MODEL_CALLABLE;
    case SpvExecutionModelTaskEXT: return HD_MODEL_TASK;
    case SpvExecutionModelMeshEXT: return HD_MODEL_MESH;
    default: return model <= SpvExecutionModelKernel ? 1u << model : HD_MODEL_OTHERS;
    }
}

uint32_t hd_val_reached_by(const HdVal *v)
{
    return v->f != NULL && v->reach != NULL ? v->reach[v->f - v->m->functions] : 0;
}

/* Derivatives need neighbours: those of fragments, or of work-groups that are arranged so. */
static uint32_t with_neighbours(const HdVal *v)
{
    uint32_t word = HD_MODULE_FIRST_WORD, bits = HD_MODEL_FRAGMENT;

    for (HdInst in; word < v->m->first_function && hd_module_next(v->m, &word, &in);)
        if (in.opix == HD_OPIX_ExecutionMode &&
            (in.w[2] == SpvExecutionModeDerivativeGroupQuadsKHR ||
             in.w[2] == SpvExecutionModeDerivativeGroupLinearKHR))
            bits |= HD_MODEL_GL_COMPUTE | HD_MODEL_TASK | HD_MODEL_MESH;
    return bits;
}

static uint32_t of_set(const HdVal *v, const HdInst *in)
{
    if (hd_module_extset(v->m, in->w[3]) != HD_EXTSET_GLSL_std_450)
        return HD_MODEL_ANY;
    return in->w[4] >= GLSLstd450InterpolateAtCentroid && in->w[4] <= GLSLstd450InterpolateAtOffset
               ? HD_MODEL_FRAGMENT
               : HD_MODEL_ANY;
}

static uint32_t of_image(const HdVal *v, HdId id)
{
    const HdType *t = hd_module_type_of(v->m, id);

    return t != NULL && t->kind == HD_T_IMAGE && hd_type_words(t)[3] == SpvDimSubpassData
               ? HD_MODEL_FRAGMENT
               : HD_MODEL_ANY;
}

/* Mesh shaders write their outputs and do not read them; hit attributes are written where the hit
 * is found. */
static uint32_t of_memory(const HdVal *v, const HdInst *in)
{
    const HdType *p = hd_module_type_of(v->m, in->w[in->opix == HD_OPIX_Load ? 3 : 1]);

    if (p == NULL || p->kind != HD_T_POINTER)
        return HD_MODEL_ANY;
    if (p->storage == SpvStorageClassTaskPayloadWorkgroupEXT)
        return HD_MODEL_TASK | HD_MODEL_MESH;
    if (in->opix == HD_OPIX_Load && p->storage == SpvStorageClassOutput)
        return HD_MODEL_ANY & ~HD_MODEL_MESH;
    if (in->opix == HD_OPIX_Store && p->storage == SpvStorageClassHitAttributeKHR)
        return HD_MODEL_ANY & ~(HD_MODEL_ANY_HIT | HD_MODEL_CLOSEST_HIT);
    return HD_MODEL_ANY;
}

static uint32_t may_reach(const HdVal *v, const HdInst *in, uint32_t neighbours)
{
    switch (in->opix) {
    case HD_OPIX_DPdx:
    case HD_OPIX_DPdy:
    case HD_OPIX_Fwidth:
    case HD_OPIX_DPdxFine:
    case HD_OPIX_DPdyFine:
    case HD_OPIX_FwidthFine:
    case HD_OPIX_DPdxCoarse:
    case HD_OPIX_DPdyCoarse:
    case HD_OPIX_FwidthCoarse:
    case HD_OPIX_ImageQueryLod:
    case HD_OPIX_ImageSampleImplicitLod:
    case HD_OPIX_ImageSampleDrefImplicitLod:
    case HD_OPIX_ImageSampleProjImplicitLod:
    case HD_OPIX_ImageSampleProjDrefImplicitLod:
    case HD_OPIX_ImageSparseSampleImplicitLod:
    case HD_OPIX_ImageSparseSampleDrefImplicitLod: return neighbours;
    case HD_OPIX_EmitVertex:
    case HD_OPIX_EndPrimitive:
    case HD_OPIX_EmitStreamVertex:
    case HD_OPIX_EndStreamPrimitive: return HD_MODEL_GEOMETRY;
    case HD_OPIX_Kill:
    case HD_OPIX_TerminateInvocation:
    case HD_OPIX_DemoteToHelperInvocation:
    case HD_OPIX_IsHelperInvocationEXT:
    case HD_OPIX_BeginInvocationInterlockEXT:
    case HD_OPIX_EndInvocationInterlockEXT:
    case HD_OPIX_ColorAttachmentReadEXT:
    case HD_OPIX_DepthAttachmentReadEXT:
    case HD_OPIX_StencilAttachmentReadEXT: return HD_MODEL_FRAGMENT;
    case HD_OPIX_ImageRead: return of_image(v, in->w[3]);
    case HD_OPIX_EmitMeshTasksEXT: return HD_MODEL_TASK;
    case HD_OPIX_SetMeshOutputsEXT: return HD_MODEL_MESH;
    case HD_OPIX_IgnoreIntersectionKHR:
    case HD_OPIX_TerminateRayKHR: return HD_MODEL_ANY_HIT;
    case HD_OPIX_ReportIntersectionKHR: return HD_MODEL_INTERSECTION;
    case HD_OPIX_TraceRayKHR: return RAYS;
    case HD_OPIX_ExecuteCallableKHR: return RAYS | HD_MODEL_CALLABLE;
    case HD_OPIX_ControlBarrier:
        return v->m->version >= 0x10300 ? HD_MODEL_ANY
                                        : HD_MODEL_TESSELLATION_CONTROL | HD_MODEL_GL_COMPUTE |
                                              HD_MODEL_KERNEL | HD_MODEL_TASK_NV | HD_MODEL_MESH_NV;
    case HD_OPIX_ExtInst: return of_set(v, in);
    case HD_OPIX_Load:
    case HD_OPIX_Store: return of_memory(v, in);
    default: return HD_MODEL_ANY;
    }
}

/* The models that each function may run in, along the calls. */
static HdStatus find_models(HdVal *v, const HdCalls *c, uint32_t *models)
{
    size_t n = v->m->function_count, left = 0, room = n * (HD_MODEL_BITS + 1);
    uint32_t *work;

    HD_TAKE(work, HD_NEW(v->pass, uint32_t, room));
    for (uint32_t i = 0; i < v->m->entry_count; i++) {
        uint32_t f = hd_module_function_index(v->m, v->m->entries[i].function);

        if (f == UINT32_MAX || (models[f] | hd_val_model_bit(v->m->entries[i].model)) == models[f])
            continue;
        models[f] |= hd_val_model_bit(v->m->entries[i].model);
        work[left++] = f;
    }
    /* A function comes again only when it gets a new bit. */
    while (left != 0) {
        uint32_t f = work[--left];

        for (uint32_t e = c->first[f]; e < c->first[f + 1]; e++) {
            uint32_t to = c->to[e];

            if ((models[to] | models[f]) == models[to] || left >= room)
                continue;
            models[to] |= models[f];
            work[left++] = to;
        }
    }
    return HD_OK;
}

static HdStatus check_models(HdVal *v, const HdCalls *c)
{
    uint32_t *models, neighbours = with_neighbours(v);

    HD_TAKE(models, HD_NEW(v->a, uint32_t, v->m->function_count));
    HD_TRY(find_models(v, c, models));
    v->reach = models;
    for (uint32_t f = 0; f < v->m->function_count; f++) {
        uint32_t word = v->m->functions[f].word;

        if (models[f] == 0)
            continue;
        for (HdInst in; word < v->m->functions[f].end && hd_module_next(v->m, &word, &in);)
            if (models[f] & ~may_reach(v, &in, neighbours) & ~(uint32_t)HD_MODEL_OTHERS)
                (void)hd_val_fail(v, &in, "mode.reach",
                                  "an execution model reaches this instruction that has it not");
    }
    return HD_OK;
}

/* ---- execution modes ------------------------------------------------------------------------ */

/* What an entry point's modes ask of the functions that it reaches. */
typedef struct Asked {
    bool interlock; /* has a mode of invocation interlocks */
    bool maximal;   /* has MaximallyReconvergesKHR */
    uint32_t vertices, primitives;
} Asked;

typedef struct Walk {
    const HdCalls *c;
    Asked *asked;    /* [functions] */
    uint32_t *seen;  /* [functions] number + 1 of the last entry point that reached it */
    uint32_t *stack; /* [functions] */
    uint64_t *reconverges, *locks; /* [functions] has been checked for that */
    uint64_t steps;
} Walk;

static void note_mode(Asked *a, const HdInst *in)
{
    uint32_t value = in->nwords > 3 ? in->w[3] : 0;

    switch (in->w[2]) {
    case SpvExecutionModePixelInterlockOrderedEXT:
    case SpvExecutionModePixelInterlockUnorderedEXT:
    case SpvExecutionModeSampleInterlockOrderedEXT:
    case SpvExecutionModeSampleInterlockUnorderedEXT:
    case SpvExecutionModeShadingRateInterlockOrderedEXT:
    case SpvExecutionModeShadingRateInterlockUnorderedEXT: a->interlock = true; break;
    case SpvExecutionModeMaximallyReconvergesKHR: a->maximal = true; break;
    case SpvExecutionModeOutputVertices: a->vertices = value; break;
    case SpvExecutionModeOutputPrimitivesEXT: a->primitives = value; break;
    default: break;
    }
}

/* The block of a label may have several predecessors. */
static void allow(const HdVal *v, const HdFunction *f, HdId label, uint64_t *targets)
{
    uint32_t b = hd_module_block(v->m, label);

    if (b >= f->first_block && b < f->first_block + f->block_count)
        hd_bit_add(targets, b - f->first_block);
}

static void note_targets(const HdVal *v, const HdFunction *f, const HdInst *in, uint64_t *targets)
{
    if (in->opix == HD_OPIX_SelectionMerge || in->opix == HD_OPIX_LoopMerge)
        allow(v, f, in->w[1], targets);
    if (in->opix == HD_OPIX_LoopMerge) {
        allow(v, f, in->w[2], targets);
        hd_bit_add(targets, hd_module_block_before(v->m, in->word) - f->first_block);
    }
    /* A literal that happens to be a label's number allows too much, never too little. */
    for (uint32_t i = 2; in->opix == HD_OPIX_Switch && i < in->nwords; i++)
        allow(v, f, in->w[i], targets);
}

/* Spec: SPV_KHR_maximal_reconvergence, "Structured Control Flow". */
static HdStatus check_reconvergence(HdVal *v, const HdFunction *f)
{
    uint32_t word = f->word;
    uint64_t *targets;
    HdCfg *g;

    HD_TAKE(targets, HD_NEW(v->pass, uint64_t, HD_BITSET_WORDS(f->block_count)));
    for (HdInst in; word < f->end && hd_module_next(v->m, &word, &in);) {
        note_targets(v, f, &in, targets);
        if (in.opix == HD_OPIX_BranchConditional && in.w[2] == in.w[3])
            (void)hd_val_fail(v, &in, "flow.reconverge-branch",
                              "where invocations reconverge maximally the two targets differ");
    }
    if (f->block_count == 0 ||
        hd_cfg_build_dominators(v->m, f, v->pass, v->pass, v->d, &g) != HD_OK)
        return HD_OK;
    for (uint32_t b = 0; b < g->count; b++) {
        HdInst in = hd_module_inst(v->m, v->m->blocks[f->first_block + b].word);
        uint32_t count;

        (void)hd_predecessors(&g->preds, b, &count);
        if (count > 1 && !hd_bit_has(targets, b))
            (void)hd_val_fail(v, &in, "flow.reconverge-block",
                              "where invocations reconverge maximally only loop headers and the "
                              "targets of merges, continues and switches have several "
                              "predecessors");
    }
    return HD_OK;
}

/* One function that an entry point reaches. */
static HdStatus check_function(HdVal *v, Walk *w, uint32_t number, const Asked *asked)
{
    const HdFunction *f = &v->m->functions[number];
    uint32_t word = f->word;

    if (asked->maximal && !hd_bit_has(w->reconverges, number)) {
        hd_bit_add(w->reconverges, number);
        HD_TRY(check_reconvergence(v, f));
    }
    for (HdInst in; word < f->end && hd_module_next(v->m, &word, &in); w->steps++) {
        uint64_t n;

        if ((in.opix == HD_OPIX_BeginInvocationInterlockEXT ||
             in.opix == HD_OPIX_EndInvocationInterlockEXT) &&
            !asked->interlock && !hd_bit_has(w->locks, number)) {
            hd_bit_add(w->locks, number);
            (void)hd_val_fail(v, &in, "mode.interlock-missing",
                              "an entry point that comes here has no mode of interlocks");
        }
        if (in.opix != HD_OPIX_SetMeshOutputsEXT)
            continue;
        w->steps += HD_VAL_FINDING_STEPS; /* there may be one for each entry point */
        if (hd_val_known_part(v, in.w[1], 0, &n) && n > asked->vertices)
            (void)hd_val_fail(v, &in, "shader.mesh-limit",
                              "more vertices than OutputVertices allows");
        if (hd_val_known_part(v, in.w[2], 0, &n) && n > asked->primitives)
            (void)hd_val_fail(v, &in, "shader.mesh-limit",
                              "more primitives than OutputPrimitivesEXT allows");
    }
    return HD_OK;
}

static HdStatus walk_entry(HdVal *v, Walk *w, uint32_t number)
{
    const HdEntryPoint *e = &v->m->entries[number];
    uint32_t depth = 0, root = hd_module_function_index(v->m, e->function);

    if (root == UINT32_MAX)
        return HD_OK;
    w->stack[depth++] = root;
    w->seen[root] = number + 1;
    while (depth != 0 && w->steps < HD_VAL_MAX_STEPS) {
        uint32_t f = w->stack[--depth];

        HD_TRY(check_function(v, w, f, &w->asked[root]));
        for (uint32_t i = w->c->first[f]; i < w->c->first[f + 1]; i++, w->steps++)
            if (w->seen[w->c->to[i]] != number + 1) {
                w->seen[w->c->to[i]] = number + 1;
                w->stack[depth++] = w->c->to[i];
            }
    }
    return HD_OK;
}

static bool has_interlocks(const HdVal *v)
{
    return hd_val_cap(v, SpvCapabilityFragmentShaderPixelInterlockEXT) ||
           hd_val_cap(v, SpvCapabilityFragmentShaderSampleInterlockEXT) ||
           hd_val_cap(v, SpvCapabilityFragmentShaderShadingRateInterlockEXT);
}

static HdStatus check_entries(HdVal *v, const HdCalls *c)
{
    uint32_t n = v->m->function_count, word = HD_MODULE_FIRST_WORD;
    bool locks = has_interlocks(v), meshes = hd_val_cap(v, SpvCapabilityMeshShadingEXT);
    Walk w = {.c = c};

    if (!locks && !meshes && !hd_module_has_extension(v->m, "SPV_KHR_maximal_reconvergence"))
        return HD_OK;
    HD_TAKE(w.asked, HD_NEW(v->pass, Asked, n));
    HD_TAKE(w.seen, HD_NEW(v->pass, uint32_t, n));
    HD_TAKE(w.stack, HD_NEW(v->pass, uint32_t, n));
    HD_TAKE(w.reconverges, HD_NEW(v->pass, uint64_t, HD_BITSET_WORDS(n)));
    HD_TAKE(w.locks, HD_NEW(v->pass, uint64_t, HD_BITSET_WORDS(n)));
    for (HdInst in; word < v->m->first_function && hd_module_next(v->m, &word, &in);) {
        uint32_t f;

        if (in.opix == HD_OPIX_ExecutionMode &&
            (f = hd_module_function_index(v->m, in.w[1])) != UINT32_MAX)
            note_mode(&w.asked[f], &in);
    }
    for (uint32_t i = 0; i < v->m->entry_count; i++) {
        uint32_t f = hd_module_function_index(v->m, v->m->entries[i].function);

        if (f != UINT32_MAX &&
            (w.asked[f].maximal || (locks && v->m->entries[i].model == SpvExecutionModelFragment) ||
             v->m->entries[i].model == SpvExecutionModelMeshEXT))
            HD_TRY(walk_entry(v, &w, i));
    }
    return HD_OK;
}

HdStatus hd_val_reach(HdVal *v, const HdCalls *c)
{
    HD_TRY(check_models(v, c));
    return check_entries(v, c);
}
