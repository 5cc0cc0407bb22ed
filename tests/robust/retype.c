/* tests/robust/retype.c -- other types in a module: widths of numbers, sizes of vectors, storage
 * classes of pointers, with the constants, compositions and variables that depend on them.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"
#include "gen/spirv.h"
#include "mutator.h"

static uint32_t words_of(HdNumberType t)
{
    return t.bits > 32 ? 2 : 1;
}

static double to_double(HdNumberType t, const uint32_t *w)
{
    if (t.bits == 16)
        return (double)hd_half_widen((uint16_t)w[0]);
    if (t.bits == 32)
        return (double)hd_f32_from(w[0]);
    return hd_f64_from(w[0] | (uint64_t)w[1] << 32);
}

uint32_t mutator_convert(HdNumberType from, const uint32_t *old, HdNumberType to, uint32_t out[2])
{
    uint64_t bits =
        words_of(from) == 2 ? old[0] | (uint64_t)old[1] << 32 : (uint64_t)(int64_t)(int32_t)old[0];

    if (from.number == HD_NUMBER_FLOAT && from.encoding == HD_ENCODING_IEEE) {
        double d = to_double(from, old);
        float f = d > 3e38 ? HUGE_VALF : d < -3e38 ? -HUGE_VALF : (float)d;

        bits = to.bits == 16   ? hd_half_round(d, HD_ROUND_RTE)
               : to.bits == 32 ? hd_f32_bits(f)
                               : hd_f64_bits(d);
    } else if (to.bits < 32) {
        /* narrow literals are extended by their sign if they have one */
        unsigned off = 64 - to.bits;

        bits = to.number == HD_NUMBER_INT ? (uint64_t)((int64_t)(bits << off) >> off)
                                          : bits << off >> off;
    }
    out[0] = (uint32_t)bits;
    out[1] = (uint32_t)(bits >> 32);
    return words_of(to);
}

/* ---- two types of one kind ---------------------------------------------------------------------
 */

/* Types that change: one gets another size, and one that has that size already gets the first's. */
typedef struct Sizes {
    uint32_t type[2], from[2], to[2];
} Sizes;

static int which_of(const Sizes *s, uint32_t type)
{
    return type == s->type[0] ? 0 : type == s->type[1] ? 1 : -1;
}

static Sizes sizes_of(const Mutator *m, size_t i, uint32_t size)
{
    const uint32_t *w = m->w + m->at[i];
    uint32_t word = (w[0] & 0xffff) == SpvOpTypeVector ? 3 : 2;
    Sizes s = {.type = {w[1]}, .from = {w[word], size}, .to = {size, w[word]}};

    for (size_t k = 0; k < m->functions; k++) {
        const uint32_t *o = m->w + m->at[k];
        uint32_t n = mutator_length(m, k);
        bool alike = o[0] == w[0] && n > word && o[word] == size;

        for (uint32_t x = 2; alike && x < n; x++)
            alike = x == word || o[x] == w[x];
        if (alike)
            s.type[1] = o[1];
    }
    return s;
}

/* An instruction with its literals as the new width wants them; returns the number of words. */
static uint32_t with_width(const Mutator *m, const Sizes *s, const uint32_t *w, uint32_t n,
                           uint32_t *out)
{
    uint32_t opcode = w[0] & 0xffff, at = 1, type = 0, used;
    HdNumberType from, to;
    int k;

    if (opcode == SpvOpConstant || opcode == SpvOpSpecConstant)
        type = w[1], at = 3;
    else if (opcode == SpvOpSwitch && w[1] < m->bound)
        type = m->type_of[w[1]], at = 3;
    k = type != 0 ? which_of(s, type) : -1;
    memcpy(out, w, n * sizeof *w);
    if (k < 0 || n < at)
        return n;
    from = to = hd_operand_types_number(&m->types, type);
    to.bits = (uint16_t)s->to[k];
    used = at;
    while (at + words_of(from) <= n) {
        used += mutator_convert(from, w + at, to, out + used);
        at += words_of(from);
        if (opcode == SpvOpSwitch && at < n)
            out[used++] = w[at++];
    }
    return used;
}

/* The same for the constituents of a vector and of what shuffles make. */
static uint32_t with_lanes(const Sizes *s, const uint32_t *w, uint32_t n, uint32_t *out)
{
    uint32_t opcode = w[0] & 0xffff;
    uint32_t first = opcode == SpvOpVectorShuffle ? 5 : 3;
    int k = opcode == SpvOpConstantComposite || opcode == SpvOpSpecConstantComposite ||
                    opcode == SpvOpCompositeConstruct || opcode == SpvOpVectorShuffle
                ? which_of(s, w[1])
                : -1;

    memcpy(out, w, n * sizeof *w);
    if (k < 0 || n != first + s->from[k])
        return n;
    for (uint32_t x = s->from[k]; x < s->to[k]; x++)
        out[first + x] = w[first + x % s->from[k]];
    return first + s->to[k];
}

static void change_size(Mutator *m, size_t i, uint32_t size)
{
    Sizes s = sizes_of(m, i, size);
    bool is_vector = mutator_opcode(m, i) == SpvOpTypeVector;
    uint32_t *out = malloc((2 * m->count + 32) * sizeof *out);
    size_t n = 5;

    memcpy(out, m->w, 5 * sizeof *out);
    for (size_t k = 0; k < m->insts; k++) {
        const uint32_t *w = m->w + m->at[k];
        uint32_t words = mutator_length(m, k);
        bool is_type = mutator_opcode(m, k) == mutator_opcode(m, i) && which_of(&s, w[1]) >= 0;
        uint32_t made =
            is_vector ? with_lanes(&s, w, words, out + n) : with_width(m, &s, w, words, out + n);

        out[n] = made << 16 | (w[0] & 0xffff);
        if (is_type)
            out[n + (is_vector ? 3 : 2)] = s.to[which_of(&s, w[1])];
        n += made;
    }
    free(m->w);
    m->w = out;
    m->count = n;
}

/* ---- storage classes ---------------------------------------------------------------------------
 */

static void change_storage(Mutator *m, size_t i)
{
    static const uint32_t classes[] = {SpvStorageClassUniformConstant, SpvStorageClassWorkgroup,
                                       SpvStorageClassCrossWorkgroup, SpvStorageClassFunction,
                                       SpvStorageClassGeneric};
    uint32_t *w = m->w + m->at[i];
    uint32_t type = w[1], storage = classes[mutator_below(m, 5)];

    w[2] = storage;
    for (size_t k = 0; k < m->insts; k++) {
        uint32_t *v = m->w + m->at[k];

        if (mutator_opcode(m, k) == SpvOpVariable && v[1] == type)
            v[3] = storage;
    }
}

void mutator_retype(Mutator *m)
{
    static const uint16_t types[] = {SpvOpTypeInt, SpvOpTypeFloat, SpvOpTypeVector,
                                     SpvOpTypePointer, 0};
    static const uint8_t ints[] = {8, 16, 32, 64}, floats[] = {16, 32, 64},
                         vectors[] = {2, 3, 4, 8, 16};
    size_t i = mutator_pick(m, types);

    if (i == m->insts)
        return;
    switch (mutator_opcode(m, i)) {
    case SpvOpTypeInt: change_size(m, i, ints[mutator_below(m, sizeof ints)]); break;
    case SpvOpTypeFloat: change_size(m, i, floats[mutator_below(m, sizeof floats)]); break;
    case SpvOpTypeVector: change_size(m, i, vectors[mutator_below(m, sizeof vectors)]); break;
    default: change_storage(m, i); break;
    }
}
