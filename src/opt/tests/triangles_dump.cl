// Loops over parts of a private array, three next to and in each other: unrolled with the one around them, and the array
// becomes values.
// RUN: heddle run %s --cl=-cl-std=CL3.0 --global 16 --local 16 --arg f32[64]=range --arg f32[16]=zeros --dump ir
// WIDTHS: 16
// ENGINES: compiled
// CHECK-NOT: private
// CHECK: RET
kernel void k(global const float *r, global float *y)
{
    int g = get_global_id(0);
    float a[12], b[12];

    for (int i = 0; i < 12; i++)
        a[i] = r[g + i];
    for (int i = 1; i < 12; i++) {
        float s = a[i];

        for (int j = 1; j < i; j++)
            s -= a[j] * r[g + i - j];
        for (int j = 1; j < i; j++)
            b[j] = a[j] - s * a[i - j];
        for (int j = 1; j < i; j++)
            a[j] = b[j] * 0.5f;
        a[i] = s;
    }
    y[g] = a[3] + a[11];
}
