/* text/names.c -- friendly names of a module's ids.
 *
 * One pass over the instructions, as names depend on the order in which ids get theirs. Ids named
 * by their number take that name too, so a name that is all digits can clash with them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "text/names.h"

#include <stdio.h>
#include <stddef.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/pages.h"
#include "module/operands.h"
#include "text/literal.h"

/* Names made out of other names stop growing here: types that contain each other by the thousand
 * would make text of quadratic or exponential length. */
#define MAX_DERIVED 2000u
#define NUMBERED    HD_NAME_NUMBERED
/* ... and all the long ones together at this and half the module. */
#define LONG_DERIVED    32u
#define MIN_DERIVED_ALL 65536u

typedef struct HdName Name;

/* A name in the making; too long ones are given up. */
#define MAKING_ROOM (MAX_DERIVED + 64u)
typedef struct Making {
    char *text; /* MAKING_ROOM bytes */
    size_t len;
    bool over;
    char literal[HD_LITERAL_MAX]; /* a constant's printed value */
    size_t literal_len;
} Making;

/* A made name whose slot is on its way from memory. */
typedef struct Waiting {
    uint32_t id, hash;
    uint8_t len, literal_len;
    char text[LONG_DERIVED], literal[HD_LITERAL_MAX];
} Waiting;
#define MOST_WAITING 8u

struct HdNames {
    HdNameTable t;
    uint32_t limit; /* ids from limit on have no names */
    size_t pool_count, pool_room;
    uint32_t *slots;  /* hash table of id + 1, by name, with the hash's upper bits above it; ids
                         called  by number are not in it */
    uint32_t id_mask; /* of a slot */
    uint32_t slot_count, slot_room;
    uint32_t first_room;  /* how many slots to begin with; 0: nothing is known */
    uint32_t digit_names; /* names in the table that spell a number */
    HdOperandTypes types;
    HdArena *arena;      /* of `next` */
    HdMap next;          /* hash of a base name to the next number to append */
    size_t derived_left; /* bytes that long names made out of others may still have */
    unsigned waiting_count;
    bool has_waiting_constants;
    bool failed;
    const HdModule *m; /* guessing: names are created here on demand */
    unsigned depth;
    Waiting waiting[MOST_WAITING]; /* last: guessing has no use for it */
};

/* ---- the table ----------------------------------------------------------------------------- */

/* Seeded with an address, so that a module cannot be made to collide. */
static uint32_t hash_name(const HdNames *n, const char *s, size_t len)
{
    return (uint32_t)hd_hash_name(s, len, (uint64_t)(uintptr_t)n);
}

static bool reserve_id(HdNames *n, uint32_t id)
{
    uint32_t room = n->t.room < 256 ? 256 : n->t.room;
    Name *bigger;

    if (id < n->t.room)
        return true;
    if (id >= n->limit)
        return false;
    while (room <= id)
        room *= 2;
    bigger = hd_realloc(n->t.of, (size_t)room * sizeof *bigger);
    if (bigger == NULL) {
        n->failed = true;
        return false;
    }
    memset(bigger + n->t.room, 0, (size_t)(room - n->t.room) * sizeof *bigger);
    n->t.of = bigger;
    n->t.room = room;
    return true;
}

/* What a slot keeps of a hash, in which names that differ in their last digit differ, too: their
 * slots are neighbours. */
static uint32_t tag_of(const HdNames *n, uint32_t hash)
{
    return hash * 0x9e3779b1u & ~n->id_mask;
}

static void put_slot(const HdNames *n, uint32_t *slots, uint32_t room, uint32_t hash, uint32_t id)
{
    size_t at = hash;

    while (slots[at & (room - 1)] != 0)
        at++;
    slots[at & (room - 1)] = tag_of(n, hash) | (id + 1);
}

