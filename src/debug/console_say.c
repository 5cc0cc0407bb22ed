/* debug/console_say.c -- what the console's commands say, read and ask for alike.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "debug/console_state.h"

void hd_console_say(HdConsole *c, const char *fmt, ...)
{
    HdStrbuf words = {0};
    va_list args;

    hd_debug_words(c->d, fmt, &words); /* not in what is said of the program: its names stay */
    va_start(args, fmt);
    hd_strbuf_vprintf(&c->out, hd_strbuf_text(&words), args);
    va_end(args);
    hd_strbuf_free(&words);
}

bool hd_console_ids(const char *text, uint64_t ids[3])
{
    for (unsigned i = 0; i < 3; i++) {
        char *end;

        ids[i] = 0;
        if (*text == '\0' && i > 0)
            continue;
        text += strspn(text, " (");
        if (*text < '0' || *text > '9')
            return false;
        ids[i] = strtoull(text, &end, 10);
        text = end + strspn(end, " )");
        if (*text == ',')
            text++;
        else if (*text != '\0')
            return false;
    }
    return *text == '\0';
}

bool hd_console_frame(HdConsole *c, HdDebugFrame *f)
{
    HdDebugFrame frames[HD_DEBUG_FRAMES];
    uint32_t count = hd_debug_frames(c->d, hd_debug_focus(c->d), frames);

    if (count == 0) {
        hd_console_say(c, "the work-item has ended\n");
        return false;
    }
    *f = frames[c->frame < count ? c->frame : count - 1];
    return true;
}
