/* ops/coop/coop_rule.c -- rules of cooperative matrices.
 *
 * Their shape consists of constants that may be specialised: an unknown one fits everything.
 *
 * Spec: SPV_KHR_cooperative_matrix, as SPV_KHR_untyped_pointers changes it;
 * SPV_NV_cooperative_matrix, SPV_NV_cooperative_matrix2, SPV_ARM_cooperative_matrix_layouts.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/coop/coop_rule.h"
#include "module/decoration.h"
#include "ops/rules.h"
#include "ops/shader_rules.h"

static bool is_khr(const HdType *t)
{
    return hd_type_is_other(t, SpvOpTypeCooperativeMatrixKHR);
}

static bool is_nv(const HdType *t)
{
    return hd_type_is_other(t, SpvOpTypeCooperativeMatrixNV);
}

static bool is_matrix(const HdType *t)
{
    return is_khr(t) || is_nv(t);
}

static bool is_coop(const HdType *t)
{
    return is_matrix(t) || hd_type_is_other(t, SpvOpTypeCooperativeVectorNV);
}

const HdType *hd_coop_component(const HdVal *v, const HdType *t)
{
    return is_coop(t) ? hd_module_type(v->m, hd_type_words(t)[2]) : NULL;
}

/* ---- shapes -------------------------------------------------------------------------------- */

/* Words of a matrix type. */
enum { COMPONENT = 2, SCOPE, ROWS, COLUMNS, USE };

/* May the two words, of types or not, name constants of the same value? */
static bool may_equal(const HdVal *v, HdId x, HdId y)
{
    uint64_t a, b;

    return x == y || !hd_val_known_part(v, x, 0, &a) || !hd_val_known_part(v, y, 0, &b) || a == b;
}

static bool may_match(const HdVal *v, const HdType *x, uint32_t xat, const HdType *y, uint32_t yat)
{
    return may_equal(v, hd_type_words(x)[xat], hd_type_words(y)[yat]);
}

/* May the matrix have that use? NV's have none. */
static bool may_be_used(const HdVal *v, const HdType *t, uint32_t use)
{
    uint64_t has;

    return !is_khr(t) || !hd_val_known_part(v, hd_type_words(t)[USE], 0, &has) || has == use;
}

static bool same_shape(const HdVal *v, const HdType *x, const HdType *y)
{
    return may_match(v, x, SCOPE, y, SCOPE) && may_match(v, x, ROWS, y, ROWS) &&
           may_match(v, x, COLUMNS, y, COLUMNS);
}

/* ---- types --------------------------------------------------------------------------------- */

static HdStatus constant_word(HdVal *v, const HdInst *in, uint32_t at, const char *name)
{
    const HdType *t = hd_val_operand(v, in, at);

    HD_RULE(hd_val_is_constant(v, in->w[at]) && hd_is_int_scalar(t) && t->bits == 32,
            "coop.type-constant", "%s is not a 32-bit integer constant", name);
    return HD_OK;
}

#define OPENCL_SPEC "OpenCL SPIR-V Environment Specification, cl_khr_cooperative_matrix"

static HdStatus opencl_scope(HdVal *v, const HdInst *in)
{
    uint64_t scope;

    if (!hd_val_opencl(v) || !hd_val_known_part(v, in->w[SCOPE], 0, &scope) ||
        scope == SpvScopeSubgroup)
        return HD_OK;
    return hd_val_fail_spec(v, in, "coop.opencl-scope", OPENCL_SPEC,
                            "the scope of a cooperative matrix is not Subgroup");
}