static bool grow_slots(HdNames *n)
{
    uint32_t room = n->slot_room != 0 ? n->slot_room * 2 : n->first_room != 0 ? n->first_room : 256;
    size_t bytes = (size_t)room * sizeof(uint32_t);
    uint32_t *bigger = hd_pages_alloc(bytes, bytes);

    if (bigger == NULL)
        return false;
    memset(bigger, 0, bytes);
    for (uint32_t i = 0; i < n->slot_room; i++) {
        uint32_t id = (n->slots[i] & n->id_mask) - 1;
        const Name *name;

        if (n->slots[i] == 0)
            continue;
        name = &n->t.of[id];
        put_slot(n, bigger, room, hash_name(n, n->t.pool + name->at, name->len), id);
    }
    hd_free(n->slots);
    n->slots = bigger;
    n->slot_room = room;
    return true;
}

/* The id that a canonical decimal number spells, 0 for all other text. */
static uint32_t number_of(const char *s, size_t len)
{
    uint32_t v = 0;

    if (len == 0 || len > 9 || s[0] == '0')
        return 0;
    for (size_t i = 0; i < len; i++) {
        if (s[i] < '0' || s[i] > '9')
            return 0;
        v = v * 10 + (uint32_t)(s[i] - '0');
    }
    return v;
}

static bool is_used(const HdNames *n, const char *s, size_t len, uint32_t hash)
{
    uint32_t number = number_of(s, len), tag = tag_of(n, hash);

    if (number != 0 && number < n->t.room && n->t.of[number].len != 0 &&
        n->t.of[number].at == NUMBERED)
        return true;
    if (n->slot_room == 0 || (number != 0 && n->digit_names == 0))
        return false;
    for (size_t at = hash;; at++) {
        uint32_t slot = n->slots[at & (n->slot_room - 1)];
        const Name *name;

        if (slot == 0)
            return false;
        if ((slot & ~n->id_mask) != tag)
            continue;
        name = &n->t.of[(slot & n->id_mask) - 1];
        if (name->len == len && hd_same_text(n->t.pool + name->at, s, len))
            return true;
    }
}

/* Space for a name of `len` bytes, followed by a number and a literal, at the end of the pool; NULL
 * without memory. Names are built in place. */
static char *draft(HdNames *n, size_t len)
{
    size_t need = len + 24 + HD_LITERAL_MAX;

    if (n->pool_room - n->pool_count < need) {
        size_t room = n->pool_room + n->pool_room / 2 + need + 4096;
        char *bigger = room < NUMBERED ? hd_realloc(n->t.pool, room) : NULL;

        if (bigger == NULL) {
            n->failed = true;
            return NULL;
        }
        n->t.pool = bigger;
        n->pool_room = room;
    }
    return n->t.pool + n->pool_count;
}

/* Give id the unused name that was drafted. */
static void keep_draft(HdNames *n, uint32_t id, size_t len, uint32_t hash)
{
    if (n->slot_count * 2 >= n->slot_room && !grow_slots(n)) {
        n->failed = true;
        return;
    }
    n->digit_names += number_of(n->t.pool + n->pool_count, len) != 0;
    n->t.of[id] = (Name){(uint32_t)n->pool_count, (uint32_t)len & 0x7fffff, 0, 0};
    n->pool_count += len;
    put_slot(n, n->slots, n->slot_room, hash, id);
    n->slot_count++;
}

/* Characters allowed in the name of an id. */
static char fit_char(char c)
{
    bool fine = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

    return fine ? c : '_';
}

static void fit(char *s, size_t len)
{
    for (size_t i = 0; i < len; i++)
        s[i] = fit_char(s[i]);
}

/* Name id by the draft of `len` bytes, made unique with a number after it. */
static void save_hashed(HdNames *n, uint32_t id, size_t len, uint32_t hash)
{
    char *s = n->t.pool + n->pool_count;
    uint64_t *index;

    if (!reserve_id(n, id) || n->t.of[id].len != 0)
        return;
    if (!is_used(n, s, len, hash)) {
        if (number_of(s, len) == id)
            n->t.of[id] = (Name){NUMBERED, 1, 0, 0};
        else
            keep_draft(n, id, len, hash);
        return;
    }
    /* Names are only ever added, so the search continues where it last ended for this base. */
    s[len++] = '_';
    index = hd_map_at(n->arena, &n->next, hd_hash_name(s, len, (uint64_t)(uintptr_t)n));
    n->failed |= index == NULL;
    while (!n->failed) {
        size_t more = hd_decimal_print_u32(s + len, (uint32_t)(*index)++);

        hash = hash_name(n, s, len + more);
        if (is_used(n, s, len + more, hash))
            continue;
        keep_draft(n, id, len + more, hash);
        return;
    }
}

