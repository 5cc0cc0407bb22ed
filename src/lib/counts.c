/* lib/counts.c -- counts and coverage of checked runs: the public API over check.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check/observer.h"

#include "base/float_env.h"
#include "base/memory.h"
#include "lib/check.h"
#include "lib/report.h"

void heddle_counts_begin(heddle_check *c)
{
    hd_check_count(c->check);
}

size_t heddle_counts_kernel_count(heddle_check *c)
{
    return hd_check_counts(c->check).count;
}

static const HdCounts *kernel_of(heddle_check *c, size_t index)
{
    return hd_check_counts(c->check).at[index];
}

heddle_kernel_counts heddle_counts_kernel(heddle_check *c, size_t index)
{
    const HdCounts *k = kernel_of(c, index);

    return (heddle_kernel_counts){.kernel = k->kernel,
                                  .launches = k->launches,
                                  .work_items = k->work_items,
                                  .instructions = hd_counts_total(k)};
}

/* Room for what is given to the caller; nothing for nothing. */
static heddle_status take(size_t count, size_t bytes, void **out)
{
    *out = count > 0 ? hd_alloc_zero(count * bytes) : NULL;
    return count > 0 && *out == NULL ? HEDDLE_NO_MEMORY : HEDDLE_OK;
}

heddle_status heddle_counts_opcodes(heddle_check *c, size_t index, heddle_opcode_count **counts,
                                    size_t *count)
{
    HdOpcodeCounts found = {0};
    heddle_status st = hd_report_status(hd_counts_by_opcode(kernel_of(c, index), &found));

    *counts = NULL;
    if (st == HEDDLE_OK)
        st = take(found.count, sizeof **counts, (void **)counts);
    *count = st == HEDDLE_OK ? found.count : 0;
    for (size_t i = 0; i < *count; i++)
        (*counts)[i] = (heddle_opcode_count){found.at[i].opcode, found.at[i].count};
    HD_ARRAY_FREE(&found);
    return st;
}

heddle_status heddle_counts_instructions(heddle_check *c, size_t index,
                                         heddle_instruction_count **counts, size_t *count)
{
    const HdCounts *k = kernel_of(c, index);
    heddle_status st = take(k->code->inst_count, sizeof **counts, (void **)counts);

    *count = st == HEDDLE_OK ? k->code->inst_count : 0;
    for (size_t i = 0; i < *count; i++)
        (*counts)[i] = (heddle_instruction_count){
            .opcode = k->code->insts[i].opcode,
            .place = hd_count_place(k->code, &k->code->insts[i]),
            .count = k->insts[i],
        };
    return st;
}

heddle_status heddle_counts_memory(heddle_check *c, size_t index, heddle_memory_count **counts,
                                   size_t *count)
{
    const HdCounts *k = kernel_of(c, index);
    heddle_status st = take(HD_COUNT_MEMORIES, sizeof **counts, (void **)counts);

    *count = 0;
    for (unsigned i = 0; st == HEDDLE_OK && i < HD_COUNT_MEMORIES; i++) {
        const HdCountBytes *b = &k->memory[i];

        if (hd_count_bytes_any(b))
            (*counts)[(*count)++] =
                (heddle_memory_count){hd_count_memory_names[i], b->loaded, b->stored, b->atomic};
    }
    if (*count == 0) {
        hd_free(*counts);
        *counts = NULL;
    }
    return st;
}

char *heddle_counts_text(heddle_check *c, heddle_form form)
{
    HD_FLOAT_ENV;
    HdStrbuf out = {0};

    if (form == HEDDLE_FORM_JSON)
        hd_counts_json(hd_check_counts(c->check), &out);
    else
        hd_counts_text(hd_check_counts(c->check), &out);
    return hd_report_take(&out);
}

/* ---- coverage ------------------------------------------------------------------------------- */

heddle_status heddle_coverage_lines(heddle_check *c, heddle_line_count **counts, size_t *count)
{
    HdLineCounts found = {0};
    heddle_status st = hd_report_status(hd_coverage_lines(hd_check_counts(c->check), &found));

    *counts = NULL;
    if (st == HEDDLE_OK)
        st = take(found.count, sizeof **counts, (void **)counts);
    *count = st == HEDDLE_OK ? found.count : 0;
    for (size_t i = 0; i < *count; i++)
        (*counts)[i] = (heddle_line_count){
            .source = found.at[i].file->name, .line = found.at[i].line, .count = found.at[i].count};
    HD_ARRAY_FREE(&found);
    return st;
}

heddle_status heddle_coverage_branches(heddle_check *c, heddle_branch_count **counts, size_t *count)
{
    HdBranchCounts found = {0};
    heddle_status st = hd_report_status(hd_coverage_branches(hd_check_counts(c->check), &found));

    *counts = NULL;
    if (st == HEDDLE_OK)
        st = take(found.count, sizeof **counts, (void **)counts);
    *count = st == HEDDLE_OK ? found.count : 0;
    for (size_t i = 0; i < *count; i++)
        (*counts)[i] = (heddle_branch_count){.source = found.at[i].file->name,
                                             .line = found.at[i].line,
                                             .block = found.at[i].block,
                                             .edge = found.at[i].edge,
                                             .is_reached = found.at[i].is_reached,
                                             .count = found.at[i].count};
    HD_ARRAY_FREE(&found);
    return st;
}

heddle_status heddle_coverage_write(heddle_check *c, const char *path, heddle_report *r)
{
    HdDiags own, *d = hd_report_diags(r, &own);
    HdStatus st = hd_coverage_write(c->check, path, d);

    hd_report_done(r, &own);
    return hd_report_status(st);
}