/* OpTypeCooperativeMatrixKHR, OpTypeCooperativeMatrixNV. */
HdStatus hd_rule_type_coop_matrix(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_module_type(v->m, in->w[COMPONENT]);
    uint64_t use;

    HD_RULE(hd_is_int_scalar(t) || hd_is_float_scalar(t), "coop.type-component",
            "the component type is not a number");
    HD_RULE(t->kind != HD_T_FLOAT || t->encoding == 0 ||
                hd_val_cap(v, t->bits == 8 ? SpvCapabilityFloat8CooperativeMatrixEXT
                                           : SpvCapabilityBFloat16CooperativeMatrixKHR),
            "coop.small-float", "components of this encoding need capability %s",
            t->bits == 8 ? "Float8CooperativeMatrixEXT" : "BFloat16CooperativeMatrixKHR");
    HD_RULE(t->kind != HD_T_INT || t->bits != 4 ||
                hd_val_cap(v, SpvCapabilityInt4CooperativeMatrixINTEL) ||
                hd_val_cap(v, SpvCapabilityArbitraryPrecisionIntegersALTERA),
            "coop.int4", "components of four bits need capability Int4CooperativeMatrixINTEL");
    HD_TRY(constant_word(v, in, SCOPE, "Scope"));
    HD_TRY(hd_val_scope(v, in, SCOPE));
    HD_TRY(opencl_scope(v, in));
    HD_TRY(constant_word(v, in, ROWS, "Rows"));
    HD_TRY(constant_word(v, in, COLUMNS, "Columns"));
    if (in->opix != HD_OPIX_TypeCooperativeMatrixKHR)
        return HD_OK;
    HD_TRY(constant_word(v, in, USE, "Use"));
    HD_RULE(!hd_val_known_part(v, in->w[USE], 0, &use) ||
                use <= SpvCooperativeMatrixUseMatrixAccumulatorKHR,
            "coop.type-use", "%llu is not a use of a cooperative matrix", (unsigned long long)use);
    return HD_OK;
}

/* OpTypeVectorIdEXT, also known as OpTypeCooperativeVectorNV: 2 component, 3 number of components.
 */
HdStatus hd_rule_type_coop_vector(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_module_type(v->m, in->w[COMPONENT]);
    uint64_t n;

    HD_RULE(hd_is_int_scalar(t) || hd_is_float_scalar(t) ||
                (t != NULL && t->kind == HD_T_BOOL && hd_val_cap(v, SpvCapabilityLongVectorEXT)),
            "coop.type-component", "the component type is not a number");
    HD_TRY(constant_word(v, in, 3, "the number of components"));
    HD_RULE(!hd_val_known_part(v, in->w[3], 0, &n) || n != 0, "coop.type-constant",
            "the number of components is 0");
    return HD_OK;
}

HdStatus hd_rule_coop_variable(HdVal *v, const HdInst *in, const HdType *t, uint32_t storage)
{
    if ((!hd_val_cap(v, SpvCapabilityCooperativeMatrixKHR) &&
         !hd_val_cap(v, SpvCapabilityCooperativeMatrixNV) &&
         !hd_val_cap(v, SpvCapabilityCooperativeVectorNV)) ||
        storage == SpvStorageClassFunction || storage == SpvStorageClassPrivate)
        return HD_OK;
    HD_RULE(!hd_type_holds(v, t, is_coop), "coop.variable",
            "cooperative matrices are in storage classes Function and Private only");
    return HD_OK;
}

/* ---- loads and stores ---------------------------------------------------------------------- */

/* Does a chain go through an array? Indices after the first structure are followed by type. */
static bool chain_meets_array(const HdVal *v, const HdInst *chain)
{
    const HdType *p = hd_module_type_of(v->m, chain->w[3]), *t;
    uint64_t index;

    if (!hd_is_pointer(p) || hd_type_element(p) == NULL)
        return true; /* wrong, which is said there, or untyped */
    t = hd_type_element(p);
    for (uint32_t i = 4; i < chain->nwords; i++) {
        if (t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY)
            return true;
        if (t->kind == HD_T_STRUCT) {
            if (!hd_val_known_part(v, chain->w[i], 0, &index) || index >= t->count)
                return true;
            t = hd_type_member(v->m, t, (uint32_t)index);
        } else {
            t = hd_type_element(t);
        }
        if (t == NULL)
            return true;
    }
    return false;
}

