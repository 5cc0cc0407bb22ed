/* val/vulkan_builtin.c -- built-in variables in Vulkan: what they hold, their storage classes, and
 * the execution models that have them.
 *
 * Types and storage classes are checked where they are declared, models where functions use them. A
 * use of a block counts for all of its members.
 *
 * Spec: Vulkan, "Built-In Variables"; the statement's identifier is the section of the finding.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/decoration.h"
#include "val/models.h"

/* As builtin.def names them. */
enum {
    VERTEX = HD_MODEL_VERTEX,
    TESSELLATION_CONTROL = HD_MODEL_TESSELLATION_CONTROL,
    TESSELLATION_EVALUATION = HD_MODEL_TESSELLATION_EVALUATION,
    GEOMETRY = HD_MODEL_GEOMETRY,
    FRAGMENT = HD_MODEL_FRAGMENT,
    GL_COMPUTE = HD_MODEL_GL_COMPUTE,
    TASK_NV = HD_MODEL_TASK_NV,
    MESH_NV = HD_MODEL_MESH_NV,
    RAY_GENERATION = HD_MODEL_RAY_GENERATION,
    INTERSECTION = HD_MODEL_INTERSECTION,
    ANY_HIT = HD_MODEL_ANY_HIT,
    CLOSEST_HIT = HD_MODEL_CLOSEST_HIT,
    MISS = HD_MODEL_MISS,
    CALLABLE = HD_MODEL_CALLABLE,
    TASK = HD_MODEL_TASK,
    MESH = HD_MODEL_MESH,
    ANY_MODEL = HD_MODEL_ANY,
    GROUPS = HD_MODEL_GROUPS,
    MESHES = HD_MODEL_MESH | HD_MODEL_MESH_NV,
    TESS = HD_MODEL_TESSELLATION_CONTROL | HD_MODEL_TESSELLATION_EVALUATION,
    HITS = HD_MODEL_INTERSECTION | HD_MODEL_ANY_HIT | HD_MODEL_CLOSEST_HIT
};

typedef enum Shape {
    BOOL,
    INT, /* of any width */
    I32,
    I32X2,
    I32X3,
    I32X4,
    F32,
    F32X2,
    F32X3,
    F32X4,
    I32_ARRAY,
    I32X2_ARRAY,
    I32X3_ARRAY,
    F32_ARRAY,
    F32_ARRAY_2,
    F32_ARRAY_4,
    F32X3_ARRAY,
    F32X4_ARRAY,
    F32_ARRAYS, /* of two dimensions */
    MATRIX      /* of four columns of three floats */
} Shape;

static const char *const shape_names[] = {
    [BOOL] = "a boolean",
    [INT] = "an integer",
    [I32] = "a 32-bit integer",
    [I32X2] = "a vector of two 32-bit integers",
    [I32X3] = "a vector of three 32-bit integers",
    [I32X4] = "a vector of four 32-bit integers",
    [F32] = "a 32-bit float",
    [F32X2] = "a vector of two 32-bit floats",
    [F32X3] = "a vector of three 32-bit floats",
    [F32X4] = "a vector of four 32-bit floats",
    [I32_ARRAY] = "an array of 32-bit integers",
    [I32X2_ARRAY] = "an array of vectors of two 32-bit integers",
    [I32X3_ARRAY] = "an array of vectors of three 32-bit integers",
    [F32_ARRAY] = "an array of 32-bit floats",
    [F32_ARRAY_2] = "an array of two 32-bit floats",
    [F32_ARRAY_4] = "an array of four 32-bit floats",
    [F32X3_ARRAY] = "an array of vectors of three 32-bit floats",
    [F32X4_ARRAY] = "an array of vectors of four 32-bit floats",
    [F32_ARRAYS] = "a two-dimensional array of 32-bit floats",
    [MATRIX] = "a matrix of four columns of three 32-bit floats",
};

typedef struct Builtin {
    uint32_t value;
    const char *name;
    Shape shape;
    enum Arrays { ALONE, PER_VERTEX, PER_PRIMITIVE } arrays;
    uint32_t models, in, out;
    const char *type, *model, *in_wrong, *out_wrong, *storage; /* identifiers of statements */
} Builtin;

