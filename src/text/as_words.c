/* text/as_words.c -- room for the words that assembly text becomes.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/memory.h"
#include "base/pages.h"
#include "text/as_state.h"

/* Enough to tell from how many words the whole text will make. */
#define FIRST_WORDS 16384u

size_t hd_as_expected(const HdAs *as, size_t count)
{
    double share = (double)(as->at - as->text + 1) / (double)(as->end - as->text + 1);

    return (size_t)((double)count / share);
}

uint32_t hd_as_next_room(const HdAs *as, uint32_t room, uint32_t index)
{
    uint64_t least = index + (uint64_t)1, expected = hd_as_expected(as, least);

    expected += expected / 16;
    if (room < FIRST_WORDS / 4 || expected > (uint64_t)room * 8)
        expected = (uint64_t)room * 2;
    if (least < room + room / 2)
        least = room + room / 2;
    if (least < 64)
        least = 64;
    return (uint32_t)(expected > least ? expected : least);
}

/* Bytes of text for a word, at least, in all but strange texts. */
#define FEW_BYTES 8u

/* Once more room is needed than for the first words, it is for all that the text will make if it
 * goes on as it began, and more: what is not written takes no memory. */
static HdStatus move_words(HdAs *as, size_t least)
{
    size_t expected = hd_as_expected(as, as->count);
    size_t most = as->count + (size_t)(as->end - as->at) / FEW_BYTES;
    size_t room = expected + expected / 16 > most ? expected + expected / 16 : most;
    uint32_t *bigger;

    room = room > least ? room : least;
    HD_TAKE(bigger, hd_pages_alloc(room * sizeof *bigger, expected * sizeof *bigger));
    memcpy(bigger, as->words, as->count * sizeof *bigger);
    hd_free(as->words);
    as->words = bigger;
    as->room = room;
    return HD_OK;
}

HdStatus hd_as_reserve(HdAs *as, size_t extra)
{
    size_t room = as->room;
    uint32_t *bigger;

    if (as->room - as->count >= extra)
        return HD_OK;
    while (room - as->count < extra)
        room = room < 1024 ? 1024 : room + room / 2;
    if (room > FIRST_WORDS && as->count >= FIRST_WORDS / 2)
        return move_words(as, room);
    HD_TAKE(bigger, hd_realloc(as->words, room * sizeof *bigger));
    as->words = bigger;
    as->room = room;
    return HD_OK;
}

HdStatus hd_as_push_more(HdAs *as, uint32_t word)
{
    HD_TRY(hd_as_reserve(as, 1));
    as->words[as->count++] = word;
    return HD_OK;
}
