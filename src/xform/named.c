/* xform/named.c -- OpenCL built-ins that are a built-in variable or an extended instruction.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/named.h"

#include <stdio.h>
#include <string.h>

#include "grammar/grammar.h"

const HdItemName hd_item_names[HD_ITEM_NAMES] = {
    {"get_work_dim", SpvBuiltInWorkDim, false, false, 0},
    {"get_global_size", SpvBuiltInGlobalSize, true, true, 1},
    {"get_global_id", SpvBuiltInGlobalInvocationId, true, true, 0},
    {"get_local_size", SpvBuiltInWorkgroupSize, true, true, 1},
    {"get_enqueued_local_size", SpvBuiltInEnqueuedWorkgroupSize, true, true, 1},
    {"get_local_id", SpvBuiltInLocalInvocationId, true, true, 0},
    {"get_num_groups", SpvBuiltInNumWorkgroups, true, true, 1},
    {"get_group_id", SpvBuiltInWorkgroupId, true, true, 0},
    {"get_global_offset", SpvBuiltInGlobalOffset, true, true, 0},
    {"get_global_linear_id", SpvBuiltInGlobalLinearId, false, true, 0},
    {"get_local_linear_id", SpvBuiltInLocalInvocationIndex, false, true, 0},
    {"get_sub_group_size", SpvBuiltInSubgroupSize, false, false, 0},
    {"get_max_sub_group_size", SpvBuiltInSubgroupMaxSize, false, false, 0},
    {"get_num_sub_groups", SpvBuiltInNumSubgroups, false, false, 0},
    {"get_sub_group_id", SpvBuiltInSubgroupId, false, false, 0},
    {"get_sub_group_local_id", SpvBuiltInSubgroupLocalInvocationId, false, false, 0},
};

uint32_t hd_item_name(const HdBuiltinName *n)
{
    uint32_t i = 0;

    while (i < HD_ITEM_NAMES && !hd_builtin_is(n, hd_item_names[i].name))
        i++;
    return i;
}

static bool takes_ids(const HdExtInst *inst, uint32_t operands)
{
    for (uint32_t i = 0; i < inst->operand_count; i++)
        if (inst->operands[i].klass != HD_OPERAND_ID || inst->operands[i].quantifier != HD_ONCE)
            return false;
    return inst->operand_count == operands;
}

uint32_t hd_std_name(const HdBuiltinName *n, uint32_t operands)
{
    /* As OpenCL.std names what OpenCL C has for numbers of several kinds. */
    static const char *const integer[2][2] = {{"%.*s", "u_%.*s"}, {"%.*s", "s_%.*s"}};
    static const char *const floats[] = {"%.*s", "f%.*s", "f%.*s_common"};
    const unsigned set = hd_gram_extset("OpenCL.std", 10);
    char name[64];

    for (unsigned i = 0; i < (n->first.is_float ? 3u : 2u); i++) {
        const char *form = n->first.is_float ? floats[i] : integer[n->first.is_signed][i];
        const HdExtInst *inst;

        snprintf(name, sizeof name, form, (int)(n->len < 32 ? n->len : 32), n->base);
        inst = hd_gram_extinst_name(set, name, strlen(name));
        if (inst != NULL && takes_ids(inst, operands))
            return inst->number;
    }
    return UINT32_MAX;
}
