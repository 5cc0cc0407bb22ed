/* clc/cycles.c -- variables at program scope that point to themselves.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/cycles.h"

#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/map.h"
#include "clc/text.h"

typedef enum State { UNSEEN, OPEN, DONE } State;

/* `@name = constant { ptr, i32 } { ptr @other, i32 3 }`. */
typedef struct Variable {
    HdClcText name, rest; /* rest: what has not been looked at */
    size_t from;          /* which one led here */
    State state;
} Variable;

typedef struct Search {
    HdArena *a;
    HD_ARRAY(Variable) all;
    HdMap by_name; /* the position of a variable, and 1 */
    bool failed;
} Search;

static HdClcText name_at(const char *at, const char *end)
{
    HdClcText name = {at, at + 1};

    if (name.end < end && *name.end == '"') {
        for (name.end++; name.end < end && *name.end != '"';)
            name.end++;
        name.end += name.end < end;
        return name;
    }
    while (name.end < end && memchr(",() }]", *name.end, 6) == NULL)
        name.end++;
    return name;
}

static uint64_t key_of(HdClcText name)
{
    return hd_hash_bytes(name.at, (size_t)(name.end - name.at), 0);
}

static void read_variables(Search *s, const char *text)
{
    HdClcText line;

    for (const char *p = text; hd_clc_next_line(&p, &line);) {
        Variable v = {0};

        if (*line.at != '@')
            continue;
        v.name = name_at(line.at, line.end);
        v.rest = (HdClcText){v.name.end, line.end};
        if (!HD_PUSH(NULL, &s->all, v) ||
            !hd_map_put(s->a, &s->by_name, key_of(v.name), s->all.count))
            s->failed = true;
    }
}

/* The next variable that this one's start value names; false: there is no further one. */
static bool next_named(Search *s, Variable *v, size_t *index)
{
    const char *at;
    uint64_t found;

    while ((at = memchr(v->rest.at, '@', (size_t)(v->rest.end - v->rest.at))) != NULL) {
        HdClcText name = name_at(at, v->rest.end);

        v->rest.at = name.end;
        if (hd_map_get(&s->by_name, key_of(name), &found)) {
            *index = (size_t)found - 1;
            return true;
        }
    }
    return false;
}

/* From `start` on: the variable that closes a cycle, whose `from` leads around it. False: none. */
static bool find_cycle(Search *s, size_t start, size_t *last)
{
    size_t at = start, next;

    s->all.at[start].state = OPEN;
    for (;;) {
        Variable *v = &s->all.at[at];

        if (next_named(s, v, &next)) {
            Variable *n = &s->all.at[next];

            if (n->state == OPEN) {
                n->from = at;
                *last = next;
                return true;
            }
            if (n->state == UNSEEN) {
                n->state = OPEN;
                n->from = at;
                at = next;
            }
            continue;
        }
        v->state = DONE;
        if (at == start)
            return false;
        at = v->from;
    }
}

#define MOST_NAMES 8u

static void tell(const Search *s, size_t first, HdStrbuf *log)
{
    size_t at = first;

    hd_strbuf_add(log, "heddle: start values at program scope point to themselves: ");
    for (unsigned i = 0; i < MOST_NAMES; i++) {
        const HdClcText name = s->all.at[at].name;

        hd_strbuf_printf(log, "%s%.*s", i > 0 ? ", in " : "", (int)(name.end - name.at) - 1,
                         name.at + 1);
        at = s->all.at[at].from;
        if (at == first)
            break;
    }
    hd_strbuf_add(log, at == first ? "" : " …");
    hd_strbuf_add(log,
                  ". SPIR-V has no form for that, and the compiler crashed. Indexes in place of "
                  "pointers, or pointers that a kernel sets in global memory, do\n");
}

bool hd_clc_explain_cycle(const char *text, HdStrbuf *log)
{
    Search s = {.a = hd_arena_open()};
    bool found = false;
    size_t last = 0;

    if (s.a == NULL)
        return false;
    read_variables(&s, text);
    for (size_t i = 0; i < s.all.count && !found && !s.failed; i++)
        found = s.all.at[i].state == UNSEEN && find_cycle(&s, i, &last);
    if (found)
        tell(&s, last, log);
    HD_ARRAY_FREE(&s.all);
    hd_arena_drop(s.a);
    return found;
}
