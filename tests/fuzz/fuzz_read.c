/* tests/fuzz/fuzz_read.c -- the module reader on any bytes, and everything that asks a module.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "module/cfg.h"
#include "module/constant.h"
#include "module/decoration.h"
#include "module/source.h"
#include "text/dis.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t answers; /* so that asking is not optimised away */

static void ask_ids(const HdModule *m)
{
    HdArena *a = hd_arena_open();
    uint64_t sum = 0;
    HdModes all = {0};

    if (a != NULL)
        (void)hd_module_find_modes(m, a, &all);
    for (HdId id = 0; id < m->bound && id < 2000; id++) {
        const HdType *t = hd_module_type(m, id);
        const HdConstant *c = hd_module_constant(m, id);
        uint64_t u;
        int64_t i;
        uint32_t modes[2];

        if (t != NULL)
            sum +=
                hd_type_size(t) + hd_type_lanes(t) + hd_type_stride(m, t) + hd_type_scalar(t)->bits;
        if (c != NULL && c->type != NULL && hd_type_size(c->type) < 4096) {
            unsigned char bytes[4096];

            sum += hd_constant_write(m, c, bytes, NULL, NULL);
        }
        sum += hd_module_constant_u64(m, id, &u) + hd_module_constant_i64(m, id, &i);
        for (HdDecorations x = hd_module_decorations(m, id); x.d != NULL; hd_decorations_step(&x))
            sum += hd_decoration_last(m, x.d) + x.member;
        sum += hd_module_function(m, id) != NULL;
        sum += hd_module_block(m, id);
        sum += hd_module_type_of(m, id) != NULL;
        sum += hd_module_extset(m, id);
        hd_module_execution_modes(m, &all, id, (const uint32_t[]){17, 31}, 2, modes);
        sum += modes[0] + modes[1];
    }
    hd_arena_drop(a);
    answers = sum;
}

/* Ids are told from other words as a walk of the operands tells them. */
static void compare_ids(const HdModule *m, const HdInst *in)
{
    HdOperandWalk walk;
    HdOperandPart part;
    uint32_t at = 1;

    hd_operands_start(&walk, &m->operand_types, in->w, in->nwords);
    while (hd_operands_next(&walk, &part)) {
        bool id = part.klass <= HD_OPERAND_SEMANTICS_ID;

        for (; at < part.at + part.nwords; at++)
            if (hd_inst_is_id(m, in, at) != (id && at >= part.at))
                abort();
    }
}

static void ask_insts(const HdModule *m)
{
    HdStrbuf text = {0};
    uint32_t word = HD_MODULE_FIRST_WORD;
    unsigned n = 0;

    for (HdInst in; hd_module_next(m, &word, &in) && n < 500; n++) {
        (void)hd_module_source(m, in.word);
        compare_ids(m, &in);
        text.count = 0;
        hd_text_inst(m, &in, NULL, SIZE_MAX, &text);
    }
    hd_strbuf_free(&text);
}

static void ask_functions(const HdModule *m, HdDiags *d)
{
    for (uint32_t i = 0; i < m->function_count && i < 50; i++) {
        HdArena *a = hd_arena_open();
        HdCfg *g;

        if (a != NULL && m->functions[i].block_count > 0)
            (void)hd_cfg_build(m, &m->functions[i], a, d, &g);
        hd_arena_drop(a);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    HdDiags d;
    HdModule *m;

    hd_diags_init(&d);
    if (hd_module_read_bytes(data, size, &d, &m) == HD_OK) {
        HdSpecialization spec = {1, 4, 12345, NULL};

        ask_ids(m);
        ask_insts(m);
        ask_functions(m, &d);
        if (hd_module_specialize(m, &spec, 1, &d) == HD_OK)
            ask_ids(m);
        hd_module_drop(m);
    } else if (d.errors == 0) {
        abort();
    }
    hd_diags_drop(&d);
    return 0;
}
