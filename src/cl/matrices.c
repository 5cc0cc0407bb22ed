/* cl/matrices.c -- the products of cooperative matrices that a device reports.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/matrices.h"

#include "jit/program.h"

static const hd_cl_device_cooperative_matrix_variant_khr variants[] = {
#define TYPE(name) HD_CL_DEVICE_COOPERATIVE_MATRIX_COMPONENT_TYPE_##name##_KHR
#define ROW(m, n, k, a, b, c, result, saturates) \
    {m, n, k, TYPE(a), TYPE(b), TYPE(c), TYPE(result), saturates},
#include "cl/matrices.def"
#undef ROW
#undef TYPE
};

void hd_matrices_answer(size_t subgroup_size, HdAnswer *a)
{
    if (hd_variant_is_width(subgroup_size))
        hd_answer_bytes(a, variants, sizeof variants);
}