static const Builtin builtins[] = {
#define BUILTIN(name, shape, arrays, type, models, model, in, in_wrong, out, out_wrong, storage) \
    {SpvBuiltIn##name,                                                                           \
     #name,                                                                                      \
     shape,                                                                                      \
     arrays,                                                                                     \
     models,                                                                                     \
     in,                                                                                         \
     out,                                                                                        \
     HD_VUID(#name, #name, type),                                                                \
     HD_VUID(#name, #name, model),                                                               \
     HD_VUID(#name, #name, in_wrong),                                                            \
     HD_VUID(#name, #name, out_wrong),                                                           \
     HD_VUID(#name, #name, storage)},
#include "val/builtin.def"
#undef BUILTIN
};

static const Builtin *find(uint32_t value)
{
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (builtins[i].value == value)
            return &builtins[i];
    return NULL;
}

/* ---- what they hold -------------------------------------------------------------------------- */

static bool is_array(const HdType *t)
{
    return t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY;
}

static bool is_vector(const HdType *t, uint32_t count, bool is_float)
{
    if (count != 1)
        return t->kind == HD_T_VECTOR && t->count == count &&
               is_vector(hd_type_element(t), 1, is_float);
    return t->kind == (is_float ? HD_T_FLOAT : HD_T_INT) && t->bits == 32;
}

static bool is_array_of(const HdType *t, uint32_t count, bool is_float)
{
    return is_array(t) && is_vector(hd_type_element(t), count, is_float);
}

static bool is_fitting(const HdType *t, Shape shape)
{
    switch (shape) {
    case BOOL: return t->kind == HD_T_BOOL;
    case INT: return t->kind == HD_T_INT;
    case I32: return is_vector(t, 1, false);
    case I32X2: return is_vector(t, 2, false);
    case I32X3: return is_vector(t, 3, false);
    case I32X4: return is_vector(t, 4, false);
    case F32: return is_vector(t, 1, true);
    case F32X2: return is_vector(t, 2, true);
    case F32X3: return is_vector(t, 3, true);
    case F32X4: return is_vector(t, 4, true);
    case I32_ARRAY: return is_array_of(t, 1, false);
    case I32X2_ARRAY: return is_array_of(t, 2, false);
    case I32X3_ARRAY: return is_array_of(t, 3, false);
    case F32_ARRAY: return is_array_of(t, 1, true);
    case F32_ARRAY_2: return is_array_of(t, 1, true) && hd_type_length(t) == 2;
    case F32_ARRAY_4: return is_array_of(t, 1, true) && hd_type_length(t) == 4;
    case F32X3_ARRAY: return is_array_of(t, 3, true);
    case F32X4_ARRAY: return is_array_of(t, 4, true);
    case F32_ARRAYS: return is_array(t) && is_array_of(hd_type_element(t), 1, true);
    case MATRIX:
        return t->kind == HD_T_MATRIX && t->count == 4 && is_vector(hd_type_element(t), 3, true);
    }
    return true;
}

static HdStatus wrong_type(HdVal *v, const HdInst *in, const Builtin *b)
{
    return hd_val_fail_spec(v, in, "vulkan.builtin-type", b->type, "%s is %s", b->name,
                            shape_names[b->shape]);
}

static HdStatus wrong_storage(HdVal *v, const HdInst *in, const Builtin *b)
{
    return hd_val_fail_spec(v, in, "vulkan.builtin-storage", b->storage,
                            "%s must be of storage class %s", b->name,
                            b->in == 0    ? "Output"
                            : b->out == 0 ? "Input"
                                          : "Input or Output");
}

static bool is_right_storage(const Builtin *b, uint32_t storage)
{
    return (storage == SpvStorageClassInput && b->in != 0) ||
           (storage == SpvStorageClassOutput && b->out != 0);
}

/* A constant: only the size of work-groups is one. */
static HdStatus check_constant(HdVal *v, const HdInst *in, const Builtin *b, HdId id)
{
    const HdType *t = hd_module_type_of(v->m, id);

    if (b->value != SpvBuiltInWorkgroupSize)
        return t != NULL && !is_fitting(t, b->shape) ? wrong_type(v, in, b)
                                                     : wrong_storage(v, in, b);
    return t != NULL && !is_fitting(t, b->shape) ? wrong_type(v, in, b) : HD_OK;
}

static HdStatus check_variable(HdVal *v, const HdInst *in, const Builtin *b, HdId id)
{
    const HdType *p = hd_module_type_of(v->m, id), *t = hd_val_held(v, id);

    if (b->value == SpvBuiltInWorkgroupSize)
        return HD_OK; /* it decorates constants, which decorate.memory-object says */
    if (t != NULL && !is_fitting(t, b->shape) &&
        (b->arrays == ALONE || !is_array(t) || !is_fitting(hd_type_element(t), b->shape)))
        return wrong_type(v, in, b);
    if (p != NULL && p->kind == HD_T_POINTER && !is_right_storage(b, p->storage))
        return wrong_storage(v, in, b);
    return HD_OK;
}

static void check_decorated(HdVal *v, const HdDecorations *x)
{
    const HdType *t = hd_module_type(v->m, x->target);
    uint32_t value = hd_decoration_value(v->m, x->d);
    const Builtin *b = find(value);
    HdInst in = hd_module_inst(v->m, x->d->word);

    if (b == NULL) {
        if (value != SpvBuiltInSamplerHeapEXT && value != SpvBuiltInResourceHeapEXT)
            (void)hd_val_fail_spec(v, &in, "vulkan.builtin", HD_VUID_SPIRV("BuiltIn", "04668"),
                                   "Vulkan has no such built-in variable");
    } else if (x->member == HD_NO_MEMBER) {
        if (hd_val_is_constant(v, x->target))
            (void)check_constant(v, &in, b, x->target);
        else
            (void)check_variable(v, &in, b, x->target);
    } else if (t != NULL && t->kind == HD_T_STRUCT && x->member < t->count &&
               !is_fitting(hd_type_member(v->m, t, x->member), b->shape)) {
        (void)wrong_type(v, &in, b);
    }
}

/* What all members of a structure of built-ins, and of arrays of it, have in common. */
struct HdValBlock {
    const HdType *type; /* the structure; NULL: it has no built-ins */
    uint32_t models, in, out;
    bool has_input, has_output;      /* all may be of that storage class */
    bool primitive, layer, viewport; /* those ask for capabilities */
};

static struct HdValBlock block_of(const HdVal *v, const HdType *t)
{
    struct HdValBlock block = {NULL, ANY_MODEL, ANY_MODEL, ANY_MODEL, true,
                               true, false,     false,     false};

    for (HdDecorations x = hd_module_decorations(v->m, t->id); x.d != NULL;
         hd_decorations_step(&x)) {
        const Builtin *b = x.d->decoration == SpvDecorationBuiltIn && x.member != HD_NO_MEMBER
                               ? find(hd_decoration_value(v->m, x.d))
                               : NULL;

        if (b == NULL)
            continue;
        block.type = t;
        block.models &= b->models;
        block.in &= b->in != 0 ? b->in : ANY_MODEL;
        block.out &= b->out != 0 ? b->out : ANY_MODEL;
        block.has_input &= b->in != 0;
        block.has_output &= b->out != 0;
        block.primitive |= b->value == SpvBuiltInPrimitiveId;
        block.layer |= b->value == SpvBuiltInLayer;
        block.viewport |= b->value == SpvBuiltInViewportIndex;
    }
    return block;
}

/* Fill v->blocks: uses ask it, and walk over members only where something is wrong. */
static HdStatus note_blocks(HdVal *v)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    HD_TAKE(v->blocks, HD_NEW(v->a, struct HdValBlock, hd_type_number_bound(v->m)));
    for (HdInst in; word < v->m->first_function && hd_module_next(v->m, &word, &in);) {
        const HdType *t = hd_gram_forms[in.opix].is_type && in.opix != HD_OPIX_TypeForwardPointer
                              ? hd_module_type(v->m, in.w[1])
                              : NULL;

        if (t != NULL && t->kind == HD_T_STRUCT)
            v->blocks[hd_type_number(v->m, t)] = block_of(v, t);
        else if (t != NULL && is_array(t))
            v->blocks[hd_type_number(v->m, t)] =
                v->blocks[hd_type_number(v->m, hd_type_element(t))];
    }
    return HD_OK;
}

/* Pointers to blocks of built-ins. */
static void check_pointer(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_module_type(v->m, in->w[3]);
    const struct HdValBlock *block = t != NULL ? &v->blocks[hd_type_number(v->m, t)] : NULL;

    if (block == NULL || block->type == NULL ||
        (in->w[2] == SpvStorageClassInput && block->has_input) ||
        (in->w[2] == SpvStorageClassOutput && block->has_output))
        return;
    t = block->type;
    for (HdDecorations x = hd_module_decorations(v->m, t->id); x.d != NULL;
         hd_decorations_step(&x)) {
        const Builtin *b = x.d->decoration == SpvDecorationBuiltIn && x.member != HD_NO_MEMBER
                               ? find(hd_decoration_value(v->m, x.d))
                               : NULL;

        if (b != NULL && !is_right_storage(b, in->w[2]) && wrong_storage(v, in, b) != HD_OK)
            return;
    }
}

HdStatus hd_val_vulkan_builtins(HdVal *v)
{
    uint32_t word = HD_MODULE_FIRST_WORD;
    bool any = false;

    for (HdDecorations x = hd_module_all_decorations(v->m); x.d != NULL; hd_decorations_step(&x))
        if (x.d->decoration == SpvDecorationBuiltIn && x.target < v->m->bound &&
            v->m->def[x.target] != 0 && x.d->operand_count != 0) {
            check_decorated(v, &x);
            any |= x.member != HD_NO_MEMBER;
        }
    if (any)
        HD_TRY(note_blocks(v));
    for (HdInst in; any && word < v->m->first_function && hd_module_next(v->m, &word, &in);)
        if (in.opix == HD_OPIX_TypePointer)
            check_pointer(v, &in);
    return HD_OK;
}

/* ---- where they are used --------------------------------------------------------------------- */

/* PrimitiveId needs a stage that makes it. */
static bool makes_primitives(const HdVal *v)
{
    return hd_val_cap(v, SpvCapabilityGeometry) || hd_val_cap(v, SpvCapabilityTessellation) ||
           hd_val_cap(v, SpvCapabilityMeshShadingEXT) || hd_val_cap(v, SpvCapabilityMeshShadingNV);
}

static HdStatus check_primitive(HdVal *v, const HdInst *in)
{
    if (makes_primitives(v))
        return HD_OK;
    return hd_val_fail_spec(v, in, "vulkan.primitive-id",
                            HD_VUID("PrimitiveId", "Fragment", "04333"),
                            "PrimitiveId in a fragment shader needs capability Geometry, "
                            "Tessellation, MeshShadingEXT or MeshShadingNV");
}

/* Layers and viewports are chosen before geometry shaders with a capability. */
static bool is_too_early(const HdVal *v, uint32_t capability, uint32_t models)
{
    return (models & (VERTEX | TESSELLATION_EVALUATION)) &&
           !hd_val_cap(v, SpvCapabilityShaderViewportIndexLayerEXT) && !hd_val_cap(v, capability);
}

static HdStatus check_early(HdVal *v, const HdInst *in, const Builtin *b, uint32_t models)
{
    bool layer = b->value == SpvBuiltInLayer;

    if (!is_too_early(v, layer ? SpvCapabilityShaderLayer : SpvCapabilityShaderViewportIndex,
                      models))
        return HD_OK;
    return hd_val_fail_spec(v, in, "vulkan.builtin-early",
                            layer ? HD_VUID("Layer", "Layer", "04273")
                                  : HD_VUID("ViewportIndex", "ViewportIndex", "04405"),
                            "%s before geometry shaders needs capability %s", b->name,
                            layer ? "ShaderLayer" : "ShaderViewportIndex");
}

static HdStatus check_use(HdVal *v, const HdInst *in, const Builtin *b, uint32_t storage,
                          const HdType *t)
{
    uint32_t models = hd_val_reached_by(v) & ~(uint32_t)HD_MODEL_OTHERS;

    if (models & ~b->models)
        return hd_val_fail_spec(v, in, "vulkan.builtin-model", b->model,
                                "an entry point that comes here is of an execution model without "
                                "built-in %s",
                                b->name);
    if (storage == SpvStorageClassInput && b->in != 0 && (models & ~b->in))
        return hd_val_fail_spec(v, in, "vulkan.builtin-input", b->in_wrong,
                                "%s is no input in an execution model that comes here", b->name);
    if (storage == SpvStorageClassOutput && b->out != 0 && (models & ~b->out))
        return hd_val_fail_spec(v, in, "vulkan.builtin-output", b->out_wrong,
                                "%s is no output in an execution model that comes here", b->name);
    if (t != NULL && b->arrays == PER_VERTEX && (models & (VERTEX | FRAGMENT)) &&
        !is_fitting(t, b->shape))
        return wrong_type(v, in, b);
    if (b->value == SpvBuiltInPrimitiveId && (models & FRAGMENT))
        return check_primitive(v, in);
    if (b->value == SpvBuiltInLayer || b->value == SpvBuiltInViewportIndex)
        return check_early(v, in, b, models);
    return HD_OK;
}

/* Storage classes that some execution models have. */
static const struct {
    uint32_t storage, models;
    const char *section;
} classes[] = {
    {SpvStorageClassOutput, HD_MODEL_ANY & ~(GL_COMPUTE | HD_MODEL_RAY_TRACING),
     HD_VUID_SPIRV("None", "04644")},
    {SpvStorageClassWorkgroup, HD_MODEL_GROUPS, HD_VUID_SPIRV("None", "04645")},
    {SpvStorageClassTileImageEXT, FRAGMENT, HD_VUID_SPIRV("None", "08720")},
    {SpvStorageClassRayPayloadKHR, RAY_GENERATION | CLOSEST_HIT | MISS,
     HD_VUID_SPIRV("RayPayloadKHR", "04698")},
    {SpvStorageClassIncomingRayPayloadKHR, CLOSEST_HIT | ANY_HIT | MISS,
     HD_VUID_SPIRV("IncomingRayPayloadKHR", "04699")},
    {SpvStorageClassHitAttributeKHR, HITS, HD_VUID_SPIRV("HitAttributeKHR", "04701")},
    {SpvStorageClassCallableDataKHR, RAY_GENERATION | CLOSEST_HIT | MISS | CALLABLE,
     HD_VUID_SPIRV("CallableDataKHR", "04704")},
    {SpvStorageClassIncomingCallableDataKHR, CALLABLE,
     HD_VUID_SPIRV("IncomingCallableDataKHR", "04705")},
    {SpvStorageClassShaderRecordBufferKHR, HD_MODEL_RAY_TRACING,
     HD_VUID_SPIRV("ShaderRecordBufferKHR", "07119")},
};

static HdStatus check_class(HdVal *v, const HdInst *in, uint32_t storage)
{
    uint32_t models = hd_val_reached_by(v) & ~(uint32_t)HD_MODEL_OTHERS;

    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (classes[i].storage == storage && (models & ~classes[i].models))
            return hd_val_fail_spec(v, in, "vulkan.storage-model", classes[i].section,
                                    "an entry point that comes here is of an execution model "
                                    "without storage class %s",
                                    hd_gram_enumerant(HD_KIND_StorageClass, storage)->name);
    return HD_OK;
}

/* Is there nothing to say of any member? */
static bool is_fine(const HdVal *v, const struct HdValBlock *block, uint32_t storage)
{
    uint32_t models = hd_val_reached_by(v) & ~(uint32_t)HD_MODEL_OTHERS;

    if (storage != SpvStorageClassInput && storage != SpvStorageClassOutput)
        return true;
    if ((block->primitive && (models & FRAGMENT) && !makes_primitives(v)) ||
        (block->layer && is_too_early(v, SpvCapabilityShaderLayer, models)) ||
        (block->viewport && is_too_early(v, SpvCapabilityShaderViewportIndex, models)))
        return false;
    return !(models & ~block->models) &&
           !(models & ~(storage == SpvStorageClassInput ? block->in : block->out));
}

static HdStatus check_variable_use(HdVal *v, const HdInst *in, HdId id)
{
    const HdType *p = hd_module_type_of(v->m, id), *t = hd_val_held(v, id);
    const struct HdValBlock *block;
    const HdDecoration *d = hd_module_decoration(v->m, id, SpvDecorationBuiltIn);
    const Builtin *b = d != NULL ? find(hd_decoration_value(v->m, d)) : NULL;

    if (p == NULL || p->kind != HD_T_POINTER)
        return HD_OK;
    HD_TRY(check_class(v, in, p->storage));
    if (b != NULL)
        return check_use(v, in, b, p->storage, t);
    block = t != NULL && v->blocks != NULL ? &v->blocks[hd_type_number(v->m, t)] : NULL;
    if (block == NULL || block->type == NULL || is_fine(v, block, p->storage))
        return HD_OK;
    for (HdDecorations x = hd_module_decorations(v->m, block->type->id); x.d != NULL;
         hd_decorations_step(&x))
        if (x.d->decoration == SpvDecorationBuiltIn && x.member != HD_NO_MEMBER &&
            (b = find(hd_decoration_value(v->m, x.d))) != NULL)
            HD_TRY(check_use(v, in, b, p->storage, NULL));
    return HD_OK;
}

HdStatus hd_val_vulkan_uses(HdVal *v, const HdInst *in)
{
    HdOperandWalk walk;
    HdOperandPart part;

    if (hd_val_reached_by(v) == 0)
        return HD_OK;
    hd_operands_start(&walk, &v->m->operand_types, in->w, in->nwords);
    while (hd_operands_next(&walk, &part)) {
        HdId id = part.klass == HD_OPERAND_ID ? in->w[part.at] : 0;
        enum HdOpix opix = id != 0 ? hd_module_opix(v->m, id) : HD_OPIX_NONE;

        if (opix == HD_OPIX_Variable || opix == HD_OPIX_UntypedVariableKHR)
            HD_TRY(check_variable_use(v, in, id));
        else if (id != 0 && hd_opix_is_constant(opix)) {
            const HdDecoration *d = hd_module_decoration(v->m, id, SpvDecorationBuiltIn);
            const Builtin *b = d != NULL ? find(hd_decoration_value(v->m, d)) : NULL;

            if (b != NULL)
                HD_TRY(check_use(v, in, b, UINT32_MAX, NULL));
        }
    }
    return HD_OK;
}