static void save_draft(HdNames *n, uint32_t id, size_t len)
{
    char *s = n->t.pool + n->pool_count;

    if (len == 0)
        s[len++] = '_';
    save_hashed(n, id, len, hash_name(n, s, len));
}

static void save(HdNames *n, uint32_t id, const char *s)
{
    size_t len = strlen(s);
    char *to = draft(n, len);

    if (to == NULL)
        return;
    memcpy(to, s, len);
    save_draft(n, id, len);
}

static void save_number(HdNames *n, uint32_t id)
{
    char digits[16];
    size_t len;

    if (!reserve_id(n, id) || n->t.of[id].len != 0)
        return;
    len = n->digit_names != 0 ? hd_decimal_print_u32(digits, id) : 0;
    if (len == 0 || !is_used(n, digits, len,
                             hash_name(n, digits, len))) { /* no name is a number but an id's own */
        n->t.of[id] = (Name){NUMBERED, 1, 0, 0};
        return;
    }
    digits[len] = '\0';
    save(n, id, digits);
}

/* ---- making names -------------------------------------------------------------------------- */

static void add(Making *m, const char *s, size_t len)
{
    if (m->len + len > MAX_DERIVED) {
        m->over = true;
        return;
    }
    hd_copy_text(m->text + m->len, s, len);
    m->len += len;
}

static void add_string(Making *m, const char *s)
{
    add(m, s, strlen(s));
}

static void add_number(Making *m, uint32_t value)
{
    char digits[16];

    add(m, digits, hd_decimal_print_u32(digits, value));
}

static size_t guess(HdNames *n, uint32_t id, char *out, size_t room);

static void add_id(Making *m, HdNames *n, uint32_t id)
{
    uint32_t len;
    const char *s;

    if (n->m != NULL && m->len + 200 < MAX_DERIVED) {
        size_t got = guess(n, id, m->text + m->len, 200);

        m->len += got;
        if (got == 0)
            add_number(m, id);
        return;
    }
    s = hd_names_find(n, id, &len);
    if (s != NULL)
        add(m, s, len);
    else
        add_number(m, id);
}

static void add_enumerant(Making *m, uint16_t kind, uint32_t value)
{
    const HdEnumerant *e = hd_gram_enumerant(kind, value);

    if (e != NULL)
        add_string(m, e->name);
    else
        add_number(m, value);
}

/* A literal string's bytes, in the form allowed in a name, up to its NUL or the end of the
 * words. */
static size_t string_bytes(const uint32_t *w, uint32_t nwords, char *out, size_t room)
{
    size_t n = 0;

    while (n < room && n / 4 < nwords) {
        char c = (char)(w[n / 4] >> 8 * (n % 4));

        if (c == '\0')
            break;
        out[n++] = fit_char(c);
    }
    return n;
}

/* Behind the name that was saved last, if there is one. */
static void save_literal(HdNames *n, uint32_t id, const char *literal, size_t len)
{
    Name *name = &n->t.of[id];
    char *end = n->t.pool + n->pool_count;

    name->literal = len & 0xff;
    name->is_tail = name->len >= len && memcmp(end - len, literal, len) == 0;
    if (name->is_tail)
        return; /* as of most integers */
    hd_copy_text(end, literal, len);
    n->pool_count += len;
}

static void save_making(HdNames *n, uint32_t id, const Making *m)
{
    bool long_one = m->len > LONG_DERIVED;
    size_t before = n->pool_count;

    if (m->over || (long_one && m->len > n->derived_left)) {
        save_number(n, id);
        return;
    }
    n->derived_left -= long_one ? m->len : 0;
    save_draft(n, id, m->len);
    if (n->pool_count != before) /* the name is new */
        save_literal(n, id, m->literal, m->literal_len);
}

/* Generated short names are queued, a few at a time, until their prefetched slots have arrived.
 * Names assigned meanwhile do not depend on them. */
