/* xform/repair_aligned.c -- loads and stores that promise more alignment than their variable has.
 *
 * A variable without a decoration is aligned as its type requires (OpenCL's SPIR-V environment,
 * Alignment of Types). Zig stores a vector of, say, five components as an array, and accesses it
 * with the alignment that the vector would have.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/decoration.h"
#include "module/operands.h"
#include "xform/repair_state.h"

/* The variable that a pointer leads into; 0: another thing. */
static HdId variable_around(const HdModule *m, HdId id)
{
    for (unsigned depth = 0; depth < HD_MOST_STEPS; depth++) {
        HdId variable = hd_repair_variable_of(m, id);
        HdInst in;

        if (variable != 0)
            return variable;
        if (!hd_module_def(m, id, &in) || !hd_operands_is_chain(in.opix) || in.nwords < 5)
            return 0;
        id = in.w[3]; /* untyped: a type, which ends the way */
    }
    return 0;
}

/* The word of a load or store with an alignment that is more than `natural`; 0: none. */
static unsigned promise(const HdInst *in, uint32_t natural)
{
    unsigned at = in->opix == HD_OPIX_Load ? 4 : 3;

    return in->nwords > at + 1 && (in->w[at] & SpvMemoryAccessAlignedMask) != 0 &&
                   in->w[at + 1] > natural
               ? at + 1
               : 0;
}

/* Which word of an access promises more than its variable has, and what its type has; 0: none. */
static unsigned unfounded(const HdModule *m, const HdInst *in, uint32_t *natural)
{
    const bool is_load = in->opix == HD_OPIX_Load;
    const HdType *t = is_load ? hd_module_type(m, in->w[1]) : hd_module_type_of(m, in->w[2]);
    unsigned at = t != NULL && t->align != 0 ? promise(in, t->align) : 0;
    HdId variable = at != 0 ? variable_around(m, in->w[is_load ? 3 : 1]) : 0;
    uint32_t own;

    if (variable == 0 || hd_module_decoration(m, variable, SpvDecorationAlignment) != NULL ||
        hd_module_decoration(m, variable, SpvDecorationAlignmentId) != NULL)
        return 0;
    own = hd_repair_variable_alignment(m, variable);
    *natural = t->align;
    return own != 0 && in->w[at] > own ? at : 0;
}

HdStatus hd_repair_find_aligned(HdRepair *r, const HdInst *in)
{
    uint32_t natural;

    if (unfounded(r->m, in, &natural) != 0)
        hd_repair_note(r, HD_SLIP_ALIGNED, in->word);
    return HD_OK;
}

bool hd_repair_write_aligned(HdRepair *r, const HdInst *in)
{
    uint32_t natural;
    unsigned at = unfounded(r->m, in, &natural);

    if (at == 0)
        return false;
    hd_writer_begin(r->out, in->opcode);
    for (unsigned i = 1; i < in->nwords; i++)
        hd_writer_word(r->out, i == at ? natural : in->w[i]);
    hd_writer_end(r->out);
    return true;
}
