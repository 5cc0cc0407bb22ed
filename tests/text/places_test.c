/* tests/text/places_test.c -- where instructions begin in assembly text, and their words again.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "../launch/check.h"
#include "text/places.h"

/* `want`: line:column of each instruction. */
static void expect(Checks *c, const char *text, size_t len, const char *want)
{
    HdTextPlaces places = {0};
    HdStrbuf got = {0};

    CHECK(c, hd_text_places(text, len, &places));
    for (size_t i = 0; i < places.count; i++)
        hd_strbuf_printf(&got, "%s%u:%u", i > 0 ? " " : "", (unsigned)places.at[i].line,
                         (unsigned)places.at[i].column);
    CHECK(c, strcmp(hd_strbuf_text(&got), want) == 0);
    hd_strbuf_free(&got);
    HD_ARRAY_FREE(&places);
}

#define EXPECT(c, text, want) expect(c, text, sizeof text - 1, want)

static void test_places(Checks *c)
{
    EXPECT(c, "", "");
    EXPECT(c, "  ; OpNop\n", "");
    EXPECT(c, "OpNop OpNop\n\tOpNop ; OpNop", "1:1 1:7 2:2");
    EXPECT(c, "%1 = OpUndef %2\n %3\n=\nOpUndef %2", "1:1 2:2");
    EXPECT(c, "OpName %1 \"OpNop \\\" OpNop\nOpNop\" OpNop", "1:1 2:8");
    EXPECT(c, "OpName %1 a\\;b OpNop", "1:1 1:16"); /* an escaped character belongs to the word */
    EXPECT(c, "!7 !8\n!9", "1:1 2:1");
    EXPECT(c, "OpNop\n%Op = OpUndef", "1:1 2:1");
}

/* A NUL ends the text, wherever it is. */
static void test_nul(Checks *c)
{
    EXPECT(c, "OpNop\0OpNop", "1:1");
    EXPECT(c, ";\0\nOpNop", "");
    EXPECT(c, "\0", "");
    EXPECT(c, "OpName %1 \"\0\"\nOpNop", "1:1");
    EXPECT(c, "\xff\xfe;\0 \0O\0p\0", "");
}

static void test_words(Checks *c)
{
    static const char text[] = "OpNop\n%1 =  OpIAdd ; a\n\t%2 \"x ;\" %4\nOpNop";
    static const struct {
        uint32_t operand, mark, bytes;
    } marks[] = {{1, 12, 2}, {2, 15, 5}, {3, 21, 2}, {4, 0, 0}};
    static const char want[] = "%1 = OpIAdd %2 \"x ;\" %4";
    HdTextPlaces places = {0};

    CHECK(c, hd_text_places(text, sizeof text - 1, &places) && places.count == 3);
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        HdStrbuf got = {0};
        uint32_t mark, bytes;

        hd_text_place_words(text, sizeof text - 1, &places, 1, marks[i].operand, &got, &mark,
                            &bytes);
        CHECK(c, got.count == sizeof want - 1 && memcmp(got.at, want, got.count) == 0);
        CHECK(c, mark == marks[i].mark && bytes == marks[i].bytes);
        hd_strbuf_free(&got);
    }
    HD_ARRAY_FREE(&places);
}

int main(void)
{
    Checks c = {0};

    test_places(&c);
    test_nul(&c);
    test_words(&c);
    return checks_end(&c, "places_test");
}
