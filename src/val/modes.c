/* val/modes.c -- execution modes: which exclude, require or repeat each other.
 *
 * What concerns a single instruction is that instruction's rule (ops/module); here is what involves
 * all modes of an entry point.
 *
 * Spec: SPIR-V, "Execution Mode"; SPV_KHR_float_controls2.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "base/array.h"
#include "base/map.h"
#include "module/decoration.h"
#include "val/calls.h"

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
    REGISTERS,
    INTERFACE,
    SUBGROUP_SIZE,
    SORTS
} Sort;

/* How many modes of each sort a function has, and which contrary ones. */
typedef struct ModesOf {
    uint32_t widths;
    uint8_t count[SORTS];                     /* up to 255 */
    uint8_t sizes;                            /* which of the modes `sizes`, a bit each */
    bool poison;                              /* ArithmeticPoisonKHR */
    uint32_t local_size, largest, dimensions; /* words of the last such modes, 0: none */
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
    {SpvExecutionModeMaximumRegistersINTEL, REGISTERS},
    {SpvExecutionModeMaximumRegistersIdINTEL, REGISTERS},
    {SpvExecutionModeNamedMaximumRegistersINTEL, REGISTERS},
    {SpvExecutionModeStreamingInterfaceINTEL, INTERFACE},
    {SpvExecutionModeRegisterMapInterfaceINTEL, INTERFACE},
    {SpvExecutionModeSubgroupSizeHalfQCOM, SUBGROUP_SIZE},
    {SpvExecutionModeSubgroupSizeFullQCOM, SUBGROUP_SIZE},
};

#define QCOM_SIZES "SubgroupSizeHalfQCOM and SubgroupSizeFullQCOM"

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
    {SpvExecutionModelKernel, REGISTERS, 0, "mode.registers",
     "MaximumRegistersINTEL, MaximumRegistersIdINTEL and NamedMaximumRegistersINTEL"},
    {SpvExecutionModelKernel, INTERFACE, 0, "mode.interface",
     "StreamingInterfaceINTEL and RegisterMapInterfaceINTEL"},
    {SpvExecutionModelKernel, SUBGROUP_SIZE, 0, "mode.subgroup-size", QCOM_SIZES},
    {SpvExecutionModelGLCompute, SUBGROUP_SIZE, 0, "mode.subgroup-size", QCOM_SIZES},
    {SpvExecutionModelVertex, SUBGROUP_SIZE, 0, "mode.subgroup-size", QCOM_SIZES},
    {SpvExecutionModelFragment, SUBGROUP_SIZE, 0, "mode.subgroup-size", QCOM_SIZES},
};

/* How the local size is said. */
static const uint32_t sizes[] = {SpvExecutionModeLocalSize, SpvExecutionModeLocalSizeId,
                                 SpvExecutionModeLocalSizeHint, SpvExecutionModeLocalSizeHintId};

static void count_mode(ModesOf *of, uint32_t mode)
{
    of->poison |= mode == SpvExecutionModeArithmeticPoisonKHR;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] == mode)
            of->sizes |= (uint8_t)(1u << i);
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++)
        if (sorts[i].mode == mode && of->count[sorts[i].sort] != UINT8_MAX)
            of->count[sorts[i].sort]++;
}

/* Words of LocalSize, MaxWorkgroupSizeINTEL, MaxWorkDimINTEL. */
static void note_sizes(ModesOf *of, const HdInst *in)
{
    switch (in->w[2]) {
    case SpvExecutionModeLocalSize: of->local_size = in->word; break;
    case SpvExecutionModeMaxWorkgroupSizeINTEL: of->largest = in->word; break;
    case SpvExecutionModeMaxWorkDimINTEL: of->dimensions = in->word; break;
    default: break;
    }
}

