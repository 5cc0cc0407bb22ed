/* lib/view.c -- inspecting a module: instructions, operands, functions.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/float_env.h"
#include "base/memory.h"
#include "lib/report.h"
#include "module/module.h"
#include "text/dis.h"

struct heddle_view {
    HdModule *m;
};

heddle_status heddle_view_open(const uint32_t *words, size_t nwords, heddle_report *r,
                               heddle_view **out)
{
    HdDiags own, *d = hd_report_diags(r, &own);
    heddle_view *v = hd_alloc_zero(sizeof *v);
    HdStatus st = v != NULL ? hd_module_read(words, nwords, false, d, &v->m) : HD_NO_MEMORY;

    *out = v;
    if (st != HD_OK) {
        hd_free(v);
        *out = NULL;
    }
    hd_report_done(r, &own);
    return hd_report_status(st);
}

void heddle_view_close(heddle_view *v)
{
    if (v == NULL)
        return;
    hd_module_drop(v->m);
    hd_free(v);
}

heddle_header heddle_view_header(const heddle_view *v)
{
    const HdModule *m = v->m;

    return (heddle_header){m->version, m->generator,  m->bound,
                           m->schema,  m->addressing, m->memory_model};
}

/* ---- instructions -------------------------------------------------------------------------- */

static heddle_instruction public_inst(const HdInst *in)
{
    const char *name = hd_gram_insts[in->opix].name;

    return (heddle_instruction){.opcode = in->opcode,
                                .name = name != NULL ? name : "",
                                .word = in->word,
                                .nwords = in->nwords,
                                .words = in->w,
                                .type = hd_inst_type(in),
                                .result = hd_inst_result(in)};
}

int heddle_view_next(const heddle_view *v, uint32_t *word, heddle_instruction *in)
{
    HdInst found;

    if (*word < HD_MODULE_FIRST_WORD)
        *word = HD_MODULE_FIRST_WORD;
    if (!hd_module_next(v->m, word, &found))
        return 0;
    *in = public_inst(&found);
    return 1;
}

int heddle_view_definition(const heddle_view *v, uint32_t id, heddle_instruction *in)
{
    HdInst found;

    if (!hd_module_def(v->m, id, &found))
        return 0;
    *in = public_inst(&found);
    return 1;
}

const char *heddle_view_name(const heddle_view *v, uint32_t id)
{
    return id < v->m->bound ? hd_module_name(v->m, id) : NULL;
}

char *heddle_view_text(const heddle_view *v, const heddle_instruction *in)
{
    HD_FLOAT_ENV;
    HdInst inst = hd_module_inst(v->m, in->word);
    HdStrbuf out = {0};

    hd_text_inst(v->m, &inst, NULL, SIZE_MAX, &out);
    if (out.failed) {
        hd_strbuf_free(&out);
        return NULL;
    }
    return out.at;
}

/* ---- operands ------------------------------------------------------------------------------ */

static heddle_operand_kind kind_of(const HdOperandPart *part)
{
    switch ((HdOperandClass)part->klass) {
    case HD_OPERAND_STRING: return HEDDLE_OPERAND_STRING;
    case HD_OPERAND_ENUM: return HEDDLE_OPERAND_ENUMERANT;
    case HD_OPERAND_MASK: return HEDDLE_OPERAND_MASK;
    case HD_OPERAND_EXT_INST: return HEDDLE_OPERAND_EXTENDED;
    case HD_OPERAND_SPEC_OP: return HEDDLE_OPERAND_OPCODE;
    case HD_OPERAND_INTEGER:
    case HD_OPERAND_FLOAT:
    case HD_OPERAND_TYPED_LITERAL:
        return part->number.number == HD_NUMBER_FLOAT ? HEDDLE_OPERAND_FLOAT
                                                      : HEDDLE_OPERAND_INTEGER;
    default: return HEDDLE_OPERAND_ID;
    }
}

static const char *value_of(const HdOperandPart *part, const HdInst *in)
{
    const HdEnumerant *e;
    const HdExtInst *ext;

    switch ((HdOperandClass)part->klass) {
    case HD_OPERAND_STRING: return (const char *)(in->w + part->at);
    case HD_OPERAND_ENUM:
        e = hd_gram_enumerant(part->kind, in->w[part->at]);
        return e != NULL ? e->name : NULL;
    case HD_OPERAND_EXT_INST:
        ext = part->set != HD_EXTSET_UNKNOWN ? hd_gram_extinst(part->set, in->w[part->at]) : NULL;
        return ext != NULL ? ext->name : NULL;
    case HD_OPERAND_SPEC_OP: return hd_gram_insts[hd_gram_find(in->w[part->at])].name;
    default: return NULL;
    }
}

size_t heddle_view_operands(const heddle_view *v, const heddle_instruction *in, heddle_operand *out,
                            size_t room)
{
    HdInst inst = hd_module_inst(v->m, in->word);
    HdOperandWalk walk;
    HdOperandPart part;
    size_t count = 0;

    hd_operands_start(&walk, &v->m->operand_types, inst.w, inst.nwords);
    while (hd_operands_next(&walk, &part)) {
        bool has_kind = part.klass == HD_OPERAND_ENUM || part.klass == HD_OPERAND_MASK;

        if (count < room)
            out[count] = (heddle_operand){.kind = kind_of(&part),
                                          .at = part.at,
                                          .nwords = part.nwords,
                                          .bits = part.number.bits,
                                          .is_signed = part.number.number == HD_NUMBER_INT,
                                          .name = part.row->name,
                                          .category = has_kind ? hd_gram_kinds[part.kind].name : "",
                                          .value = value_of(&part, &inst)};
        count++;
    }
    return count;
}

/* ---- functions and entry points ------------------------------------------------------------ */

size_t heddle_view_function_count(const heddle_view *v)
{
    return v->m->function_count;
}

heddle_function heddle_view_function(const heddle_view *v, size_t index)
{
    const HdFunction *f = &v->m->functions[index];

    return (heddle_function){.id = f->id,
                             .result_type = f->result_type,
                             .type = f->type,
                             .word = f->word,
                             .end = f->end,
                             .parameter_count = f->param_count,
                             .block_count = f->block_count};
}

size_t heddle_view_entry_point_count(const heddle_view *v)
{
    return v->m->entry_count;
}

heddle_entry_point heddle_view_entry_point(const heddle_view *v, size_t index)
{
    const HdEntryPoint *e = &v->m->entries[index];

    return (heddle_entry_point){e->model, e->function, e->name};
}
