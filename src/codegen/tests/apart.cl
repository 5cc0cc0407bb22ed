// Loads past stores to what is known to be other memory, and stores of a lane side by side past each other, give what each
// alone would; where they do meet (a swap in one buffer) nothing is passed.
// RUN: heddle run %s unpack --cl=-cl-std=CL3.0 --global 37 --local 37 --arg u8[666]=range --arg f32[1184]=zeros
// RUN: heddle run %s swap --cl=-cl-std=CL3.0 --global 37 --local 37 --arg f32[296]=range --arg f32[296]=range
// RUN: heddle run %s some --cl=-cl-std=CL3.0 --global 37 --local 37 --arg u32[37]=range --arg f32[592]=range --arg f32[592]=zeros
kernel void unpack(global const uchar *w, global float *y)
{
    int b = get_global_id(0);

    for (int j = 0; j < 16; j++) {
        y[b * 32 + j] = (w[b * 18 + j + 2] & 15) * w[b * 18];
        y[b * 32 + j + 16] = (w[b * 18 + j + 2] >> 4) * w[b * 18 + 1];
    }
}

kernel void swap(global float *a, global float *b)
{
    int i = get_global_id(0);

    for (int j = 0; j < 4; j++) {
        float x = a[i * 8 + j];
        a[i * 8 + j] = a[i * 8 + 7 - j];
        b[i * 8 + j] = x + b[i * 8 + 7 - j];
        a[i * 8 + 7 - j] = x;
    }
}

kernel void some(global const uint *flags, global const float *x, global float *y)
{
    int i = get_global_id(0);

    for (int j = 0; j < 8; j++)
        if ((flags[i] >> (j & 3) & 1) != 0) {
            y[i * 16 + j] = x[i * 16 + 15 - j];
            y[i * 16 + j + 8] = x[i * 16 + j] * 2;
        }
}
