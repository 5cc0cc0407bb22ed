/* tool/lines.c -- findings in a module that came as text get the text's lines.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/lines.h"

#include "text/places.h"

void hd_tool_place_lines(HdDiags *d, const char *text, size_t len, const uint32_t *words,
                         size_t nwords)
{
    HdTextPlaces places = {0};
    size_t word = 5, i = 0;

    if (words == NULL || d->count == 0 || !hd_text_places(text, len, &places)) {
        HD_ARRAY_FREE(&places);
        return;
    }
    /* Findings are in the order of the module but for the few without a place. */
    for (size_t k = 0; k < d->count; k++) {
        HdDiag *g = &d->at[k];

        if (g->word == HD_NO_PLACE || g->word < 5 || g->line != 0)
            continue;
        if (g->word < word) {
            word = 5;
            i = 0;
        }
        while (word < g->word && word < nwords && words[word] >> 16 != 0) {
            word += words[word] >> 16;
            i++;
        }
        if (word == g->word && i < places.count) {
            g->line = places.at[i].line;
            g->column = places.at[i].column;
        }
    }
    HD_ARRAY_FREE(&places);
}