static void let_wait(HdNames *n, uint32_t id, const Making *m, bool is_constant)
{
    Waiting *w = &n->waiting[n->waiting_count++];

    n->has_waiting_constants |= is_constant;

    w->id = id;
    w->hash = hash_name(n, m->text, m->len);
    w->len = (uint8_t)m->len;
    w->literal_len = (uint8_t)m->literal_len;
    if (n->slot_room != 0)
        __builtin_prefetch(&n->slots[w->hash & (n->slot_room - 1)]);
    memcpy(w->text, m->text, sizeof w->text);
    memcpy(w->literal, m->literal, sizeof w->literal);
}

static void name_waiting(HdNames *n)
{
    for (unsigned i = 0; i < n->waiting_count; i++) {
        const Waiting *w = &n->waiting[i];
        size_t before = n->pool_count;
        char *to = draft(n, sizeof w->text);

        if (to == NULL)
            break;
        memcpy(to, w->text, sizeof w->text);
        save_hashed(n, w->id, w->len, w->hash);
        if (n->pool_count != before)
            save_literal(n, w->id, w->literal, w->literal_len);
    }
    n->waiting_count = 0;
    n->has_waiting_constants = false;
}

static void name_int(Making *m, const uint32_t *w)
{
    if (w[3] == 0)
        add_string(m, "u");
    switch (w[2]) {
    case 8: add_string(m, "char"); break;
    case 16: add_string(m, "short"); break;
    case 32: add_string(m, "int"); break;
    case 64: add_string(m, "long"); break;
    default:
        if (w[3] != 0)
            add_string(m, "i");
        add_number(m, w[2]);
    }
}

static void name_float(Making *m, const uint32_t *w, uint32_t nwords)
{
    uint8_t encoding = nwords > 3 ? hd_number_encoding(w[3]) : HD_ENCODING_IEEE;

    switch (encoding) {
    case HD_ENCODING_BFLOAT16: add_string(m, "bfloat16"); return;
    case HD_ENCODING_E4M3: add_string(m, "fp8e4m3"); return;
    case HD_ENCODING_E5M2: add_string(m, "fp8e5m2"); return;
    default: break;
    }
    switch (w[2]) {
    case 16: add_string(m, "half"); break;
    case 32: add_string(m, "float"); break;
    case 64: add_string(m, "double"); break;
    default: add_string(m, "fp"); add_number(m, w[2]);
    }
}

/* A literal in the form allowed in a name: it consists of digits, letters and '+', '-', '.', whose
 * codes are lower. Eight at a time: what follows the literal does not matter. */
static void fit_literal(char *text, const char literal[HD_LITERAL_MAX], size_t len)
{
    const uint64_t ones = 0x0101010101010101u, highs = ones * 0x80;

    for (size_t at = 0; at < len; at += 8) {
        uint64_t x, minus, other;

        memcpy(&x, literal + at, 8);
        other = ~((x | highs) - ones * '0') & highs; /* below '0' */
        minus = ~(((x ^ ones * '-') & ~highs) + ones * 0x7f) & highs;
        other = (other >> 7) * 0xff;
        minus = (minus >> 7) * 0xff;
        x = (x & ~other) | (ones * '_' & other & ~minus) | (ones * 'n' & minus);
        memcpy(text + at, &x, 8);
    }
}

static void name_constant(Making *m, HdNames *n, const uint32_t *w, uint32_t nwords)
{
    HdNumberType number = hd_operand_types_number(&n->types, w[1]);
    unsigned count = nwords - 3;

    add_id(m, n, w[1]);
    add(m, "_", 1);
    if (number.number == HD_NUMBER_NONE || count > 2)
        return;
    m->literal_len = hd_literal_print(m->literal, w + 3, count, number);
    fit_literal(m->text + m->len, m->literal, m->literal_len); /* fits after MAX_DERIVED */
    m->len += m->literal_len;
    m->over |= m->len > MAX_DERIVED;
}

