/* text/dis.c -- a module from words to assembly text.
 *
 * SPDX-License-Identifier: MIT
 */
#include "text/dis.h"

#include "text/dis_put.h"
#include "text/generator.h"

static uint32_t swapped(uint32_t x)
{
    return x >> 24 | (x >> 8 & 0xff00u) | (x << 8 & 0xff0000u) | x << 24;
}

static void put_header(HdDis *dis)
{
    const uint32_t *w = dis->words;
    const char *tool = hd_text_generator(w[2] >> 16);

    hd_dis_put_string(dis, "; SPIR-V\n; Version: ");
    hd_dis_put_u32(dis, w[1] >> 16 & 0xff);
    hd_dis_put_string(dis, ".");
    hd_dis_put_u32(dis, w[1] >> 8 & 0xff);
    hd_dis_put_string(dis, "\n; Generator: ");
    if (tool != NULL) {
        hd_dis_put_string(dis, tool);
    } else {
        hd_dis_put_string(dis, "Unknown(");
        hd_dis_put_u32(dis, w[2] >> 16);
        hd_dis_put_string(dis, ")");
    }
    hd_dis_put_string(dis, "; ");
    hd_dis_put_u32(dis, w[2] & 0xffff);
    hd_dis_put_string(dis, "\n; Bound: ");
    hd_dis_put_u32(dis, w[3]);
    hd_dis_put_string(dis, "\n; Schema: ");
    hd_dis_put_u32(dis, w[4]);
    hd_dis_put_string(dis, "\n");
}

static HdStatus disassemble(HdDis *dis)
{
    bool by_block = dis->o.nested_indent || dis->o.reorder_blocks;
    HdStatus st = HD_OK;
    HdNames *names = NULL;

    dis->types.limit = hd_operand_id_limit(dis->nwords);
    if (dis->words[3] < dis->nwords)
        hd_operand_types_reserve(&dis->types, dis->words[3]);
    if (!dis->o.raw_ids) {
        HD_TRY(hd_names_open(dis->words, dis->nwords, &names));
        dis->names = names;
    }
    if (!dis->o.no_header)
        put_header(dis);
    for (size_t word = 5; word < dis->nwords && st == HD_OK;) {
        if (by_block && (dis->words[word] & 0xffff) == SpvOpFunction) {
            st = hd_dis_function(dis, &word);
        } else {
            st = hd_dis_inst(dis, word);
            word += dis->words[word] >> 16;
        }
    }
    if (st == HD_OK && dis->o.flush != NULL)
        st = dis->o.flush(dis->o.user, dis->out);
    hd_names_close(names);
    return st;
}

HdStatus hd_text_disassemble(const uint32_t *words, size_t nwords, const HdDisOptions *options,
                             HdDiags *d, HdStrbuf *out)
{
    HdDis dis = {.words = words, .nwords = nwords, .d = d, .out = out, .most = SIZE_MAX};
    uint32_t *own = NULL;
    char *end;
    HdStatus st;

    if (options != NULL)
        dis.o = *options;
    if (nwords > 0 && words[0] != SpvMagicNumber && swapped(words[0]) != SpvMagicNumber)
        return hd_fail(d, HD_BAD_INPUT, 0, "dis.magic",
                       "the first word is 0x%08x, which is not SPIR-V's magic number",
                       (unsigned)words[0]);
    if (nwords < 5)
        return hd_fail(d, HD_BAD_INPUT, 0, "dis.header",
                       "a module has at least five words, this one has %zu", nwords);
    if (words[0] != SpvMagicNumber) {
        HD_TAKE(own, nwords <= SIZE_MAX / sizeof *own ? hd_alloc(nwords * sizeof *own) : NULL);
        for (size_t i = 0; i < nwords; i++)
            own[i] = swapped(words[i]);
        dis.words = own;
    }
    st = disassemble(&dis);
    end = hd_dis_room(out, 1);
    if (end != NULL)
        *end = '\0';
    else if (st == HD_OK)
        st = HD_NO_MEMORY;
    hd_operand_types_free(&dis.types);
    hd_free(dis.defined);
    hd_dis_comments_free(&dis);
    hd_free(own);
    return st;
}