/* May a pointer point into an array? What is not seen, it may. */
static bool may_be_in_array(const HdVal *v, HdId pointer)
{
    HdInst in;

    while (hd_module_def(v->m, pointer, &in)) {
        switch (in.opix) {
        case HD_OPIX_Variable: return false;
        case HD_OPIX_CopyObject: break;
        case HD_OPIX_AccessChain:
        case HD_OPIX_InBoundsAccessChain:
            if (chain_meets_array(v, &in))
                return true;
            break;
        default: return true;
        }
        pointer = in.w[3];
    }
    return true;
}

/* Tensors may be loaded through pointers to whole arrays, or what holds them. */
static HdStatus in_array(HdVal *v, const HdInst *in, uint32_t at)
{
    HD_RULE(!v->shader || hd_val_operand(v, in, at)->is_untyped || may_be_in_array(v, in->w[at]),
            "coop.in-array", "the pointer does not point into an array");
    return HD_OK;
}

static HdStatus memory_pointer(HdVal *v, const HdInst *in, uint32_t at)
{
    const HdType *p = hd_val_operand(v, in, at);

    HD_RULE(hd_is_pointer(p), "coop.pointer", "the operand is not a pointer");
    HD_RULE(p->is_untyped || hd_is_numeric(hd_type_element(p)), "coop.pointer",
            "the pointer points to no scalar or vector of numbers");
    if (hd_val_opencl(v) && p->storage != SpvStorageClassWorkgroup &&
        p->storage != SpvStorageClassCrossWorkgroup)
        return hd_val_fail_spec(v, in, "coop.opencl-storage", OPENCL_SPEC,
                                "the pointer is not of storage class Workgroup or CrossWorkgroup");
    HD_RULE(!v->shader || v->kernel || p->storage == SpvStorageClassWorkgroup ||
                p->storage == SpvStorageClassStorageBuffer ||
                p->storage == SpvStorageClassPhysicalStorageBuffer,
            "coop.storage",
            "the pointer must be of storage class Workgroup, StorageBuffer or "
            "PhysicalStorageBuffer");
    return in_array(v, in, at);
}

/* What SPV_ARM_cooperative_matrix_layouts requires of a matrix whose elements are in blocks of four
 * rows and 16 bytes, with so many blocks interleaved. */
static HdStatus blocked_layout(HdVal *v, const HdInst *in, const HdType *matrix, HdId stride_id,
                               bool rows_interleaved)
{
    const char *const spec = "SPV_ARM_cooperative_matrix_layouts";
    uint32_t bytes = hd_type_bits(hd_coop_component(v, matrix)) / 8;
    uint64_t stride, n, columns = bytes != 0 ? 16 / bytes : 1, rows = 4;

    if (!hd_val_is_constant(v, stride_id))
        return hd_val_fail_spec(v, in, "coop.blocked-stride", spec,
                                "with this MemoryLayout Stride is a constant");
    if (!hd_val_known_part(v, stride_id, 0, &stride))
        return HD_OK;
    if (stride != 1 && stride != 2 && stride != 4)
        return hd_val_fail_spec(v, in, "coop.blocked-stride", spec,
                                "with this MemoryLayout Stride is 1, 2 or 4, not %llu",
                                (unsigned long long)stride);
    *(rows_interleaved ? &rows : &columns) *= stride;
    if (hd_val_known_part(v, hd_type_words(matrix)[ROWS], 0, &n) && n % rows != 0)
        return hd_val_fail_spec(v, in, "coop.blocked-shape", spec,
                                "with this MemoryLayout and Stride rows are a multiple of %llu",
                                (unsigned long long)rows);
    if (hd_val_known_part(v, hd_type_words(matrix)[COLUMNS], 0, &n) && n % columns != 0)
        return hd_val_fail_spec(v, in, "coop.blocked-shape", spec,
                                "with this MemoryLayout and Stride columns are a multiple of %llu",
                                (unsigned long long)columns);
    return HD_OK;
}