/* Spec: SPV_INTEL_kernel_attributes: what a kernel is launched with at most, and what it has. */
static void check_largest(HdVal *v, const ModesOf *of)
{
    HdInst most = hd_module_inst(v->m, of->largest), size = hd_module_inst(v->m, of->local_size),
           dims = hd_module_inst(v->m, of->dimensions);
    bool above = false, beyond = false;

    if (of->dimensions != 0 && dims.w[3] > 3) {
        (void)hd_val_fail(v, &dims, "mode.dimensions", "there are at most 3 dimensions");
        return;
    }
    for (uint32_t i = 0; i < 3 && of->local_size != 0; i++) {
        above |= of->largest != 0 && most.w[3 + i] < size.w[3 + i];
        beyond |= of->dimensions != 0 && i >= dims.w[3] && size.w[3 + i] != 1;
    }
    if (above)
        (void)hd_val_fail(v, &most, "mode.largest-size",
                          "the entry point's LocalSize is larger than the largest size");
    if (beyond)
        (void)hd_val_fail(v, &dims, "mode.dimensions",
                          "the entry point's LocalSize has more dimensions");
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

/* Spec: SPV_KHR_poison_freeze, capability PoisonFreezeKHR. */
static void check_poison(HdVal *v, const HdEntryPoint *e, const ModesOf *of)
{
    HdInst in = hd_module_inst(v->m, e->word);

    if (hd_val_cap(v, SpvCapabilityPoisonFreezeKHR) && !of->poison)
        (void)hd_val_fail_spec(v, &in, "mode.poison", "Capability",
                               "with capability PoisonFreezeKHR every entry point has execution "
                               "mode ArithmeticPoisonKHR");
}

/* At most one mode specifies the local size; but clang emits a hint next to the required size, if
 * the source has both. */
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
        (void)hd_val_fail(v, in, "mode.fast-math-type", "the target type is not a float scalar");
        return;
    }
    if (!hd_val_is_constant(v, in->w[4]) || !hd_is_int_scalar(hd_val_operand(v, in, 4)) ||
        hd_val_operand(v, in, 4)->bits != 32 ||
        (hd_module_constant(v->m, in->w[4]) != NULL &&
         hd_module_constant(v->m, in->w[4])->is_spec)) {
        (void)hd_val_fail(v, in, "mode.fast-math-flags",
                          "the flags are not a 32-bit integer constant, or one of specialisation");
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
    uint32_t function, mode, operand, word; /* operand: what distinguishes modes of one kind, or
                                             * 0 */
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

/* A mode with a target width, or of hints that producers repeat, may come again. */
static bool comes_once(const HdVal *v, uint32_t mode)
{
    return !hd_val_mode_repeats(mode) || (v->shader && !v->kernel && hd_val_mode_per_type(mode));
}

static void check_repeated(HdVal *v, const Mode *modes, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        HdInst in = hd_module_inst(v->m, modes[i].word);

        if (modes[i].function == modes[i - 1].function && modes[i].mode == modes[i - 1].mode &&
            modes[i].operand == modes[i - 1].operand)
            (void)hd_val_fail(v, &in, "mode.duplicate",
                              "the entry point has this execution mode already");
    }
}

/* Those of the functions that are entry points or have modes: most functions are neither. */
typedef struct AllModes {
    uint32_t *number; /* [functions] in of, plus 1; 0: not in it */
    HD_ARRAY(ModesOf) of;
} AllModes;

/* Those of a function. NULL: no memory. */
static ModesOf *modes_of(HdVal *v, AllModes *all, uint32_t function)
{
    static const ModesOf none;

    if (all->number[function] == 0) {
        if (!HD_PUSH(v->pass, &all->of, none))
            return NULL;
        all->number[function] = (uint32_t)all->of.count;
    }
    return &all->of.at[all->number[function] - 1];
}

static HdStatus check_entry(HdVal *v, const HdEntryPoint *entry, AllModes *all)
{
    uint32_t f = hd_module_function_index(v->m, entry->function);
    ModesOf *of;

    if (f == UINT32_MAX)
        return HD_OK;
    HD_TAKE(of, modes_of(v, all, f));
    check_needed(v, entry, of);
    check_sizes(v, entry, of);
    check_poison(v, entry, of);
    return HD_OK;
}

