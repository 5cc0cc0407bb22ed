/* text/dis_put.c -- the text that the disassembler makes: room for it, strings, numbers, names.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "text/decimal.h"
#include "text/dis_put.h"

char *hd_dis_more_room(HdStrbuf *out, size_t bytes)
{
    size_t room;
    char *bigger;

    if (out->failed)
        return NULL;
    room = out->count + bytes + 256;
    if (room < out->room + out->room / 2)
        room = out->room + out->room / 2;
    bigger = hd_realloc(out->at, room);
    if (bigger == NULL) {
        out->failed = true;
        return NULL;
    }
    out->at = bigger;
    out->room = room;
    return out->at + out->count;
}

void hd_dis_put(HdDis *dis, const char *s, size_t len)
{
    char *to = hd_dis_room(dis->out, len);

    if (to != NULL) {
        hd_copy_text(to, s, len);
        dis->out->count += len;
    }
}

void hd_dis_put_spaces(HdDis *dis, size_t count)
{
    static const char sixteen[] = "                ";
    char *to = hd_dis_room(dis->out, count + 16);

    if (to == NULL)
        return;
    for (size_t at = 0; at < count; at += 16) /* instead of a call: they are few */
        memcpy(to + at, sixteen, 16);
    dis->out->count += count;
}

void hd_dis_put_u32(HdDis *dis, uint32_t value)
{
    char *to = hd_dis_room(dis->out, 10);

    if (to != NULL)
        dis->out->count += hd_decimal_print_u32(to, value);
}

const char *hd_dis_name(const HdDis *dis, uint32_t id, char guessed[HD_DIS_GUESS], uint32_t *len)
{
    const char *s = NULL;

    *len = 0;
    if (dis->names != NULL) {
        s = hd_names_find(dis->names, id, len);
    } else if (dis->m != NULL) {
        s = guessed;
        *len = (uint32_t)hd_names_guess(dis->m, dis->guesses, id, guessed, HD_DIS_GUESS);
    }
    return s != NULL ? s : "";
}