/* A layout that there is, and that is declared. */
static HdStatus layout_value(HdVal *v, const HdInst *in, uint64_t layout)
{
    const HdEnumerant *e =
        layout <= UINT32_MAX ? hd_gram_enumerant(HD_KIND_CooperativeMatrixLayout, (uint32_t)layout)
                             : NULL;

    HD_RULE(e != NULL, "coop.layout", "%llu is not a layout of a cooperative matrix",
            (unsigned long long)layout);
    HD_RULE(hd_val_any_cap(v, &e->needs), "coop.layout-capability",
            "layout %s needs a capability that is not declared", e->name);
    return HD_OK;
}

/* Words: layout, then perhaps stride and memory operands. */
static HdStatus memory_layout(HdVal *v, const HdInst *in, uint32_t at, const HdType *matrix)
{
    const HdType *t = hd_val_operand(v, in, at);
    uint64_t layout = 0, stride;
    bool known, stores = in->opix == HD_OPIX_CooperativeMatrixStoreKHR;

    HD_RULE(hd_is_int_scalar(t) && t->bits == 32 && hd_val_is_constant(v, in->w[at]), "coop.layout",
            "MemoryLayout is not a 32-bit integer constant");
    known = hd_val_known_part(v, in->w[at], 0, &layout);
    if (known)
        HD_TRY(layout_value(v, in, layout));
    if (in->nwords <= at + 1) {
        HD_RULE(!known, "coop.stride", "this MemoryLayout needs a Stride");
        return HD_OK;
    }
    t = hd_val_operand(v, in, at + 1);
    HD_RULE(hd_is_int_scalar(t), "coop.stride", "Stride is not an integer scalar");
    if (hd_val_known_part(v, in->w[at + 1], 0, &stride)) {
        HD_RULE(!stores || stride != 0, "coop.stride", "a store's Stride must not be 0");
        HD_RULE(!t->is_signed || t->bits > 64 || !(stride >> (t->bits - 1) & 1), "coop.stride",
                "Stride must not be negative");
    }
    if (layout == SpvCooperativeMatrixLayoutRowBlockedInterleavedARM ||
        layout == SpvCooperativeMatrixLayoutColumnBlockedInterleavedARM)
        HD_TRY(blocked_layout(v, in, matrix, in->w[at + 1],
                              layout == SpvCooperativeMatrixLayoutColumnBlockedInterleavedARM));
    return hd_val_memory_operands(v, in, at + 2);
}

/* OpCooperativeMatrixLoadKHR: 3 pointer, 4 layout. */
HdStatus hd_rule_coop_load(HdVal *v, const HdInst *in)
{
    HD_RULE(is_khr(hd_val_result(v, in)), "coop.result", "the result is not a cooperative matrix");
    HD_TRY(memory_pointer(v, in, 3));
    return memory_layout(v, in, 4, hd_val_result(v, in));
}

/* OpCooperativeMatrixStoreKHR: 1 pointer, 2 object, 3 layout. */
HdStatus hd_rule_coop_store(HdVal *v, const HdInst *in)
{
    HD_TRY(memory_pointer(v, in, 1));
    HD_RULE(is_khr(hd_val_operand(v, in, 2)), "coop.object",
            "the object is not a cooperative matrix");
    return memory_layout(v, in, 3, hd_val_operand(v, in, 2));
}

/* Words: stride, whether the columns lie together, perhaps memory operands. */
static HdStatus columns_nv(HdVal *v, const HdInst *in, uint32_t at)
{
    HD_RULE(hd_is_int_scalar(hd_val_operand(v, in, at)), "coop.stride",
            "Stride is not an integer scalar");
    HD_RULE(hd_is_bool_scalar(hd_val_operand(v, in, at + 1)) &&
                hd_val_is_constant(v, in->w[at + 1]),
            "coop.layout", "Column Major is not a bool constant");
    return hd_val_memory_operands(v, in, at + 2);
}

/* OpCooperativeMatrixLoadNV: 3 pointer, 4 stride, 5 column major. */
HdStatus hd_rule_coop_load_nv(HdVal *v, const HdInst *in)
{
    HD_RULE(is_nv(hd_val_result(v, in)), "coop.result", "the result is not a cooperative matrix");
    HD_TRY(memory_pointer(v, in, 3));
    return columns_nv(v, in, 4);
}

