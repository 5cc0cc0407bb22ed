/* ops/annotation/annotation_rule_vendor.c -- what extensions of FPGA and GPU vendors decorate.
 *
 * Spec: SPV_ALTERA_fpga_memory_attributes, SPV_ALTERA_fpga_argument_interfaces,
 * SPV_INTEL_cache_controls, SPV_INTEL_memory_access_aliasing, SPV_INTEL_fp_max_error,
 * SPV_EXT_float8 and the others whose decorations are in the table, "Decoration".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/annotation/annotation_rule.h"
#include "val/calls.h"

/* The bits of a float. */
#define FLOAT_INFINITY 0x7f800000u

typedef enum Taker {
    FUNCTION,
    VARIABLE, /* or a structure member, which is not checked here */
    ARRAY,    /* likewise */
    GLOBAL,
    INITIALIZED,
    POINTER,
    ACCESSED, /* a pointer or pipe */
    PIPE_STORAGE,
    ARGUMENT,
    POINTER_ARGUMENT
} Taker;

static const char *const names[] = {
    [FUNCTION] = "functions",
    [VARIABLE] = "variables and structure members",
    [ARRAY] = "variables and structure members that are arrays",
    [GLOBAL] = "variables of module scope",
    [INITIALIZED] = "variables of module scope with an initializer",
    [POINTER] = "pointers",
    [ACCESSED] = "pointers and pipes",
    [PIPE_STORAGE] = "OpConstantPipeStorage",
    [ARGUMENT] = "parameters of entry points",
    [POINTER_ARGUMENT] = "parameters of entry points that are pointers",
};

static const struct {
    uint32_t decoration;
    Taker taker;
} takers[] = {
    {SpvDecorationRegisterALTERA, VARIABLE},
    {SpvDecorationMemoryALTERA, VARIABLE},
    {SpvDecorationNumbanksALTERA, VARIABLE},
    {SpvDecorationBankwidthALTERA, VARIABLE},
    {SpvDecorationMaxPrivateCopiesALTERA, VARIABLE},
    {SpvDecorationSinglepumpALTERA, VARIABLE},
    {SpvDecorationDoublepumpALTERA, VARIABLE},
    {SpvDecorationMaxReplicatesALTERA, VARIABLE},
    {SpvDecorationSimpleDualPortALTERA, VARIABLE},
    {SpvDecorationMergeALTERA, VARIABLE},
    {SpvDecorationBankBitsALTERA, VARIABLE},
    {SpvDecorationForcePow2DepthALTERA, VARIABLE},
    {SpvDecorationStridesizeALTERA, ARRAY},
    {SpvDecorationWordsizeALTERA, ARRAY},
    {SpvDecorationTrueDualPortALTERA, VARIABLE},
    {SpvDecorationStallEnableALTERA, FUNCTION},
    {SpvDecorationStallFreeALTERA, FUNCTION},
    {SpvDecorationFuseLoopsInFunctionALTERA, FUNCTION},
    {SpvDecorationMathOpDSPModeALTERA, FUNCTION},
    {SpvDecorationInitiationIntervalALTERA, FUNCTION},
    {SpvDecorationMaxConcurrencyALTERA, FUNCTION},
    {SpvDecorationPipelineEnableALTERA, FUNCTION},
    {SpvDecorationBufferLocationALTERA, POINTER},
    {SpvDecorationBurstCoalesceALTERA, POINTER},
    {SpvDecorationCacheSizeALTERA, POINTER},
    {SpvDecorationDontStaticallyCoalesceALTERA, POINTER},
    {SpvDecorationPrefetchALTERA, POINTER},
    {SpvDecorationIOPipeStorageALTERA, PIPE_STORAGE},
    {SpvDecorationLatencyControlLabelALTERA, ACCESSED},
    {SpvDecorationLatencyControlConstraintALTERA, ACCESSED},
    {SpvDecorationConduitKernelArgumentALTERA, ARGUMENT},
    {SpvDecorationRegisterMapKernelArgumentALTERA, ARGUMENT},
    {SpvDecorationStableKernelArgumentALTERA, ARGUMENT},
    {SpvDecorationMMHostInterfaceAddressWidthALTERA, POINTER_ARGUMENT},
    {SpvDecorationMMHostInterfaceDataWidthALTERA, POINTER_ARGUMENT},
    {SpvDecorationMMHostInterfaceLatencyALTERA, POINTER_ARGUMENT},
    {SpvDecorationMMHostInterfaceReadWriteModeALTERA, POINTER_ARGUMENT},
    {SpvDecorationMMHostInterfaceMaxBurstALTERA, POINTER_ARGUMENT},
    {SpvDecorationMMHostInterfaceWaitRequestALTERA, POINTER_ARGUMENT},
    {SpvDecorationHostAccessINTEL, GLOBAL},
    {SpvDecorationInitModeALTERA, INITIALIZED},
    {SpvDecorationImplementInRegisterMapALTERA, GLOBAL},
    {SpvDecorationCacheControlLoadINTEL, POINTER},
    {SpvDecorationCacheControlStoreINTEL, POINTER},
};

