// What is handed on from round to round, is left before its end, or waits, and rounds that may know of
// each other by memory, stay together.
// RUN: heddle run %s carried --global 64 --local 16 --arg u32[90]=zeros --arg u32[90]=zeros --arg u32=90 --dump ir
// RUN: heddle run %s left --global 64 --local 16 --arg u32[90]=zeros --arg u32[90]=zeros --arg u32=90 --dump ir
// RUN: heddle run %s shared --global 64 --local 16 --arg u32[90]=zeros --arg u32[90]=zeros --arg u32=90 --dump ir
// RUN: heddle run %s behind --global 64 --local 16 --arg u32[90]=zeros --arg u32[90]=zeros --arg u32=90 --dump ir
// RUN: heddle run %s halves --global 64 --local 16 --arg u32[90]=zeros --arg u32[90]=zeros --arg u32=90 --dump ir
// RUN: heddle run %s counts --global 64 --local 16 --arg u32[90]=zeros --arg u32[90]=zeros --arg u32=90 --dump ir
// RUN: heddle run %s chain --global 64 --local 16 --arg u32[90]=zeros --arg u32[90]=zeros --arg u32=90 --dump ir
// RUN: heddle run %s places --global 64 --local 16 --arg u32[90]=zeros --arg u32[90]=zeros --arg u32=90 --dump ir
// RUN: heddle run %s pairs --global 64 --local 16 --arg u32[91]=zeros --arg u32[90]=zeros --arg u32=90 --dump ir
// RUN: heddle run %s bytes --global 64 --local 16 --arg u8[400]=zeros --arg u32[90]=zeros --arg u32=90 --dump ir
// RUN: heddle run %s ahead --global 64 --local 16 --arg u32[90]=zeros --arg u32[90]=zeros --arg u32=90 --dump ir
// RUN: heddle run %s watched --global 64 --local 16 --arg u32[90]=zeros --arg u32[90]=zeros --arg u32=90 --dump ir
// RUN: heddle run %s offsets --global 64 --local 16 --arg u32[99]=zeros --arg u32[9]=zeros --arg u32=90 --dump ir
// WIDTHS: 16
// ENGINES: compiled
// CHECK-NOT: one_round
kernel void carried(global uint *out, global const uint *in, uint n)
{
    uint sum = 0;

    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = sum += in[i];
}

kernel void left(global uint *out, global const uint *in, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
        out[i] = in[i];
        if (in[i] > 7)
            break;
    }
}

kernel void shared(global uint *out, global const uint *in, uint n)
{
    local uint last[16];

    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
        out[i] = last[get_local_id(0)];
        last[get_local_id(0)] = in[i];
    }
}

kernel void behind(global uint *out, global const uint *in, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = in[i];
    out[0] = 1;
}

kernel void halves(global uint *out, global const uint *in, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0) / 2)
        out[i] = in[i];
}

kernel void counts(global uint *out, global const uint *in, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&out[in[i]]);
}

kernel void chain(global uint *out, global const uint *in, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = in[i] + out[i & 15];
}

kernel void places(global uint *out, global const uint *in, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        out[in[i]] = i;
}

kernel void pairs(global uint *out, global const uint *in, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
        out[i] = in[i];
        out[i + 1] = i;
    }
}

kernel void bytes(global uchar *out, global const uint *in, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        *(global uint *)(out + i) = in[i];
}

kernel void ahead(global uint *out, global const uint *in, uint n)
{
    uint first = out[get_global_id(0)];

    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = in[i] + first;
}

kernel void watched(volatile global uint *out, global const uint *in, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = in[i];
}

/* Iterations write what others read: two places of one buffer. */
kernel void offsets(global uint *out, global const uint *in, uint n)
{
    global uint *one = out + in[0], *other = out + in[1];

    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        one[i] = other[i] + 1;
}
