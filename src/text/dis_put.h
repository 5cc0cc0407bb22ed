/* text/dis_put.h -- text at the end of what the disassembler has written.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TEXT_DIS_PUT_H
#define HD_TEXT_DIS_PUT_H

#include <string.h>

#include "text/dis_state.h"

/* Room for `bytes` more at the end of the text; NULL (and out->failed) without memory. */
char *hd_dis_more_room(HdStrbuf *out, size_t bytes);
static inline char *hd_dis_room(HdStrbuf *out, size_t bytes)
{
    return out->room - out->count > bytes && !out->failed ? out->at + out->count
                                                          : hd_dis_more_room(out, bytes);
}
void hd_dis_put(HdDis *dis, const char *s, size_t len);
void hd_dis_put_spaces(HdDis *dis, size_t count);
void hd_dis_put_u32(HdDis *dis, uint32_t value);
static inline void hd_dis_put_string(HdDis *dis, const char *s)
{
    hd_dis_put(dis, s, strlen(s));
}
/* The name of an id, "" when it is called by its number. `guessed` is room for one that is made. */
#define HD_DIS_GUESS 200
const char *hd_dis_name(const HdDis *dis, uint32_t id, char guessed[HD_DIS_GUESS], uint32_t *len);

#endif
