/* ops/subgroup/subgroup_rule.c -- rules of operations of the invocations that reach them.
 *
 * Spec: SPIR-V, "Non-Uniform Instructions"; SPV_KHR_subgroup_rotate, SPV_KHR_shader_ballot,
 * SPV_KHR_subgroup_vote, SPV_INTEL_subgroups.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/rules.h"

static bool is_uint_scalar(const HdType *t)
{
    return hd_is_int_scalar(t) && !t->is_signed;
}

static bool is_ballot(const HdType *t)
{
    return t != NULL && t->kind == HD_T_VECTOR && t->count == 4 &&
           is_uint_scalar(hd_type_element(t)) && hd_type_element(t)->bits == 32;
}

static HdStatus bool_result(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_is_bool_scalar(hd_val_result(v, in)), "subgroup.result",
            "the result is not a bool scalar");
    return hd_val_scope_execution(v, in, 3);
}

/* Scalars and vectors of numbers or bools; OpenCL: scalars, but for broadcast with an id. */
static HdStatus value_result(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_RULE(hd_is_numeric(t) || hd_is_bool(t), "subgroup.result",
            "the result is not a scalar or vector of numbers or bools");
    if (hd_val_opencl(v) && in->opix != HD_OPIX_GroupNonUniformRotateKHR) {
        HD_RULE(t->kind != HD_T_VECTOR || in->opix == HD_OPIX_GroupNonUniformBroadcast,
                "subgroup.vector", "in OpenCL the value must be a scalar");
        HD_RULE(!hd_is_bool(t), "subgroup.bool", "in OpenCL the value must be a number");
    }
    return hd_val_scope_execution(v, in, 3);
}

static HdStatus same(HdVal *v, const HdInst *in, uint32_t at)
{
    HD_RULE(hd_val_operand(v, in, at) == hd_val_result(v, in), "subgroup.value",
            "the value's type differs from the result type");
    return HD_OK;
}

static HdStatus uint_operand(HdVal *v, const HdInst *in, uint32_t at, const char *name)
{
    HD_RULE(is_uint_scalar(hd_val_operand(v, in, at)), "subgroup.index",
            "%s is not an unsigned integer scalar", name);
    return HD_OK;
}

HdStatus hd_rule_nu_elect(HdVal *v, const HdInst *in)
{
    return bool_result(v, in);
}

HdStatus hd_rule_nu_vote(HdVal *v, const HdInst *in)
{
    HD_TRY(bool_result(v, in));
    HD_RULE(hd_is_bool_scalar(hd_val_operand(v, in, 4)), "subgroup.predicate",
            "the predicate is not a bool scalar");
    return HD_OK;
}

HdStatus hd_rule_nu_all_equal(HdVal *v, const HdInst *in)
{
    const HdType *o = hd_val_operand(v, in, 4);

    HD_TRY(bool_result(v, in));
    HD_RULE(o != NULL && (hd_is_numeric(o) || hd_is_bool(o)), "subgroup.value",
            "the value is not a scalar or vector of numbers or bools");
    HD_RULE(!hd_val_opencl(v) || o->kind != HD_T_VECTOR, "subgroup.vector",
            "in OpenCL the value must be a scalar");
    HD_RULE(!hd_val_opencl(v) || !hd_is_bool(o), "subgroup.bool",
            "in OpenCL the value must be a number");
    return HD_OK;
}

HdStatus hd_rule_nu_broadcast(HdVal *v, const HdInst *in)
{
    HD_TRY(value_result(v, in));
    HD_TRY(same(v, in, 4));
    HD_TRY(uint_operand(v, in, 5, "Id"));
    HD_RULE(v->m->version >= 0x10500 || hd_val_is_constant(v, in->w[5]), "subgroup.id-constant",
            "before SPIR-V 1.5 Id must be a constant");
    return HD_OK;
}

HdStatus hd_rule_nu_broadcast_first(HdVal *v, const HdInst *in)
{
    HD_TRY(value_result(v, in));
    return same(v, in, 4);
}

HdStatus hd_rule_nu_ballot(HdVal *v, const HdInst *in)
{
    HD_RULE(is_ballot(hd_val_result(v, in)), "subgroup.result",
            "the result is not a vector of four unsigned 32-bit integers");
    HD_TRY(hd_val_scope_execution(v, in, 3));
    HD_RULE(hd_is_bool_scalar(hd_val_operand(v, in, 4)), "subgroup.predicate",
            "the predicate is not a bool scalar");
    return HD_OK;
}

static HdStatus ballot_operand(HdVal *v, const HdInst *in, uint32_t at)
{
    HD_RULE(is_ballot(hd_val_operand(v, in, at)), "subgroup.ballot",
            "the value is not a vector of four unsigned 32-bit integers");
    return HD_OK;
}

HdStatus hd_rule_nu_inverse_ballot(HdVal *v, const HdInst *in)
{
    HD_TRY(bool_result(v, in));
    return ballot_operand(v, in, 4);
}

HdStatus hd_rule_nu_bit_extract(HdVal *v, const HdInst *in)
{
    HD_TRY(bool_result(v, in));
    HD_TRY(ballot_operand(v, in, 4));
    return uint_operand(v, in, 5, "Index");
}

