/* tests/kernels/primes.c -- primality against a sieve (small numbers) and trial division by
 * primes (large ones), quotients against C's.
 *
 * SPDX-License-Identifier: MIT
 */
#include "harness.h"

enum { SIEVE = 65536 };

static void make_sieve(uint8_t *composite)
{
    composite[0] = composite[1] = 1;
    for (uint32_t p = 2; p < 256; p++)
        for (uint32_t m = p * p; composite[p] == 0 && m < SIEVE; m += p)
            composite[m] = 1;
}

static uint32_t is_prime(uint32_t n, const uint8_t *composite)
{
    if (n < SIEVE)
        return !composite[n];
    for (uint32_t p = 2; p < SIEVE && p * p <= n && p * p / p == p; p++)
        if (!composite[p] && n % p == 0)
            return 0;
    return 1;
}

static void expected_quotients(uint32_t number, uint32_t i, int32_t q[4])
{
    int32_t a = (int32_t)number;
    int32_t b = (int32_t)(i % 2001) - 1000;

    if (b == 0 || b == -1)
        return;
    q[0] = a / b;
    q[1] = a % b;
    q[2] = (int16_t)a / (int16_t)b;
    q[3] = (int8_t)(a >> 3) % (int8_t)(b | 1);
}

void case_primes(Kc *c)
{
    size_t n = kc_pick(c, 3001, 50021);
    uint32_t *numbers = kc_words(c, n, 0);
    uint8_t *composite = kc_alloc(c, SIEVE);
    uint32_t *got = kc_alloc(c, n * sizeof *got);
    uint32_t *want = kc_alloc(c, n * sizeof *want);
    int32_t *got_q = kc_alloc(c, 4 * n * sizeof *got_q);
    int32_t *want_q = kc_alloc(c, 4 * n * sizeof *want_q);
    cl_kernel k = kc_kernel(c, "primes");
    cl_mem in, prime, quotients;

    make_sieve(composite);
    for (size_t i = 0; i < n; i++) /* small, odd, any */
        numbers[i] = i < n / 4 ? (uint32_t)i : i % 2 ? numbers[i] | 1 : numbers[i] >> (i % 20);
    in = kc_buffer(c, n * sizeof *numbers, numbers);
    prime = kc_buffer(c, n * sizeof *got, NULL);
    quotients = kc_buffer(c, 4 * n * sizeof *got_q, NULL);
    kc_args(c, k, "mmmu", in, prime, quotients, (cl_uint)n);
    while (kc_again(c)) {
        kc_begin(c);
        kc_launch_1d(c, k, n, 64);
        kc_end(c);
    }
    kc_read(c, prime, got, n * sizeof *got);
    kc_read(c, quotients, got_q, 4 * n * sizeof *got_q);

    for (uint32_t i = 0; i < n; i++) {
        want[i] = is_prime(numbers[i], composite);
        expected_quotients(numbers[i], i, want_q + 4 * i);
    }
    kc_check_u32(c, "is prime", got, want, n);
    kc_check_i32(c, "quotient", got_q, want_q, 4 * n);
}