static HdStatus check_modes(HdVal *v)
{
    HD_ARRAY(Mode) modes = {0};
    bool sorted = true;
    AllModes all = {0};
    ModesOf *of;
    uint32_t word = HD_MODULE_FIRST_WORD;

    if (v->m->function_count == 0)
        return HD_OK;
    HD_TAKE(all.number, HD_NEW(v->pass, uint32_t, v->m->function_count));
    if (!HD_ARRAY_RESERVE(v->pass, &all.of, v->m->entry_count))
        return HD_NO_MEMORY;
    for (HdInst in; word < v->m->first_function && hd_module_next(v->m, &word, &in);) {
        Mode mode;

        if (in.opix != HD_OPIX_ExecutionMode && in.opix != HD_OPIX_ExecutionModeId)
            continue;
        mode = (Mode){hd_module_function_index(v->m, in.w[1]), in.w[2],
                      hd_val_mode_per_type(in.w[2]) && in.nwords > 3 ? in.w[3] : 0, in.word};
        if (mode.function == UINT32_MAX)
            continue;
        HD_TAKE(of, modes_of(v, &all, mode.function));
        if (!hd_val_mode_repeats(mode.mode)) /* those are of no sort */
            count_mode(of, mode.mode);
        note_sizes(of, &in);
        check_contrary(v, &in, &of->widths);
        if (mode.mode == SpvExecutionModeFPFastMathDefault)
            check_fast_default(v, &in);
        if (!comes_once(v, mode.mode))
            continue;
        sorted &= modes.count == 0 || by_function(&modes.at[modes.count - 1], &mode) < 0;
        HD_TRY_PUSH(v->pass, &modes, mode);
    }
    if (!sorted)
        qsort(modes.at, modes.count, sizeof *modes.at, by_function);
    check_repeated(v, modes.at, modes.count);
    for (size_t i = 0; i < all.of.count; i++)
        check_largest(v, &all.of.at[i]);
    for (uint32_t i = 0; i < v->m->entry_count; i++)
        HD_TRY(check_entry(v, &v->m->entries[i], &all));
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

/* Spec: SPV_KHR_float_controls2: what FPFastMathDefault replaces is not used together with it. */
static HdStatus check_fast_math(HdVal *v)
{
    uint32_t word = HD_MODULE_FIRST_WORD;
    HdMap with = {0};
    HdCalls c = {0};
    bool *runs;

    for (HdInst in; word < v->m->first_function && hd_module_next(v->m, &word, &in);)
        if (in.opix == HD_OPIX_ExecutionModeId && in.w[2] == SpvExecutionModeFPFastMathDefault &&
            !hd_map_put(v->pass, &with, in.w[1], 1))
            return HD_NO_MEMORY;
    for (HdDecorations x = hd_module_all_decorations(v->m); x.d != NULL; hd_decorations_step(&x)) {
        HdInst in = hd_module_inst(v->m, x.d->word);

        if (x.d->decoration == SpvDecorationNoContraction &&
            hd_module_decoration(v->m, x.target, SpvDecorationFPFastMathMode) != NULL &&
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
    HD_TRY(hd_module_calls(v->m, v->pass, &c));
    HD_TAKE(runs, HD_NEW(v->pass, bool, v->m->function_count + 1));
    for (uint32_t i = 0; i < v->m->entry_count; i++)
        if (hd_module_function_index(v->m, v->m->entries[i].function) != UINT32_MAX)
            runs[hd_module_function_index(v->m, v->m->entries[i].function)] = true;
    for (uint32_t i = 0; i < c.first[v->m->function_count]; i++)
        runs[c.to[i]] = true;
    for (HdDecorations x = hd_module_all_decorations(v->m); x.d != NULL; hd_decorations_step(&x)) {
        HdInst in = hd_module_inst(v->m, x.d->word);

        if (!in_running_code(v, runs, x.target))
            continue;
        if (x.d->decoration == SpvDecorationNoContraction ||
            (x.d->decoration == SpvDecorationFPFastMathMode && x.d->operand_count != 0 &&
             (hd_decoration_value(v->m, x.d) & SpvFPFastMathModeFastMask)))
            (void)hd_val_fail(v, &in, "mode.fast-math-default",
                              "this decoration is not used beside FPFastMathDefault");
    }
    return HD_OK;
}

HdStatus hd_val_modes(HdVal *v)
{
    HD_TRY(check_modes(v));
    return check_fast_math(v);
}
