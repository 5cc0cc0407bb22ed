/* base/option.c -- the rows of base/option.h, looked up in the environment.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/option.h"

#include <stdlib.h>

typedef struct Row {
    const char *name, *meaning;
    uint64_t number;
} Row;

#define DEFAULT_number(x) (x)
#define DEFAULT_text(x)   0

static const Row rows[] = {
#define O(type, name, initial, meaning) {"HEDDLE_" #name, meaning, DEFAULT_##type(initial)},
    HD_OPTIONS(O)
#undef O
};

uint64_t hd_option_number(HdOption o)
{
    const char *text = getenv(rows[o].name);
    char *end;
    unsigned long long value;

    if (text == NULL || *text == '\0')
        return rows[o].number;
    value = strtoull(text, &end, 0);
    return *end == '\0' ? value : rows[o].number;
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
