/* ops/coop/coop_rule_arm.c -- rules of tensors that are accessed element by element.
 *
 * Spec: SPV_ARM_tensors.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/shader_rules.h"

/* OpTypeTensorARM: 2 element, [3 rank], [4 shape]. Spec: SPV_ARM_tensors. */
HdStatus hd_rule_type_tensor(HdVal *v, const HdInst *in)
{
    const HdType *t;
    uint64_t rank = 0;

    HD_RULE(hd_is_scalar(hd_module_type(v->m, in->w[2])), "tensor.element",
            "the element type is not a scalar");
    if (in->nwords <= 3)
        return HD_OK;
    HD_RULE(hd_val_is_constant(v, in->w[3]) && hd_is_int_scalar(hd_val_operand(v, in, 3)),
            "tensor.rank", "Rank is not an integer constant");
    HD_RULE(!hd_val_known_part(v, in->w[3], 0, &rank) || rank != 0, "tensor.rank", "Rank is 0");
    if (in->nwords <= 4)
        return HD_OK;
    t = hd_val_operand(v, in, 4);
    HD_RULE(hd_val_is_constant(v, in->w[4]) && t != NULL && t->kind == HD_T_ARRAY &&
                hd_is_int_scalar(hd_type_element(t)),
            "tensor.shape", "Shape is not a constant array of integers");
    HD_RULE(rank == 0 || hd_type_length(t) == rank, "tensor.shape",
            "Shape has not as many sizes as Rank");
    return HD_OK;
}

/* The type of a tensor whose rank is said; *rank is 0 where it may still be specialised. */
static HdStatus ranked(HdVal *v, const HdInst *in, uint32_t at, const HdType **out, uint64_t *rank)
{
    const HdType *t = hd_val_operand(v, in, at);

    *rank = 0;
    HD_RULE(hd_type_is_other(t, SpvOpTypeTensorARM) && hd_type_words(t)[0] >> 16 > 3,
            "tensor.ranked", "the operand is not a tensor of a given rank");
    (void)hd_val_known_part(v, hd_type_words(t)[3], 0, rank);
    *out = hd_module_type(v->m, hd_type_words(t)[2]);
    return HD_OK;
}

static HdStatus coordinates(HdVal *v, const HdInst *in, uint32_t at, uint64_t rank)
{
    const HdType *t = hd_val_operand(v, in, at);

    HD_RULE(t != NULL && t->kind == HD_T_ARRAY && hd_is_int_scalar(hd_type_element(t)) &&
                (rank == 0 || hd_type_length(t) == rank),
            "tensor.coordinates",
            "the coordinates are not an array of as many integers as the rank");
    return HD_OK;
}

/* An element or an array of them. */
static HdStatus elements(HdVal *v, const HdInst *in, const HdType *t, const HdType *element)
{
    HD_RULE(t != NULL && (t == element || (t->kind == HD_T_ARRAY && hd_type_element(t) == element)),
            "tensor.object", "what is moved is not an element of the tensor and no array of them");
    return HD_OK;
}

#define AVAILABLE   SpvTensorOperandsMakeElementAvailableARMMask
#define VISIBLE     SpvTensorOperandsMakeElementVisibleARMMask
#define NON_PRIVATE SpvTensorOperandsNonPrivateElementARMMask
#define OUTSIDE     SpvTensorOperandsOutOfBoundsValueARMMask

/* The mask at word `at`, of a read or a write. */
static HdStatus operands(HdVal *v, const HdInst *in, uint32_t at, const HdType *element)
{
    bool read = in->opix == HD_OPIX_TensorReadARM;
    uint32_t mask = at < in->nwords ? in->w[at] : 0;

    HD_RULE(!(mask & (read ? AVAILABLE : VISIBLE | OUTSIDE)), "tensor.operands", "%s",
            read ? "MakeElementAvailableARM is for writes"
                 : "MakeElementVisibleARM and OutOfBoundsValueARM are for reads");
    HD_RULE(!(mask & (AVAILABLE | VISIBLE)) || (mask & NON_PRIVATE), "tensor.operands",
            "what is made available or visible must be NonPrivateElementARM");
    HD_RULE(!(mask & OUTSIDE) || hd_val_operand(v, in, at + 1) == element, "tensor.outside",
            "the value of what is out of bounds is not an element of the tensor");
    return HD_OK;
}

/* OpTensorReadARM: 3 tensor, 4 coordinates, [5 operands]. */
HdStatus hd_rule_tensor_read(HdVal *v, const HdInst *in)
{
    const HdType *element;
    uint64_t rank;

    HD_TRY(ranked(v, in, 3, &element, &rank));
    HD_TRY(elements(v, in, hd_val_result(v, in), element));
    HD_TRY(coordinates(v, in, 4, rank));
    return operands(v, in, 5, element);
}

/* OpTensorWriteARM: 1 tensor, 2 coordinates, 3 object, [4 operands]. */
HdStatus hd_rule_tensor_write(HdVal *v, const HdInst *in)
{
    const HdType *element;
    uint64_t rank;

    HD_TRY(ranked(v, in, 1, &element, &rank));
    HD_TRY(coordinates(v, in, 2, rank));
    HD_TRY(elements(v, in, hd_val_operand(v, in, 3), element));
    return operands(v, in, 4, element);
}

/* OpTensorQuerySizeARM: 3 tensor, 4 dimension. */
HdStatus hd_rule_tensor_size(HdVal *v, const HdInst *in)
{
    const HdType *element;
    uint64_t rank, dimension;

    HD_RULE(hd_is_int_scalar(hd_val_result(v, in)), "tensor.size-result",
            "the result is not an integer scalar");
    HD_TRY(ranked(v, in, 3, &element, &rank));
    HD_RULE(hd_is_int_scalar(hd_val_operand(v, in, 4)) && hd_val_is_constant(v, in->w[4]),
            "tensor.dimension", "Dimension is not an integer constant");
    HD_RULE(rank == 0 || !hd_val_known_part(v, in->w[4], 0, &dimension) || dimension < rank,
            "tensor.dimension", "the tensor has no such dimension");
    return HD_OK;
}
