/* Control flow of every shape, with lanes on different ways: loops entered in the middle by
 * goto, an interpreter of byte code with a switch that falls through, returns out of loops.
 * SPDX-License-Identifier: MIT */

/* A loop with two entries. */
uint tangle(uint x)
{
    uint steps = 0;

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

/* Runs up to 64 instructions of one byte each: operation (3 bits) and operand (5 bits). */
uint interpret(__global const uchar *code, uint length, uint value)
{
    uint at = 0, other = 1;

    for (uint n = 0; n < 64; n++) {
        uint operand = code[at] & 31;

        switch (code[at] & 0xE0) {
        case 0x00:
            value += operand;
            break;
        case 0x20:
            value = rotate(value, operand);
            break;
        case 0x40:
            if (value & 1)
                break; /* else falls through */
        case 0x60:
            other ^= value + operand;
            continue;
        case 0x80:
            for (uint i = 0; i < operand; i++) {
                if (value % 11 == 5)
                    break;
                value = value * 3 + i;
            }
            break;
        case 0xA0:
            if ((value ^ other) % 5 == 0)
                return value;
            value -= other;
            break;
        case 0xC0: {
            uint swap = value;

            value = other;
            other = swap;
            break;
        }
        default:
            at = (at + operand) % length;
        }
        at = at + 1 == length ? 0 : at + 1;
    }
    return value + other;
}

__kernel void control(__global const uchar *code, uint length, __global uint2 *out, uint n)
{
    uint i = get_global_id(0);

    if (i < n)
        out[i] = (uint2)(tangle(i * 0x9E3779B9u), interpret(code + i % 7, length - 7, i));
}