static HdStatus count_result(HdVal *v, const HdInst *in)
{
    HD_RULE(is_uint_scalar(hd_val_result(v, in)), "subgroup.result",
            "the result is not an unsigned integer scalar");
    return hd_val_scope_execution(v, in, 3);
}

HdStatus hd_rule_nu_bit_count(HdVal *v, const HdInst *in)
{
    HD_TRY(count_result(v, in));
    HD_RULE(in->w[4] <= SpvGroupOperationExclusiveScan, "subgroup.operation",
            "the group operation must be Reduce, InclusiveScan or ExclusiveScan");
    return ballot_operand(v, in, 5);
}

HdStatus hd_rule_nu_bit_find(HdVal *v, const HdInst *in)
{
    HD_TRY(count_result(v, in));
    return ballot_operand(v, in, 4);
}

HdStatus hd_rule_nu_shuffle(HdVal *v, const HdInst *in)
{
    HD_TRY(value_result(v, in));
    HD_TRY(same(v, in, 4));
    return uint_operand(v, in, 5, "the operand behind the value");
}

/* A cluster size at word `at`: a constant power of two. Sizes that are none are undefined when
 * executed, which is a warning; of rotations others refuse it where there is no OpenCL. */
static HdStatus cluster(HdVal *v, const HdInst *in, uint32_t at)
{
    uint64_t n;

    HD_TRY(uint_operand(v, in, at, "ClusterSize"));
    HD_RULE(hd_val_is_constant(v, in->w[at]), "subgroup.cluster-constant",
            "ClusterSize is not a constant");
    if (!hd_module_constant_u64(v->m, in->w[at], &n) ||
        hd_val_is_open(v, hd_module_constant(v->m, in->w[at])) || (n != 0 && (n & (n - 1)) == 0))
        return HD_OK;
    if (hd_val_opencl(v) || in->opix != HD_OPIX_GroupNonUniformRotateKHR)
        return hd_val_warn(v, in, "subgroup.cluster-power",
                           "ClusterSize is not a power of two: the behaviour is undefined");
    return hd_val_fail(v, in, "subgroup.cluster-power", "ClusterSize is not a power of two");
}

/* The ballot of a partitioned operation: unlike others it may be signed. */
static HdStatus partition(HdVal *v, const HdInst *in, uint32_t at)
{
    const HdType *t = hd_val_operand(v, in, at);

    HD_RULE(t != NULL && t->kind == HD_T_VECTOR && t->count == 4 && hd_is_int(t) &&
                hd_type_bits(t) == 32,
            "subgroup.partition", "the ballot is not a vector of four 32-bit integers");
    return HD_OK;
}

/* Words: 3 scope, 4 operation, 5 value, [6 cluster size or ballot]. */
static HdStatus arithmetic(HdVal *v, const HdInst *in, bool ok, const char *what)
{
    HD_RULE(ok, "subgroup.result", "the result is not %s scalar or vector", what);
    HD_RULE(!hd_val_opencl(v) || hd_val_result(v, in)->kind != HD_T_VECTOR, "subgroup.vector",
            "in OpenCL the value must be a scalar");
    HD_TRY(hd_val_scope_execution(v, in, 3));
    HD_TRY(same(v, in, 5));
    if (in->w[4] == SpvGroupOperationClusteredReduce) {
        HD_RULE(in->nwords > 6, "subgroup.cluster", "ClusteredReduce needs a ClusterSize");
        return cluster(v, in, 6);
    }
    if (in->w[4] > SpvGroupOperationClusteredReduce) {
        HD_RULE(in->nwords > 6, "subgroup.partition", "a partitioned operation needs a ballot");
        return partition(v, in, 6);
    }
    HD_RULE(in->nwords <= 6, "subgroup.cluster", "ClusterSize is for ClusteredReduce only");
    return HD_OK;
}

HdStatus hd_rule_nu_int(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);
    bool bad_sign =
        (in->opix == HD_OPIX_GroupNonUniformUMin || in->opix == HD_OPIX_GroupNonUniformUMax) &&
        hd_is_int(t) && hd_type_scalar(t)->is_signed;

    return arithmetic(v, in, hd_is_int(t) && !bad_sign,
                      bad_sign ? "an unsigned integer" : "an integer");
}

HdStatus hd_rule_nu_float(HdVal *v, const HdInst *in)
{
    return arithmetic(v, in, hd_is_float(hd_val_result(v, in)), "a float");
}

HdStatus hd_rule_nu_logical(HdVal *v, const HdInst *in)
{
    return arithmetic(v, in, hd_is_bool(hd_val_result(v, in)), "a bool");
}

HdStatus hd_rule_nu_rotate(HdVal *v, const HdInst *in)
{
    HD_TRY(value_result(v, in));
    HD_TRY(same(v, in, 4));
    HD_TRY(uint_operand(v, in, 5, "Delta"));
    return in->nwords > 6 ? cluster(v, in, 6) : HD_OK;
}

/* ---- older forms --------------------------------------------------------------------------- */

