/* text/dis_comment.c -- the disassembler's comments: headings of sections, byte offsets, and
 * decorations after the definition of an id.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "text/dis_put.h"

#define COLUMN   50  /* comments are here or further right, at multiples of 4 */
#define FARTHEST 256 /* later lines do not align with a comment beyond this column */

static bool is_debug(enum HdOpix opix)
{
    switch ((int)opix) {
    case HD_OPIX_Name:
    case HD_OPIX_MemberName:
    case HD_OPIX_Source:
    case HD_OPIX_SourceContinued:
    case HD_OPIX_SourceExtension:
    case HD_OPIX_String:
    case HD_OPIX_Line:
    case HD_OPIX_NoLine:
    case HD_OPIX_ModuleProcessed: return true;
    default: return false;
    }
}

static void put_heading(HdDis *dis, const char *text)
{
    hd_dis_put_string(dis, "\n");
    hd_dis_put_spaces(dis, dis->o.indent ? HD_DIS_COLUMN : 0);
    hd_dis_put_string(dis, text);
}

void hd_dis_heading(HdDis *dis, const HdGramInst *g, enum HdOpix opix, const uint32_t *w)
{
    char guessed[HD_DIS_GUESS];
    uint32_t len;
    const char *s;

    if (opix == HD_OPIX_Function) {
        if (dis->o.nested_indent)
            hd_dis_put_string(dis, "\n");
        put_heading(dis, "; Function ");
        s = hd_dis_name(dis, w[2], guessed, &len);
        if (len > 0)
            hd_dis_put(dis, s, len);
        else
            hd_dis_put_u32(dis, w[2]);
        hd_dis_put_string(dis, "\n");
    } else if (g->klass == HD_CLASS_Annotation && opix != HD_OPIX_DecorationGroup &&
               !dis->in_annotations) {
        dis->in_annotations = true;
        put_heading(dis, "; Annotations\n");
    } else if (is_debug(opix) && !dis->in_debug) {
        dis->in_debug = true;
        put_heading(dis, "; Debug Information\n");
    } else if (g->has_result && !dis->in_types && strncmp(g->name, "OpType", 6) == 0) {
        dis->in_types = true;
        put_heading(dis, "; Types, variables and constants\n");
    }
}

/* Remember the decoration of an OpDecorate, which is its text after the target. */
static HdStatus note_decoration(HdDis *dis, uint32_t id)
{
    HdStrbuf *note;
    uint64_t index;

    if (dis->arena == NULL)
        HD_TAKE(dis->arena, hd_arena_open());
    if (!hd_map_get(&dis->noted, id, &index)) {
        HdStrbuf empty = {0};

        HD_TRY_PUSH(NULL, &dis->notes, empty);
        index = dis->notes.count;
        if (!hd_map_put(dis->arena, &dis->noted, id, index))
            return HD_NO_MEMORY;
    }
    note = &dis->notes.at[index - 1];
    if (note->count > 0)
        hd_strbuf_add(note, ", ");
    hd_strbuf_add_bytes(note, dis->out->at + dis->second, dis->out->count - dis->second);
    return note->failed ? HD_NO_MEMORY : HD_OK;
}

/* Characters of the line that begins at `line`, without terminal escapes. */
static size_t visible(const HdDis *dis, size_t line)
{
    size_t n = 0;

    for (size_t i = line; i < dis->out->count; i++) {
        if (dis->out->at[i] == '\x1b') {
            while (i < dis->out->count && dis->out->at[i] != 'm')
                i++;
            continue;
        }
        n++;
    }
    return n;
}

/* "; " at the column of the comments of neighbouring lines. */
static void begin_comment(HdDis *dis, size_t line)
{
    size_t length = visible(dis, line), column = length + 2;

    if (column < dis->alignment)
        column = dis->alignment;
    if (column < COLUMN)
        column = COLUMN;
    column = (column + 3) & ~(size_t)3;
    dis->alignment = column < FARTHEST ? column : FARTHEST;
    hd_dis_put_spaces(dis, column - length);
    hd_dis_put_string(dis, "; ");
}

HdStatus hd_dis_comment(HdDis *dis, enum HdOpix opix, const uint32_t *w, size_t word, size_t line)
{
    const HdGramInst *g = &hd_gram_insts[opix];
    const char *between = "";
    bool has_note, has_name = dis->o.comments && opix == HD_OPIX_Name;
    uint64_t note = 0;

    if (dis->out->failed)
        return HD_NO_MEMORY;
    if (dis->o.comments && opix == HD_OPIX_Decorate)
        HD_TRY(note_decoration(dis, w[1]));
    has_note =
        dis->o.comments && g->has_result && hd_map_get(&dis->noted, w[1 + g->has_type], &note);
    if (!dis->o.offsets && !has_name && !has_note) {
        dis->alignment = 0;
        return HD_OK;
    }
    begin_comment(dis, line);
    if (dis->o.offsets) {
        char text[32];

        snprintf(text, sizeof text, "0x%08zx", word * 4);
        if (dis->o.colour)
            hd_dis_put_string(dis, "\x1b[1;30m");
        hd_dis_put_string(dis, text);
        if (dis->o.colour)
            hd_dis_put_string(dis, "\x1b[0m");
        between = ", ";
    }
    if (has_name) {
        hd_dis_put_string(dis, between);
        hd_dis_put_string(dis, "id %");
        hd_dis_put_u32(dis, w[1]);
        between = ", ";
    }
    if (has_note) {
        hd_dis_put_string(dis, between);
        hd_dis_put(dis, dis->notes.at[note - 1].at, dis->notes.at[note - 1].count);
    }
    return HD_OK;
}

void hd_dis_comments_free(HdDis *dis)
{
    for (size_t i = 0; i < dis->notes.count; i++)
        hd_strbuf_free(&dis->notes.at[i]);
    HD_ARRAY_FREE(&dis->notes);
    hd_arena_drop(dis->arena);
}
