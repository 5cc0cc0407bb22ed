/* module/calls.c -- which functions call which.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/calls.h"

#include "base/array.h"

HdStatus hd_module_calls(const HdModule *m, HdArena *a, HdCalls *out)
{
    uint32_t n = m->function_count;
    HD_ARRAY(uint32_t) to = {0}, at = {0};

    HD_TAKE(out->first, HD_NEW(a, uint32_t, (size_t)n + 1));
    for (uint32_t f = 0; f < n; f++) {
        uint32_t word = m->functions[f].word, end = m->functions[f].end;

        out->first[f] = (uint32_t)to.count;
        while (m->has_calls && word < end) {
            const uint32_t *w = m->words + word;
            uint32_t called;

            if ((w[0] & 0xffff) == SpvOpFunctionCall &&
                (called = hd_module_function_index(m, w[3])) != UINT32_MAX) {
                HD_TRY_PUSH(a, &to, called);
                HD_TRY_PUSH(a, &at, word);
            }
            word += w[0] >> 16;
        }
    }
    out->first[n] = (uint32_t)to.count;
    out->to = to.at;
    out->word = at.at;
    return HD_OK;
}