HdStatus hd_rule_khr_ballot(HdVal *v, const HdInst *in)
{
    HD_RULE(is_ballot(hd_val_result(v, in)), "subgroup.result",
            "the result is not a vector of four unsigned 32-bit integers");
    HD_RULE(hd_is_bool_scalar(hd_val_operand(v, in, 3)), "subgroup.predicate",
            "the predicate is not a bool scalar");
    return HD_OK;
}

HdStatus hd_rule_khr_read(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_RULE(hd_is_numeric(t) || hd_is_bool(t), "subgroup.result",
            "the result is not a scalar or vector of numbers or bools");
    HD_TRY(same(v, in, 3));
    return in->nwords > 4 ? uint_operand(v, in, 4, "Index") : HD_OK;
}

HdStatus hd_rule_khr_vote(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_is_bool_scalar(hd_val_result(v, in)), "subgroup.result",
            "the result is not a bool scalar");
    HD_RULE(hd_is_bool_scalar(hd_val_operand(v, in, 3)), "subgroup.predicate",
            "the predicate is not a bool scalar");
    return HD_OK;
}

/* OpSubgroupShuffle…INTEL: the value(s) come first, the index last. */
HdStatus hd_rule_intel_shuffle(HdVal *v, const HdInst *in)
{
    for (uint32_t i = 3; i + 1 < in->nwords; i++)
        HD_TRY(same(v, in, i));
    HD_RULE(hd_is_int_scalar(hd_val_operand(v, in, in->nwords - 1u)) &&
                hd_val_operand(v, in, in->nwords - 1u)->bits == 32,
            "subgroup.index", "the index is not a 32-bit integer scalar");
    return HD_OK;
}

/* Where a block may lie. Spec: cl_intel_spirv_subgroups, "Block IO Instructions", as
 * cl_intel_subgroup_local_block_io changes it. */
static HdStatus block_storage(HdVal *v, const HdInst *in, const HdType *p)
{
    switch ((SpvStorageClass)p->storage) {
    case SpvStorageClassCrossWorkgroup:
    case SpvStorageClassDeviceOnlyINTEL:
    case SpvStorageClassHostOnlyINTEL: return HD_OK;
    case SpvStorageClassWorkgroup:
        HD_RULE(!hd_val_opencl(v) || hd_val_has(v, "cl_intel_subgroup_local_block_io"),
                "subgroup.local-block",
                "blocks of local memory need cl_intel_subgroup_local_block_io");
        return HD_OK;
    default:
        HD_RULE(!hd_val_opencl(v), "subgroup.block-storage",
                "the pointer is of a storage class other than CrossWorkgroup and Workgroup");
        return HD_OK;
    }
}

HdStatus hd_rule_intel_block_read(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *p = hd_val_operand(v, in, 3);

    HD_RULE(hd_is_int(t), "subgroup.result", "the result is not an integer scalar or vector");
    HD_RULE(hd_is_pointer(p), "subgroup.pointer", "the operand is not a pointer");
    HD_RULE(p->is_untyped || hd_type_element(p) == hd_type_scalar(t), "subgroup.pointer",
            "the pointer points to another type than the result's component");
    return block_storage(v, in, p);
}

HdStatus hd_rule_intel_block_write(HdVal *v, const HdInst *in)
{
    const HdType *p = hd_val_operand(v, in, 1), *t = hd_val_operand(v, in, 2);

    HD_RULE(hd_is_int(t), "subgroup.value", "the data is not an integer scalar or vector");
    HD_RULE(hd_is_pointer(p), "subgroup.pointer", "the operand is not a pointer");
    HD_RULE(p->is_untyped || hd_type_element(p) == hd_type_scalar(t), "subgroup.pointer",
            "the pointer points to another type than the data's component");
    return block_storage(v, in, p);
}

/* Words: image, coordinate. */
static HdStatus block_of_image(HdVal *v, const HdInst *in, uint32_t at)
{
    const HdType *image = hd_val_operand(v, in, at), *coordinate = hd_val_operand(v, in, at + 1);

    HD_RULE(image != NULL && image->kind == HD_T_IMAGE, "subgroup.image",
            "the operand is not an image");
    HD_RULE(hd_type_words(image)[3] == SpvDim2D && hd_type_words(image)[5] == 0 &&
                hd_type_words(image)[6] == 0,
            "subgroup.image", "the image is not two-dimensional, an array or multi-sampled");
    HD_RULE(hd_is_int(coordinate) && hd_type_lanes(coordinate) == 2 &&
                hd_type_scalar(coordinate)->bits == 32,
            "subgroup.coordinate", "the coordinate is not a vector of two 32-bit integers");
    return HD_OK;
}

HdStatus hd_rule_image_block_read(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_is_int(hd_val_result(v, in)), "subgroup.result",
            "the result is not an integer scalar or vector");
    return block_of_image(v, in, 3);
}

HdStatus hd_rule_image_block_write(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_is_int(hd_val_operand(v, in, 3)), "subgroup.value",
            "the data is not an integer scalar or vector");
    return block_of_image(v, in, 1);
}