HdStatus hd_rule_coop_store_nv(HdVal *v, const HdInst *in)
{
    HD_TRY(memory_pointer(v, in, 1));
    HD_RULE(is_nv(hd_val_operand(v, in, 2)), "coop.object",
            "the object is not a cooperative matrix");
    return columns_nv(v, in, 3);
}

/* ---- arithmetic ---------------------------------------------------------------------------- */

/* OpCooperativeMatrixLengthKHR, OpCooperativeMatrixLengthNV. */
HdStatus hd_rule_coop_length(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *x = hd_module_type(v->m, in->w[3]);

    HD_RULE(hd_is_int_scalar(t) && t->bits == 32 && !t->is_signed, "coop.result",
            "the result is not an unsigned 32-bit integer");
    HD_RULE(in->opix == HD_OPIX_CooperativeMatrixLengthKHR ? is_khr(x) : is_nv(x),
            "coop.length-type", "id %u is not a cooperative matrix type", (unsigned)in->w[3]);
    return HD_OK;
}

static bool is_signed_use(const HdVal *v, const HdType *t, uint32_t mask, uint32_t bit)
{
    return (mask & bit) == 0 || hd_is_int_scalar(hd_coop_component(v, t));
}

/* Words: 3 A, 4 B, 5 C, [6 operands]. KHR's and NV's. */
HdStatus hd_rule_coop_mul_add(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *a = hd_val_operand(v, in, 3),
                 *b = hd_val_operand(v, in, 4), *c = hd_val_operand(v, in, 5);
    bool khr = in->opix == HD_OPIX_CooperativeMatrixMulAddKHR;
    uint32_t mask = in->nwords > 6 ? in->w[6] : 0;

    HD_RULE(khr ? is_khr(t) : is_nv(t), "coop.result", "the result is not a cooperative matrix");
    HD_RULE(khr ? is_khr(a) && is_khr(b) && is_khr(c) : is_nv(a) && is_nv(b) && is_nv(c),
            "coop.operand", "an operand is not a cooperative matrix");
    HD_RULE(may_be_used(v, a, SpvCooperativeMatrixUseMatrixAKHR) &&
                may_be_used(v, b, SpvCooperativeMatrixUseMatrixBKHR) &&
                may_be_used(v, c, SpvCooperativeMatrixUseMatrixAccumulatorKHR) &&
                may_be_used(v, t, SpvCooperativeMatrixUseMatrixAccumulatorKHR),
            "coop.use", "a matrix is of another use than its place asks for");
    HD_RULE(may_match(v, a, SCOPE, t, SCOPE) && may_match(v, b, SCOPE, t, SCOPE) &&
                may_match(v, c, SCOPE, t, SCOPE),
            "coop.scope", "the matrices have different scopes");
    HD_RULE(may_match(v, a, ROWS, t, ROWS) && may_match(v, c, ROWS, t, ROWS) &&
                may_match(v, b, COLUMNS, t, COLUMNS) && may_match(v, c, COLUMNS, t, COLUMNS) &&
                may_match(v, a, COLUMNS, b, ROWS),
            "coop.shape", "the matrices' rows and columns do not go together");
    HD_RULE(
        is_signed_use(v, a, mask, SpvCooperativeMatrixOperandsMatrixASignedComponentsKHRMask) &&
            is_signed_use(v, b, mask, SpvCooperativeMatrixOperandsMatrixBSignedComponentsKHRMask) &&
            is_signed_use(v, c, mask, SpvCooperativeMatrixOperandsMatrixCSignedComponentsKHRMask) &&
            is_signed_use(v, t, mask,
                          SpvCooperativeMatrixOperandsMatrixResultSignedComponentsKHRMask),
        "coop.signed", "only components that are integers can be taken as signed");
    return HD_OK;
}