static void name_builtin(HdNames *n, uint32_t id, uint32_t builtin)
{
    /* Those that GLSL names otherwise than by gl_ and the SPIR-V name. */
    static const struct {
        uint16_t builtin;
        const char *name;
    } names[] = {
        {SpvBuiltInPosition, "gl_Position"},
        {SpvBuiltInPointSize, "gl_PointSize"},
        {SpvBuiltInClipDistance, "gl_ClipDistance"},
        {SpvBuiltInCullDistance, "gl_CullDistance"},
        {SpvBuiltInVertexId, "gl_VertexID"},
        {SpvBuiltInInstanceId, "gl_InstanceID"},
        {SpvBuiltInPrimitiveId, "gl_PrimitiveID"},
        {SpvBuiltInInvocationId, "gl_InvocationID"},
        {SpvBuiltInLayer, "gl_Layer"},
        {SpvBuiltInViewportIndex, "gl_ViewportIndex"},
        {SpvBuiltInTessLevelOuter, "gl_TessLevelOuter"},
        {SpvBuiltInTessLevelInner, "gl_TessLevelInner"},
        {SpvBuiltInTessCoord, "gl_TessCoord"},
        {SpvBuiltInPatchVertices, "gl_PatchVertices"},
        {SpvBuiltInFragCoord, "gl_FragCoord"},
        {SpvBuiltInPointCoord, "gl_PointCoord"},
        {SpvBuiltInFrontFacing, "gl_FrontFacing"},
        {SpvBuiltInSampleId, "gl_SampleID"},
        {SpvBuiltInSamplePosition, "gl_SamplePosition"},
        {SpvBuiltInSampleMask, "gl_SampleMask"},
        {SpvBuiltInFragDepth, "gl_FragDepth"},
        {SpvBuiltInHelperInvocation, "gl_HelperInvocation"},
        {SpvBuiltInNumWorkgroups, "gl_NumWorkGroups"},
        {SpvBuiltInWorkgroupSize, "gl_WorkGroupSize"},
        {SpvBuiltInWorkgroupId, "gl_WorkGroupID"},
        {SpvBuiltInLocalInvocationId, "gl_LocalInvocationID"},
        {SpvBuiltInGlobalInvocationId, "gl_GlobalInvocationID"},
        {SpvBuiltInLocalInvocationIndex, "gl_LocalInvocationIndex"},
        {SpvBuiltInWorkDim, "WorkDim"},
        {SpvBuiltInGlobalSize, "GlobalSize"},
        {SpvBuiltInEnqueuedWorkgroupSize, "EnqueuedWorkgroupSize"},
        {SpvBuiltInGlobalOffset, "GlobalOffset"},
        {SpvBuiltInGlobalLinearId, "GlobalLinearId"},
        {SpvBuiltInSubgroupSize, "SubgroupSize"},
        {SpvBuiltInSubgroupMaxSize, "SubgroupMaxSize"},
        {SpvBuiltInNumSubgroups, "NumSubgroups"},
        {SpvBuiltInNumEnqueuedSubgroups, "NumEnqueuedSubgroups"},
        {SpvBuiltInSubgroupId, "SubgroupId"},
        {SpvBuiltInSubgroupLocalInvocationId, "SubgroupLocalInvocationId"},
        {SpvBuiltInVertexIndex, "gl_VertexIndex"},
        {SpvBuiltInInstanceIndex, "gl_InstanceIndex"},
        {SpvBuiltInBaseInstance, "gl_BaseInstance"},
        {SpvBuiltInSubgroupEqMask, "SubgroupEqMaskKHR"},
        {SpvBuiltInSubgroupGeMask, "SubgroupGeMaskKHR"},
        {SpvBuiltInSubgroupGtMask, "SubgroupGtMaskKHR"},
        {SpvBuiltInSubgroupLeMask, "SubgroupLeMaskKHR"},
        {SpvBuiltInSubgroupLtMask, "SubgroupLtMaskKHR"},
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].builtin == builtin)
            save(n, id, names[i].name);
}

