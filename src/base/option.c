/* base/option.c -- the rows of base/option.h, looked up in the environment.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/option.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/near.h"

#define PREFIX "HEDDLE_"

typedef struct Row {
    const char *name, *meaning;
    uint64_t number;
    bool is_number;
    uint64_t few; /* bit n: n is valid; 0: every number is */
} Row;

#define NUMBER_number(x)  (x), true, 0
#define NUMBER_width(x)   (x), true, 1ull << 32 | 1 << 16 | 1 << 8 | 1 << 4 | 1 << 1 | 1
#define NUMBER_dim(x)     (x), true, 1 << 3 | 1 << 2 | 1 << 1 | 1
#define NUMBER_profile(x) (x), true, 1 << 2 | 1 << 1 | 1
#define NUMBER_text(x)    0, false, 0

static const Row rows[] = {
#define O(type, name, initial, meaning) {PREFIX #name, meaning, NUMBER_##type(initial)},
    HD_OPTIONS(O)
#undef O
};

static bool parse(const Row *row, const char *text, uint64_t *value)
{
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *value = strtoull(text, &end, 0);
    return *end == '\0' && errno == 0 &&
           (row->few == 0 || (*value < 64 && (row->few >> *value & 1) != 0));
}

uint64_t hd_option_number(HdOption o)
{
    const char *text = getenv(rows[o].name);
    uint64_t value;

    return text != NULL && parse(&rows[o], text, &value) ? value : rows[o].number;
}

bool hd_option_takes(HdOption o, const char *text)
{
    uint64_t value;

    return !rows[o].is_number || parse(&rows[o], text, &value);
}

/* A variable that has no row, but is near to one. */
static void complain_of_name(FILE *to, const char *name, size_t len)
{
    const size_t prefix = sizeof PREFIX - 1;
    HdNear near = hd_near_begin(name + prefix, len - prefix);

    for (const Row *r = rows; r < rows + HD_OPTION_COUNT; r++) {
        if (strlen(r->name) == len && memcmp(r->name, name, len) == 0)
            return;
        hd_near_try(&near, r->name + prefix);
    }
    if (near.name != NULL)
        fprintf(to, "heddle: %.*s is not a variable of Heddle; did you mean " PREFIX "%s?\n",
                (int)len, name, near.name);
}

void hd_option_complain(FILE *to)
{
    for (char **e = environ; e != NULL && *e != NULL; e++)
        if (strncmp(*e, PREFIX, sizeof PREFIX - 1) == 0 && strchr(*e, '=') != NULL)
            complain_of_name(to, *e, (size_t)(strchr(*e, '=') - *e));
    for (const Row *r = rows; r < rows + HD_OPTION_COUNT; r++) {
        const char *text = getenv(r->name);
        uint64_t value;

        if (r->is_number && text != NULL && *text != '\0' && !parse(r, text, &value))
            fprintf(to, "heddle: %s=%.80s is invalid; using %llu, the default. It is: %s\n",
                    r->name, text, (unsigned long long)r->number, r->meaning);
    }
}

const char *hd_option_text(HdOption o)
{
    const char *text = getenv(rows[o].name);

    return text != NULL ? text : "";
}

const char *hd_option_name(unsigned o)
{
    return o < HD_OPTION_COUNT ? rows[o].name : NULL;
}

const char *hd_option_meaning(unsigned o)
{
    return o < HD_OPTION_COUNT ? rows[o].meaning : NULL;
}