HdStatus hd_rule_coop_arith(HdVal *v, const HdInst *in, bool (*test)(const HdType *))
{
    const HdType *t = hd_val_result(v, in);

    if (!is_coop(t))
        return HD_OK;
    HD_RULE(test(hd_coop_component(v, t)), "arith.result",
            "the result's components are not what the instruction computes with");
    for (uint32_t i = 3; i < in->nwords; i++)
        HD_RULE(hd_val_operand(v, in, i) == t, "arith.operand",
                "the type of operand %u differs from the result type", hd_val_number(in, i));
    switch (in->opix) {
    case HD_OPIX_SRem:
    case HD_OPIX_SMod:
    case HD_OPIX_UMod:
    case HD_OPIX_FRem:
    case HD_OPIX_FMod:
    case HD_OPIX_FmaKHR:
        HD_RULE(!is_matrix(t), "coop.arithmetic",
                "cooperative matrices do not have this operation");
        return HD_OK;
    case HD_OPIX_IMul:
    case HD_OPIX_FMul:
        HD_RULE(!is_nv(t), "coop.arithmetic",
                "cooperative matrices of SPV_NV_cooperative_matrix do not have this operation");
        return HD_OK;
    default: return HD_OK;
    }
}

static bool is_transposed(const HdVal *v, const HdInst *in)
{
    return hd_module_decoration(v->m, in->w[2], SpvDecorationCooperativeMatrixTransposeEXT) != NULL;
}

static HdStatus converted_shape(HdVal *v, const HdInst *in, const HdType *t, const HdType *o)
{
    if (!is_transposed(v, in))
        HD_RULE(same_shape(v, t, o), "coop.shape",
                "operand and result have different scopes, rows or columns");
    else
        HD_RULE(may_match(v, t, SCOPE, o, SCOPE) && may_match(v, t, ROWS, o, COLUMNS) &&
                    may_match(v, t, COLUMNS, o, ROWS),
                "coop.shape",
                "the result is not the operand's shape with rows and columns exchanged");
    return HD_OK;
}

/* May what a conversion is declared to change in the use be this? Accumulators become A or B; the
 * later extension has the way back, too, where nothing is transposed. */
static bool may_change_use(const HdVal *v, const HdInst *in, const HdType *t, const HdType *o)
{
    const uint32_t sum = SpvCooperativeMatrixUseMatrixAccumulatorKHR,
                   a = SpvCooperativeMatrixUseMatrixAKHR, b = SpvCooperativeMatrixUseMatrixBKHR;
    bool back =
        hd_val_cap(v, SpvCapabilityCooperativeMatrixConversionsEXT) && !is_transposed(v, in);

    return (may_be_used(v, o, sum) && (may_be_used(v, t, a) || may_be_used(v, t, b))) ||
           (back && may_be_used(v, t, sum) && (may_be_used(v, o, a) || may_be_used(v, o, b)));
}

HdStatus hd_rule_coop_convert(HdVal *v, const HdInst *in, bool (*result)(const HdType *),
                              bool (*operand)(const HdType *))
{
    const HdType *t = hd_val_result(v, in), *o = hd_val_operand(v, in, 3);
    bool other_use = hd_val_cap(v, SpvCapabilityCooperativeMatrixConversionsNV) ||
                     hd_val_cap(v, SpvCapabilityCooperativeMatrixConversionsEXT);

    if (!is_coop(t))
        return HD_OK;
    HD_RULE(o != NULL && o->kind == HD_T_OTHER &&
                (hd_type_words(o)[0] & 0xffff) == (hd_type_words(t)[0] & 0xffff),
            "convert.operand", "the operand is not a cooperative matrix as the result is");
    HD_RULE(result(hd_coop_component(v, t)), "convert.result",
            "the result's components are not what the instruction makes");
    HD_RULE(operand(hd_coop_component(v, o)), "convert.operand",
            "the operand's components are not what the instruction takes");
    if (!is_matrix(t)) {
        HD_RULE(may_match(v, t, 3, o, 3), "coop.shape",
                "the vectors have different numbers of components");
        return HD_OK;
    }
    HD_TRY(converted_shape(v, in, t, o));
    HD_RULE(!is_khr(t) || (may_match(v, t, USE, o, USE) && !is_transposed(v, in)) ||
                (other_use && may_change_use(v, in, t, o)),
            "coop.use", "operand and result have different uses");
    return HD_OK;
}