/* OpName, and BuiltIn decorations. */
static void name_target(HdNames *n, enum HdOpix opix, const uint32_t *w, uint32_t nwords)
{
    if (opix == HD_OPIX_Name && nwords > 2) {
        char *s = draft(n, (size_t)(nwords - 2) * 4);

        if (s != NULL)
            save_draft(n, w[1], string_bytes(w + 2, nwords - 2, s, (size_t)(nwords - 2) * 4));
    } else if (opix == HD_OPIX_Decorate && nwords > 3 && w[2] == SpvDecorationBuiltIn) {
        name_builtin(n, w[1], w[3]);
    }
}

/* A name for the result of an instruction that has one made for it; false for all others. */
static bool make_name(HdNames *n, enum HdOpix opix, const uint32_t *w, uint32_t nwords, Making *m)
{
    m->len = m->literal_len = 0;
    m->over = false;
    switch ((int)opix) {
    case HD_OPIX_TypeVoid: add_string(m, "void"); return true;
    case HD_OPIX_TypeBool: add_string(m, "bool"); return true;
    case HD_OPIX_TypeEvent: add_string(m, "Event"); return true;
    case HD_OPIX_TypeDeviceEvent: add_string(m, "DeviceEvent"); return true;
    case HD_OPIX_TypeReserveId: add_string(m, "ReserveId"); return true;
    case HD_OPIX_TypeQueue: add_string(m, "Queue"); return true;
    case HD_OPIX_TypePipeStorage: add_string(m, "PipeStorage"); return true;
    case HD_OPIX_TypeNamedBarrier: add_string(m, "NamedBarrier"); return true;
    case HD_OPIX_ConstantTrue: add_string(m, "true"); return true;
    case HD_OPIX_ConstantFalse: add_string(m, "false"); return true;
    case HD_OPIX_TypeStruct:
        add_string(m, "_struct_");
        add_number(m, w[1]);
        return true;
    default: break;
    }
    if (nwords < 3)
        return false;
    switch ((int)opix) {
    case HD_OPIX_TypeFloat: name_float(m, w, nwords); return true;
    case HD_OPIX_TypeRuntimeArray:
        add_string(m, "_runtimearr_");
        add_id(m, n, w[2]);
        return true;
    case HD_OPIX_TypeNodePayloadArrayAMDX:
        add_string(m, "_payloadarr_");
        add_id(m, n, w[2]);
        return true;
    case HD_OPIX_TypeUntypedPointerKHR:
        add_string(m, "_ptr_");
        add_enumerant(m, HD_KIND_StorageClass, w[2]);
        return true;
    case HD_OPIX_TypePipe:
        add_string(m, "Pipe");
        add_enumerant(m, HD_KIND_AccessQualifier, w[2]);
        return true;
    case HD_OPIX_TypeOpaque:
        add_string(m, "Opaque_");
        m->len += string_bytes(w + 2, nwords - 2, m->text + m->len, MAX_DERIVED - m->len);
        return true;
    default: break;
    }
    if (nwords < 4)
        return false;
    switch ((int)opix) {
    case HD_OPIX_TypeInt: name_int(m, w); return true;
    case HD_OPIX_TypeVector:
    case HD_OPIX_TypeMatrix:
        add_string(m, opix == HD_OPIX_TypeVector ? "v" : "mat");
        add_number(m, w[3]);
        add_id(m, n, w[2]);
        return true;
    case HD_OPIX_TypeArray:
        add_string(m, "_arr_");
        add_id(m, n, w[2]);
        add_string(m, "_");
        add_id(m, n, w[3]);
        return true;
    case HD_OPIX_TypePointer:
        add_string(m, "_ptr_");
        add_enumerant(m, HD_KIND_StorageClass, w[2]);
        add_string(m, "_");
        add_id(m, n, w[3]);
        return true;
    case HD_OPIX_Constant: name_constant(m, n, w, nwords); return true;
    default: return false;
    }
}

/* May an instruction be named, or wait as well, before those that wait have their names? What is
 * made for a structure is neither part of a pointer's name that waits nor the same. */
