// Work-items that are done sooner one after the other, on Zen 4: rounds that wait for none go along rows of their own, and
// lanes would gather what they have just scattered. Where each of them waits for what it has just loaded, lanes wait once.
// Around a window that ends at an edge most of them go together, and bytes of a word are cheap; which lanes a row of 250
// leaves to its last sub-group changes nothing. Of the ways of a switch a work-item alone takes one. What a bounds check
// guards counts in the form that all lanes but the last ones take; lanes that it lets pass go round a loop together, also if
// each round ends in several places. Hardly any comes behind an equality.
// RUN: heddle run %s mirrored --dump lanes
// RUN: heddle run %s counted --dump lanes
// RUN: heddle run %s bubbled --dump lanes
// RUN: heddle run %s machine --dump lanes
// RUN: heddle run %s chained --dump lanes
// RUN: heddle run %s windowed --dump lanes
// RUN: heddle run %s windowed --dump lanes --global 250,19 --arg u8[19000]=range --arg u8[19000]=zeros --arg i32=250 --arg i32=19
// RUN: heddle run %s searched --dump lanes
// RUN: heddle run %s hashed --dump lanes
// CPU: znver4
// WIDTHS: 16
// ENGINES: compiled
// CHECK: kernel @"{{(mirrored|counted|bubbled|machine)" \(\) -> \(\) width 1|(chained|windowed|searched|hashed)" \(\) -> \(\) width (16|32)}} {
kernel void mirrored(global float *out, global const float *in)
{
    int at = get_global_id(0) * 64;

    for (int i = 0; i < 64; i++)
        out[at + i] = in[at + (63 - i)] + in[at + (i ^ 1)];
}

kernel void counted(global int *out, global const uchar *in, int n)
{
    int row = get_global_id(0), h[16];

    for (int k = 0; k < 16; k++)
        h[k] = 0;
    for (int j = 0; j < n; j++)
        h[in[row * n + j] & 15]++;
    for (int k = 0; k < 16; k++)
        out[row * 16 + k] = h[k];
}

kernel void bubbled(global int *a, int n)
{
    int row = get_global_id(0) * n;

    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1 - i; j++)
            if (a[row + j] > a[row + j + 1]) {
                int t = a[row + j];

                a[row + j] = a[row + j + 1];
                a[row + j + 1] = t;
            }
}

kernel void chained(global const uint *seed, global uint *out)
{
    uint s[64], id = get_global_id(0), j = 0;

    for (int k = 0; k < 64; k++)
        s[k] = seed[id] ^ k;
    for (int k = 0; k < 1000; k++) {
        uint t = s[k & 63];

        j = (j + t) & 63;
        s[k & 63] = s[j];
        s[j] = t;
    }
    for (int k = 0; k < 64; k++)
        j = j * 31 + s[k];
    out[id] = j;
}

kernel void windowed(global const uchar4 *in, global uchar4 *out, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    int4 s = 0;

    for (int j = max(y - 1, 0); j <= min(y + 1, h - 1); j++)
        for (int i = max(x - 1, 0); i <= min(x + 1, w - 1); i++)
            s += convert_int4(in[j * w + i]);
    out[y * w + x] = convert_uchar4_sat(s / 9);
}

kernel void machine(constant uint *program, global const int *in, global int *out)
{
    int id = get_global_id(0), r[8], pc = 0, fuel = 200;

    for (int k = 0; k < 8; k++)
        r[k] = in[id * 8 + k];
    while (fuel-- > 0) {
        uint op = program[pc];
        int a = op >> 8 & 7, b = op >> 11 & 7, c = op >> 14 & 7;

        pc = (pc + 1) & 63;
        switch (op & 7) {
        case 0: r[a] = r[b] + r[c]; break;
        case 1: r[a] = r[b] - r[c]; break;
        case 2: r[a] = r[b] * r[c]; break;
        case 3: r[a] = r[b] ^ (r[c] >> 3); break;
        case 4: r[a] = (int)(op >> 17); break;
        case 5:
            if (r[b] < r[c])
                pc = (pc + (op >> 20 & 3)) & 63;
            break;
        case 6: r[a] = max(r[b], r[c]); break;
        default: r[a] = rotate(r[b], r[c] & 31);
        }
    }
    out[id] = r[0] ^ r[3];
}

kernel void searched(global uint *hits, uint n, uint m, uint want)
{
    if (get_global_id(0) >= m)
        return;
    uint x = get_global_id(0) * 2654435761u;

    for (uint i = 0; i < n; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        if (x == want)
            atomic_add(hits, 1u);
    }
}

#define STEP(a, b, c) (a = rotate(a + (b ^ c), 7u) + b)
#define STEPS (STEP(a, b, c), STEP(b, c, a), STEP(c, a, b), STEP(a, c, b), STEP(b, a, c), STEP(c, b, a))
#define MANY (STEPS, STEPS, STEPS, STEPS, STEPS, STEPS, STEPS, STEPS)

kernel void hashed(global uint *hits, global const uint *words, uint n, uint m, uint4 want)
{
    if (get_global_id(0) >= m)
        return;
    uint id = get_global_id(0);

    for (uint i = 0; i < n; i++) {
        uint a = words[i], b = id, c = a ^ b;

        MANY, MANY, MANY, MANY;
        if (a != want.x)
            continue;
        STEPS;
        if (b == want.y)
            for (uint k = 0; k < 12; k++)
                atomic_max(&hits[k], c);
    }
}
