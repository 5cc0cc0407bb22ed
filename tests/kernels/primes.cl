/* Which numbers are prime? Miller and Rabin's test, exact below 2^32 with three bases: division
 * and remainder of 64-bit numbers, loops of different lengths. And signed division on the way.
 * SPDX-License-Identifier: MIT */
ulong power(ulong base, uint exponent, uint modulus)
{
    ulong result = 1;

    for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1)
            result = result * base % modulus;
        base = base * base % modulus;
    }
    return result;
}

bool is_witness(uint a, uint n)
{
    uint twos = ctz(n - 1);
    ulong x = power(a, (n - 1) >> twos, n);

    if (x <= 1 || x == n - 1)
        return false;
    for (uint i = 1; i < twos; i++) {
        x = x * x % n;
        if (x == n - 1)
            return false;
    }
    return true;
}

__kernel void primes(__global const uint *numbers, __global uint *prime, __global int4 *quotients,
                     uint n)
{
    uint i = get_global_id(0);

    if (i >= n)
        return;
    uint p = numbers[i];
    if (p < 2 || (p & 1) == 0 || p == 61 || p == 7)
        prime[i] = p == 2 || p == 61 || p == 7;
    else
        prime[i] = !is_witness(2, p) && !is_witness(7, p) && !is_witness(61 % p, p);

    int a = as_int(p), b = (int)(i % 2001) - 1000;
    quotients[i] = b == 0 || b == -1 ? (int4)(0) : (int4)(a / b, a % b, (short)a / (short)b,
                                                           (char)(a >> 3) % (char)(b | 1));
}