static bool may_pass(const HdNames *n, enum HdOpix opix, const uint32_t *w, uint32_t nwords)
{
    uint32_t len;

    switch ((int)opix) {
    case HD_OPIX_Constant: return n->has_waiting_constants;
    case HD_OPIX_TypeOpaque: return !n->has_waiting_constants; /* made of no other name */
    case HD_OPIX_TypeStruct:
        for (unsigned i = 0; i < n->waiting_count; i++)
            if (nwords < 2 || n->waiting[i].id == w[1])
                return false;
        return !n->has_waiting_constants;
    case HD_OPIX_TypePointer:
        return !n->has_waiting_constants && nwords > 3 && hd_names_find(n, w[3], &len) != NULL;
    default: return false;
    }
}

static void name_inst(HdNames *n, const uint32_t *w, uint32_t nwords)
{
    enum HdOpix opix = hd_gram_find(w[0] & 0xffff);
    const HdGramInst *g = &hd_gram_insts[opix];
    Making made;
    uint32_t id;

    if (n->waiting_count == MOST_WAITING ||
        (n->waiting_count != 0 && !may_pass(n, opix, w, nwords)))
        name_waiting(n);
    if (!g->has_result) {
        name_target(n, opix, w, nwords);
        return;
    }
    if (nwords < 2u + g->has_type)
        return;
    id = w[1 + g->has_type];
    if (opix == HD_OPIX_TypeInt || opix == HD_OPIX_TypeFloat)
        hd_operand_types_note(&n->types, w, nwords);
    if (g->has_type && g->klass != HD_CLASS_Constant_Creation) {
        save_number(n, id);
        return;
    }
    made.text = draft(n, MAKING_ROOM);
    if (made.text == NULL)
        return;
    if (!make_name(n, opix, w, nwords, &made))
        save_number(n, id);
    else if ((opix == HD_OPIX_Constant || opix == HD_OPIX_TypePointer ||
              opix == HD_OPIX_TypeOpaque) &&
             !made.over && made.len <= LONG_DERIVED)
        let_wait(n, id, &made, opix == HD_OPIX_Constant);
    else
        save_making(n, id, &made);
}

/* ---- guessing ------------------------------------------------------------------------------ */

static size_t guess(HdNames *n, uint32_t id, char *out, size_t room)
{
    const char *name = hd_module_name(n->m, id);
    HdInst def, type;
    char text[MAKING_ROOM];
    const HdGramInst *g;
    Making made;

    made.text = text; /* the rest is written before it is read */
    made.len = made.literal_len = 0;
    made.over = false;
    if (name != NULL && name[0] != '\0') {
        add(&made, name, strnlen(name, room));
    } else {
        if (n->depth == 3 || !hd_module_def(n->m, id, &def))
            return 0;
        g = &hd_gram_insts[def.opix];
        if (g->has_type && g->klass != HD_CLASS_Constant_Creation)
            return 0;
        n->types.few_count = 0;
        if (def.nwords > 1 && hd_module_def(n->m, def.w[1], &type))
            hd_operand_types_note(&n->types, type.w, type.nwords);
        n->depth++;
        if (!make_name(n, def.opix, def.w, def.nwords, &made))
            made.len = 0;
        n->depth--;
    }
    if (made.len > room)
        return 0;
    memcpy(out, made.text, made.len);
    fit(out, made.len);
    return made.len;
}

static size_t guess_one(const HdModule *m, HdId id, char *out, size_t room)
{
    HdNames n;

    memset(&n, 0, offsetof(HdNames, waiting));
    n.m = m;
    n.types.is_small = true;
    return guess(&n, id, out, room);
}

size_t hd_names_guess(const HdModule *m, HdGuesses *known, HdId id, char *out, size_t room)
{
    __typeof__(known->at[0]) *slot = known != NULL ? &known->at[id % HD_GUESSES] : NULL;
    size_t len;

    if (slot != NULL && slot->id == id && id != 0 && slot->len <= room) {
        hd_copy_text(out, slot->text, slot->len);
        return slot->len;
    }
    len = guess_one(m, id, out, room);
    if (slot != NULL && len != 0 && len <= sizeof slot->text) { /* numbers do not recur */
        slot->id = id;
        slot->len = (uint8_t)len;
        memcpy(slot->text, out, len);
    }
    return len;
}

/* ---- from outside -------------------------------------------------------------------------- */

/* Bytes of the name that is made for a constant and of its literal, and more for each word of it;
 * of the name of a structure, and of a type of another one. */