HdStatus hd_rule_coop_bitcast(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *o = hd_val_operand(v, in, 3);

    HD_TRY(hd_rule_coop_convert(v, in, hd_is_numeric, hd_is_numeric));
    HD_RULE(!is_khr(t) ||
                (hd_is_int(hd_coop_component(v, t)) && hd_is_int(hd_coop_component(v, o)) &&
                 hd_type_bits(hd_coop_component(v, t)) == hd_type_bits(hd_coop_component(v, o))),
            "coop.bitcast", "the components are not integers of the same width");
    HD_RULE(!is_khr(t) || may_match(v, t, USE, o, USE), "coop.use",
            "operand and result have different uses");
    return HD_OK;
}

/* OpCooperativeMatrixConvertUseEXT: accumulator to A or B, or back. */
HdStatus hd_rule_coop_convert_use(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *o = hd_val_operand(v, in, 3);

    HD_RULE(is_khr(t), "coop.result", "the result is not a cooperative matrix");
    HD_RULE(is_khr(o), "coop.operand", "the operand is not a cooperative matrix");
    HD_RULE(hd_coop_component(v, t) == hd_coop_component(v, o), "coop.component",
            "operand and result have different component types");
    HD_TRY(converted_shape(v, in, t, o));
    HD_RULE(hd_type_words(t)[USE] != hd_type_words(o)[USE] && may_change_use(v, in, t, o),
            "coop.use", "an accumulator becomes matrix A or B%s",
            hd_val_cap(v, SpvCapabilityCooperativeMatrixConversionsEXT) ? ", or these become one"
                                                                        : "");
    return HD_OK;
}

/* OpCooperativeMatrixTransposeNV: accumulator to B, rows and columns exchanged. */
HdStatus hd_rule_coop_transpose(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *o = hd_val_operand(v, in, 3);

    HD_RULE(is_khr(t), "coop.result", "the result is not a cooperative matrix");
    HD_RULE(is_khr(o), "coop.operand", "the operand is not a cooperative matrix");
    HD_RULE(hd_coop_component(v, t) == hd_coop_component(v, o), "coop.component",
            "operand and result have different component types");
    HD_RULE(may_match(v, t, SCOPE, o, SCOPE) && may_match(v, t, ROWS, o, COLUMNS) &&
                may_match(v, t, COLUMNS, o, ROWS),
            "coop.shape", "the result is not the operand's shape with rows and columns exchanged");
    HD_RULE(may_be_used(v, o, SpvCooperativeMatrixUseMatrixAccumulatorKHR) &&
                may_be_used(v, t, SpvCooperativeMatrixUseMatrixBKHR),
            "coop.use", "an accumulator becomes matrix B");
    return HD_OK;
}

/* ---- with functions ------------------------------------------------------------------------ */

static const HdType *function_type(const HdVal *v, HdId id)
{
    HdInst f;

    return hd_module_def(v->m, id, &f) && f.opix == HD_OPIX_Function ? hd_module_type(v->m, f.w[4])
                                                                     : NULL;
}

/* Is a known value of word `at` of y `times` that of x? */
static bool may_be_half(const HdVal *v, const HdType *half, const HdType *whole, uint32_t at)
{
    uint64_t a, b;

    return !hd_val_known_part(v, hd_type_words(half)[at], 0, &a) ||
           !hd_val_known_part(v, hd_type_words(whole)[at], 0, &b) || a * 2 == b;
}