static bool is_argument(const HdVal *v, const HdInst *target)
{
    uint32_t at = 0, model, f = hd_val_function_holding(v, target->word);

    return target->opix == HD_OPIX_FunctionParameter && f != UINT32_MAX &&
           hd_val_next_model(v, v->m->functions[f].id, &at, &model);
}

static bool is_array(const HdVal *v, const HdInst *target)
{
    const HdType *t = hd_inst_is_variable(target) ? hd_val_held(v, target->w[2]) : NULL;

    return t != NULL && t->kind == HD_T_ARRAY;
}

static bool takes(const HdVal *v, Taker taker, const HdInst *target, const HdType *t)
{
    bool global = hd_inst_is_variable(target) && target->word < v->m->first_function;

    switch (taker) {
    case FUNCTION: return target->opix == HD_OPIX_Function;
    case VARIABLE: return hd_inst_is_variable(target);
    case ARRAY: return is_array(v, target);
    case GLOBAL: return global;
    case INITIALIZED: return global && target->nwords > (target->opix == HD_OPIX_Variable ? 4 : 5);
    case POINTER: return hd_is_pointer(t);
    case ACCESSED: return hd_is_pointer(t) || (t != NULL && t->kind == HD_T_PIPE);
    case PIPE_STORAGE: return target->opix == HD_OPIX_ConstantPipeStorage;
    case ARGUMENT: return is_argument(v, target);
    case POINTER_ARGUMENT: return is_argument(v, target) && hd_is_pointer(t);
    }
    return true;
}

/* Loads of constants may be cached, too. */
static bool is_cached(uint32_t storage, uint32_t d)
{
    switch (storage) {
    case SpvStorageClassFunction:
    case SpvStorageClassCrossWorkgroup:
    case SpvStorageClassGeneric: return true;
    case SpvStorageClassUniformConstant: return d == SpvDecorationCacheControlLoadINTEL;
    default: return false;
    }
}

/* OpAliasScopeDeclINTEL: 2 domain. */
HdStatus hd_rule_alias_scope(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_module_opix(v->m, in->w[2]) == HD_OPIX_AliasDomainDeclINTEL, "decorate.alias",
            "id %u is not a domain", (unsigned)in->w[2]);
    return HD_OK;
}

/* OpAliasScopeListDeclINTEL: 2 … scopes. */
HdStatus hd_rule_alias_list(HdVal *v, const HdInst *in)
{
    for (uint32_t i = 2; i < in->nwords; i++)
        HD_RULE(hd_module_opix(v->m, in->w[i]) == HD_OPIX_AliasScopeDeclINTEL, "decorate.alias",
                "id %u is not a scope", (unsigned)in->w[i]);
    return HD_OK;
}

/* Saturates a conversion to a float of eight bits. */
static bool makes_float8(const HdInst *def, const HdType *t)
{
    const HdType *scalar = t != NULL ? hd_type_scalar(t) : NULL;

    return (def->opix == HD_OPIX_FConvert || def->opix == HD_OPIX_ConvertSToF ||
            def->opix == HD_OPIX_ConvertUToF) &&
           scalar != NULL && scalar->kind == HD_T_FLOAT && scalar->bits == 8;
}

