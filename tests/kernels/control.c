/* tests/kernels/control.c -- the same tangled control flow in C.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

static uint32_t tangle(uint32_t x)
{
    uint32_t steps = 0;

    if (x & 1)
        goto middle;
top:
    x = x * 5 + 1;
    if (++steps > 40)
        return x;
middle:
    x ^= x >> 3;
    if ((x & 7) == 2)
        goto bottom;
    if (++steps > 60)
        return x + steps;
    if (x & 4)
        goto top;
    x += 7;
    goto middle;
bottom:
    if ((x & 0x100) && ++steps < 50)
        goto middle;
    return x - steps;
}

/* The two values of the interpreter's machine. */
typedef struct {
    uint32_t value;
    uint32_t other;
    uint32_t at;
} Machine;

typedef enum { NEXT, AGAIN, STOP } Then;

static Then step(Machine *m, uint32_t op, uint32_t operand, uint32_t length)
{
    uint32_t old = m->value;

    if (op == 0) {
        m->value += operand;
    } else if (op == 1) {
        m->value = operand == 0 ? old : old << operand | old >> (32 - operand);
    } else if (op == 3 || (op == 2 && (old & 1) == 0)) {
        m->other ^= old + operand;
        return AGAIN;
    } else if (op == 4) {
        for (uint32_t i = 0; i < operand && m->value % 11 != 5; i++)
            m->value = m->value * 3 + i;
    } else if (op == 5) {
        if ((old ^ m->other) % 5 == 0)
            return STOP;
        m->value -= m->other;
    } else if (op == 6) {
        m->value = m->other;
        m->other = old;
    } else if (op == 7) {
        m->at = (m->at + operand) % length;
    }
    return NEXT;
}

static uint32_t interpret(const uint8_t *code, uint32_t length, uint32_t value)
{
    Machine m = {value, 1, 0};

    for (int n = 0; n < 64; n++) {
        Then then = step(&m, code[m.at] >> 5, code[m.at] & 31, length);

        if (then == STOP)
            return m.value;
        if (then == NEXT)
            m.at = m.at + 1 == length ? 0 : m.at + 1;
    }
    return m.value + m.other;
}

void case_control(Kc *c)
{
    size_t n = kc_pick(c, 2003, 100003);
    uint32_t length = 97;
    uint8_t *code = kc_bytes(c, length, 0);
    uint32_t *got = kc_alloc(c, 2 * n * sizeof *got);
    uint32_t *want = kc_alloc(c, 2 * n * sizeof *want);
    cl_kernel k = kc_kernel(c, "control");
    cl_mem in = kc_buffer(c, length, code);
    cl_mem out = kc_buffer(c, 2 * n * sizeof *got, NULL);

    kc_args(c, k, "mumu", in, length, out, (cl_uint)n);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_1d(c, k, n, 33);
        kc_end(c);
    }
    kc_read(c, out, got, 2 * n * sizeof *got);

    for (uint32_t i = 0; i < n; i++) {
        want[2 * i] = tangle(i * 0x9E3779B9u);
        want[2 * i + 1] = interpret(code + i % 7, length - 7, i);
    }
    kc_check_u32(c, "value", got, want, 2 * n);
}