#define MADE_BYTES      10u
#define LITERAL_BYTES   17u
#define STRUCTURE_BYTES 14u
#define TYPE_BYTES      24u

static size_t expected_bytes(const HdRawInst *in)
{
    switch (in->op) {
    case SpvOpName: return in->count * sizeof(uint32_t);
    case SpvOpConstant: return in->count > 3 ? MADE_BYTES + (in->count - 3) * LITERAL_BYTES : 0;
    case SpvOpTypeStruct: return STRUCTURE_BYTES;
    case SpvOpTypePointer:
    case SpvOpTypeArray: return TYPE_BYTES;
    default: return 0;
    }
}

/* Words for each id, at most, where nearly all ids below the bound will have a name. */
#define DENSE 4u

/* Zeroed; otherwise touched where it is used only. */
static Name *alloc_names(size_t count, bool is_dense)
{
    size_t bytes = count * sizeof(Name);
    Name *names = is_dense ? hd_pages_alloc(bytes, bytes) : hd_alloc_zero(bytes);

    return names != NULL && is_dense ? memset(names, 0, bytes) : names;
}

/* Allocate the final size up front, if it can be predicted: growing leaves holes. Slots for as many
 * ids as have names, or as are declared: mostly these are the same. */
static void make_room(HdNames *n, const uint32_t *words, size_t nwords)
{
    uint32_t named = 0, declared = 0, most;
    size_t at = HD_MODULE_FIRST_WORD, text = 0, literals = 0, likely;

    for (HdRawInst in; hd_words_next(words, nwords, &at, &in) && in.op != SpvOpFunction;) {
        named += in.op == SpvOpName;
        text += expected_bytes(&in);
        literals += in.op == SpvOpConstant ? expected_bytes(&in) : 0;
        declared +=
            (in.op >= SpvOpTypeVoid && in.op <= SpvOpSpecConstantOp) || in.op == SpvOpVariable;
    }
    most = named > declared ? named : declared;
    n->first_room = 256;
    while (n->first_room <= most * (uint64_t)2 && n->first_room < 1u << 30)
        n->first_room *= 2;
    n->pool_room = text + 4096;
    likely = text - text / 8 - literals / 2;
    n->t.pool = n->pool_room < NUMBERED ? hd_pages_alloc(n->pool_room, likely) : NULL;
    if (n->t.pool == NULL)
        n->pool_room = 0;
    if (words[3] < nwords && words[3] < n->limit) {
        hd_operand_types_reserve(&n->types, words[3]);
        n->t.of = alloc_names(words[3] + (size_t)1, words[3] > nwords / DENSE);
        n->failed |= n->t.of == NULL;
        n->t.room = n->t.of != NULL ? words[3] : 0;
    }
}

HdStatus hd_names_open(const uint32_t *words, size_t nwords, HdNames **out)
{
    HdNames *n;

    *out = NULL;
    HD_TAKE(n, hd_alloc_zero(sizeof *n));
    n->limit = hd_operand_id_limit(nwords);
    n->types.limit = n->limit;
    n->derived_left = MIN_DERIVED_ALL + nwords / 2 * sizeof *words;
    n->id_mask = UINT32_MAX >> __builtin_clz(n->limit);
    make_room(n, words, nwords);
    n->arena = hd_arena_open();
    if (n->arena == NULL)
        n->failed = true;
    for (size_t at = 5; at < nwords && !n->failed;) {
        uint32_t length = words[at] >> 16;

        if (length == 0 || length > nwords - at)
            break;
        name_inst(n, words + at, length);
        at += length;
    }
    if (!n->failed)
        name_waiting(n);
    hd_operand_types_free(&n->types);
    if (n->failed || n->types.failed) {
        hd_names_close(n);
        return HD_NO_MEMORY;
    }
    hd_free(n->slots);
    n->slots = NULL;
    *out = n;
    return HD_OK;
}

void hd_names_close(HdNames *n)
{
    if (n == NULL)
        return;
    hd_free(n->t.of);
    hd_free(n->t.pool);
    hd_free(n->slots);
    hd_arena_drop(n->arena);
    hd_free(n);
}
