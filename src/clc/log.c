/* clc/log.c -- the build log in the user's terms.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/log.h"

#include <stdbool.h>
#include <string.h>

static bool starts_with(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* Is this line of a note about the prelude? Source lines and carets below a message start with a
 * space. */
static bool is_of_note(const char *line, const char *end, bool last_was)
{
    static const char note[] = ": note: ";

    if (starts_with(line, "prelude.h:"))
        return memmem(line, (size_t)(end - line), note, strlen(note)) != NULL;
    return last_was && *line == ' ';
}

/* Functions of the prelude have the name that the program uses, with a prefix (clc/prelude.c). */
static const char *skip_prefix(const char *at)
{
    static const char prefix[] = "'heddle_";

    return starts_with(at, prefix) ? at + strlen(prefix) - 1 : at;
}

void hd_clc_tidy_log(HdStrbuf *log, size_t from)
{
    bool is_dropped = false;
    char *to;

    if (log->at == NULL || from >= log->count)
        return;
    to = log->at + from;
    for (const char *line = to, *end; *line != '\0'; line = end) {
        end = strchr(line, '\n');
        end = end != NULL ? end + 1 : line + strlen(line);
        is_dropped = is_of_note(line, end, is_dropped);
        for (const char *at = line; !is_dropped && at < end; at++) {
            const char *next = skip_prefix(at);

            *to++ = *at;
            if (next != at)
                at = next;
        }
    }
    *to = '\0';
    log->count = (size_t)(to - log->at);
}

/* ---- what a later version has ---------------------------------------------------------------- */

/* First letters of what OpenCL C 2.0 added. Spec: OpenCL C 3.1, "Changes to OpenCL". */
static bool is_of_2_0(const char *name)
{
    static const char *const starts[] = {
        "atomic_comp",   "atomic_exch",    "atomic_f",    "atomic_init",  "atomic_load",
        "atomic_store",  "atomic_uint",    "atomic_work", "clk_event_t",  "enqueue_",
        "get_enqueued_", "get_global_lin", "get_kernel_", "get_sub_",     "memory_",
        "ndrange_",      "queue_t",        "read_pipe",   "reserve_id_t", "sub_group_",
        "to_global",     "to_local",       "to_priv",     "work_group_b", "work_group_r",
        "work_group_s"};

    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (starts_with(name, starts[i]))
            return true;
    return false;
}

/* The name that such a message is about; NULL where there is none. */
static const char *find_missing(const char *text)
{
    static const char *const messages[] = {"use of undeclared identifier '", "unknown type name '",
                                           "implicit declaration of function '"};

    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        for (const char *at = text; (at = strstr(at, messages[i])) != NULL;) {
            at += strlen(messages[i]);
            if (is_of_2_0(at))
                return at;
        }
    return NULL;
}

void hd_clc_hint_version(HdStrbuf *log, size_t from)
{
    const char *name = log->at != NULL && from < log->count ? find_missing(log->at + from) : NULL;
    char copy[64];
    size_t len;

    if (name == NULL)
        return;
    len = strcspn(name, "'");
    if (len >= sizeof copy)
        return;
    memcpy(copy, name, len);
    copy[len] = '\0';
    hd_strbuf_printf(log,
                     "heddle: '%s' came with OpenCL C 2.0, and a source is OpenCL C 1.2 where no "
                     "option says otherwise: build with -cl-std=CL3.0\n",
                     copy);
}