static bool is_byte_array(const HdType *t)
{
    return t != NULL && (t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY) &&
           hd_is_int_scalar(hd_type_element(t)) && hd_type_element(t)->bits == 8;
}

/* Operands that say which of some kinds. */
static const struct {
    uint32_t decoration, operand, least, most;
} ranges[] = {
    {SpvDecorationMathOpDSPModeALTERA, 3, 0, 2},
    {SpvDecorationMathOpDSPModeALTERA, 4, 0, 2},
    {SpvDecorationForcePow2DepthALTERA, 3, 0, 1},
    {SpvDecorationLatencyControlConstraintALTERA, 4, 1, 3},
    {SpvDecorationMMHostInterfaceWaitRequestALTERA, 3, 0, 1},
    {SpvDecorationImplementInRegisterMapALTERA, 3, 0, 1},
};

static HdStatus ranges_of_vendor(HdVal *v, const HdInst *in, uint32_t d)
{
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (ranges[i].decoration == d) {
            uint32_t value = in->w[ranges[i].operand];

            HD_RULE(value >= ranges[i].least && value <= ranges[i].most, "decorate.range",
                    "this operand is from %u to %u", (unsigned)ranges[i].least,
                    (unsigned)ranges[i].most);
        }
    return HD_OK;
}

/* What the table does not say. */
static HdStatus more_of_vendor(HdVal *v, const HdInst *in, const HdInst *def, const HdType *t,
                               uint32_t d)
{
    switch (d) {
    case SpvDecorationInitiationIntervalALTERA:
        HD_RULE(in->w[3] != 0, "decorate.interval", "the interval has no cycle");
        return HD_OK;
    case SpvDecorationCacheControlLoadINTEL:
    case SpvDecorationCacheControlStoreINTEL:
        HD_RULE(is_cached(t->storage, d), "decorate.cache",
                "this is for pointers of storage class Function, CrossWorkgroup, Generic%s",
                d == SpvDecorationCacheControlLoadINTEL ? " and UniformConstant" : "");
        return HD_OK;
    case SpvDecorationAliasScopeINTEL:
    case SpvDecorationNoAliasINTEL:
        HD_RULE(hd_module_opix(v->m, in->w[3]) == HD_OPIX_AliasScopeListDeclINTEL, "decorate.alias",
                "id %u is not a list of scopes", (unsigned)in->w[3]);
        return HD_OK;
    case SpvDecorationFPMaxErrorDecorationINTEL:
        HD_RULE(t != NULL && hd_is_float(t), "decorate.max-error",
                "this is for instructions of floating-point numbers");
        /* Above infinity are what is no number and what is negative. */
        HD_RULE(in->w[3] != 0 && in->w[3] <= FLOAT_INFINITY, "decorate.max-error",
                "the largest error is positive");
        return HD_OK;
    case SpvDecorationUTFEncodedKHR:
        HD_RULE(is_byte_array(hd_module_type(v->m, in->w[1])), "decorate.utf",
                "this is for types of arrays of 8-bit integers");
        return HD_OK;
    case SpvDecorationSaturatedToLargestFloat8NormalConversionEXT:
        HD_RULE(makes_float8(def, t), "decorate.float8", "this is for conversions to 8-bit floats");
        return HD_OK;
    default: return HD_OK;
    }
}

HdStatus hd_rule_decorated_by_vendor(HdVal *v, const HdInst *in, HdId target, uint32_t d)
{
    const HdType *t = hd_module_type_of(v->m, target);
    HdInst def;

    if (!hd_module_def(v->m, target, &def))
        return HD_OK;
    for (size_t i = 0; i < sizeof takers / sizeof *takers; i++)
        HD_RULE(takers[i].decoration != d || takes(v, takers[i].taker, &def, t), "decorate.vendor",
                "this is for %s", names[takers[i].taker]);
    HD_TRY(ranges_of_vendor(v, in, d));
    return more_of_vendor(v, in, &def, t, d);
}
