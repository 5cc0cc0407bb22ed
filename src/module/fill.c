/* module/fill.c -- the second pass of the reader: the index over instructions that are well formed,
 * in arrays of the size that the first counted.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/reader_state.h"

typedef struct Filler {
    HdModule *m;
    HdFunction *f; /* open function */
    HdBlock *b;    /* open block */
    HdInst merge;  /* the first one in it */
    uint32_t next_function, next_block, next_param;
} Filler;

static void close_block(Filler *s, uint32_t terminator)
{
    bool is_before = s->b->merge != HD_MERGE_NONE && hd_inst_next(&s->merge) == terminator;

    s->b->terminator = terminator & INT32_MAX;
    if (is_before && s->merge.nwords == 3)
        s->b->merge = HD_MERGE_3_BEFORE;
    else if (is_before && s->merge.nwords == 4)
        s->b->merge = HD_MERGE_4_BEFORE;
    s->b = NULL;
}

static void close_function(Filler *s, uint32_t end)
{
    s->b = NULL;
    if (s->f != NULL)
        s->f->end = end;
    s->f = NULL;
}

static bool is_terminator(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_Branch:
    case HD_OPIX_BranchConditional:
    case HD_OPIX_Switch:
    case HD_OPIX_Kill:
    case HD_OPIX_Return:
    case HD_OPIX_ReturnValue:
    case HD_OPIX_Unreachable:
    case HD_OPIX_TerminateInvocation:
    case HD_OPIX_IgnoreIntersectionKHR:
    case HD_OPIX_TerminateRayKHR:
    case HD_OPIX_EmitMeshTasksEXT:
    case HD_OPIX_AbortKHR: return true;
    default: return false;
    }
}

bool hd_inst_is_terminator(const HdInst *in)
{
    return is_terminator(in->opix);
}

static void fill_entry(HdModule *m, const HdInst *in)
{
    HdEntryPoint *e = &m->entries[m->entry_count++];
    uint32_t behind = 3 + hd_inst_string_words(in, 3);

    e->word = in->word;
    e->model = in->w[1];
    e->function = in->w[2];
    e->name = hd_inst_string(in, 3);
    e->interface = in->w + behind;
    e->interface_count = in->nwords - behind;
}

static void fill_function(Filler *s, const HdInst *in)
{
    HdModule *m = s->m;

    close_function(s, in->word);
    s->f = &m->functions[s->next_function++];
    s->f->result_type = in->w[1];
    s->f->id = in->w[2];
    s->f->type = in->w[4];
    s->f->word = in->word;
    s->f->first_block = s->next_block;
    s->f->first_param = s->next_param;
}

static void fill_inst(Filler *s, const HdInst *in)
{
    HdModule *m = s->m;

    switch (in->opix) {
    case HD_OPIX_Capability: m->capabilities[m->capability_count++] = in->w[1]; return;
    case HD_OPIX_Extension: m->extensions[m->extension_count++] = hd_inst_string(in, 1); return;
    case HD_OPIX_MemoryModel:
        m->addressing = in->w[1];
        m->memory_model = in->w[2];
        return;
    case HD_OPIX_EntryPoint: fill_entry(m, in); return;
    case HD_OPIX_Name:
        if (in->w[1] < m->bound)
            m->name_at[in->w[1]] = in->word + 2;
        return;
    case HD_OPIX_Function: fill_function(s, in); return;
    case HD_OPIX_FunctionParameter:
        m->params[s->next_param++] = in->word;
        if (s->f != NULL && s->f->block_count == 0)
            s->f->param_count++;
        return;
    case HD_OPIX_Label:
        s->b = &m->blocks[s->next_block++];
        s->b->word = in->word & INT32_MAX;
        if (s->f != NULL)
            s->f->block_count++;
        return;
    case HD_OPIX_FunctionEnd: close_function(s, in->word + in->nwords); return;
    case HD_OPIX_LoopMerge:
    case HD_OPIX_SelectionMerge:
        if (s->b != NULL && s->b->merge == HD_MERGE_NONE) {
            s->b->merge = HD_MERGE_ELSEWHERE;
            s->merge = *in;
        }
        return;
    default:
        if (s->b != NULL && is_terminator(in->opix))
            close_block(s, in->word);
        return;
    }
}

void hd_reader_fill(const HdReader *r, const HdReaderCounts *from)
{
    uint32_t word = r->first;
    Filler s = {.m = r->m,
                .next_function = from->functions,
                .next_block = from->blocks,
                .next_param = from->params};

    for (HdInst in; word < r->end && hd_module_next(r->m, &word, &in);)
        fill_inst(&s, &in);
    close_function(&s, r->end);
}