/* OpCooperativeMatrixReduceEXT: 3 matrix, 4 which way, 5 function. */
HdStatus hd_rule_coop_reduce(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *o = hd_val_operand(v, in, 3), *f, *c;
    uint32_t how = in->w[4];

    HD_RULE(is_khr(t), "coop.result", "the result is not a cooperative matrix");
    HD_RULE(is_khr(o), "coop.operand", "the operand is not a cooperative matrix");
    c = hd_coop_component(v, o);
    HD_RULE(hd_coop_component(v, t) == c, "coop.component",
            "operand and result have different component types");
    HD_RULE(may_match(v, t, SCOPE, o, SCOPE), "coop.scope", "the matrices have different scopes");
    HD_RULE(may_be_used(v, o, SpvCooperativeMatrixUseMatrixAccumulatorKHR) &&
                may_be_used(v, t, SpvCooperativeMatrixUseMatrixAccumulatorKHR),
            "coop.use", "both matrices are accumulators");
    HD_RULE(how != 0, "coop.reduce", "neither Row nor Column nor 2x2 is given");
    HD_RULE(!(how & SpvCooperativeMatrixReduce2x2Mask) || how == SpvCooperativeMatrixReduce2x2Mask,
            "coop.reduce", "2x2 excludes Row and Column");
    HD_RULE(how != SpvCooperativeMatrixReduce2x2Mask ||
                (may_be_half(v, t, o, ROWS) && may_be_half(v, t, o, COLUMNS)),
            "coop.shape", "the result has not half of the operand's rows and columns");
    HD_RULE(how != SpvCooperativeMatrixReduceRowMask || may_match(v, t, ROWS, o, ROWS),
            "coop.shape", "operand and result have different numbers of rows");
    HD_RULE(how != SpvCooperativeMatrixReduceColumnMask || may_match(v, t, COLUMNS, o, COLUMNS),
            "coop.shape", "operand and result have different numbers of columns");
    f = function_type(v, in->w[5]);
    HD_RULE(f != NULL && f->kind == HD_T_FUNCTION && f->count == 2 && hd_type_element(f) == c &&
                hd_type_member(v->m, f, 0) == c && hd_type_member(v->m, f, 1) == c,
            "coop.function", "CombineFunc does not take two components and give one");
    return HD_OK;
}

static bool is_index(const HdType *t)
{
    return hd_is_int_scalar(t) && t->bits == 32;
}

/* OpCooperativeMatrixPerElementOpEXT: 3 matrix, 4 function, 5… its further arguments. */
HdStatus hd_rule_coop_per_element(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *f, *c;

    HD_RULE(is_khr(t), "coop.result", "the result is not a cooperative matrix");
    HD_RULE(hd_val_operand(v, in, 3) == t, "coop.operand",
            "the type of the matrix differs from the result type");
    c = hd_coop_component(v, t);
    f = function_type(v, in->w[4]);
    HD_RULE(f != NULL && f->kind == HD_T_FUNCTION && hd_type_element(f) == c && f->count >= 3 &&
                hd_type_member(v->m, f, 2) == c,
            "coop.function", "Func does not take a component third and give one");
    for (uint32_t i = 0; i < 2; i++)
        HD_RULE(is_index(hd_type_member(v->m, f, i)), "coop.function",
                "Func's first two parameters are not 32-bit integers");
    HD_RULE(in->nwords - 5u == f->count - 3, "coop.function", "%u operands for %u parameters",
            (unsigned)in->nwords - 5, (unsigned)f->count - 3);
    for (uint32_t i = 5; i < in->nwords; i++) {
        const HdType *o = hd_val_operand(v, in, i), *p = hd_type_member(v->m, f, i - 2);

        HD_RULE((o == p && !is_matrix(o)) || (is_khr(o) && hd_coop_component(v, o) == p &&
                                              same_shape(v, o, t) && may_match(v, o, USE, t, USE)),
                "coop.function", "operand %u has another type than Func's parameter",
                hd_val_number(in, i));
    }
    return HD_OK;
}

/* OpCooperativeMatrixGetCoordinateEXT: 3 matrix, 4 index. */
HdStatus hd_rule_coop_coordinate(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *i = hd_val_operand(v, in, 4);

    HD_RULE(t->kind == HD_T_VECTOR && t->count == 2 && hd_is_int(t) && hd_type_bits(t) == 32,
            "coop.result", "the result is not a vector of two 32-bit integers");
    HD_RULE(is_khr(hd_val_operand(v, in, 3)), "coop.operand",
            "the operand is not a cooperative matrix");
    HD_RULE(hd_is_int_scalar(i) && i->bits == 32, "coop.operand",
            "the index is not a 32-bit integer");
    return HD_OK;
}
