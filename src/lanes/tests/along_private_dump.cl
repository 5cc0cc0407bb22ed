// Work-items alone shift a private array a vector at a time.
// RUN: heddle run %s shift --dump asm
// CPU: znver4
// WIDTHS: 1
// ENGINES: compiled
// CHECK: vmovup{{[sd]}} {{.*}}, %zmm
// CHECK: vmovup{{[sd]}} %zmm{{.*}}(%r
kernel void shift(global const uchar *in, global uchar *out, int n)
{
    uchar window[515];

    for (int i = 0; i < 515; i++)
        window[i] = 0;
    for (int t = 0; t < n; t++) {
        for (int i = 514; i > 0; i--)
            window[i] = window[i - 1];
        window[0] = in[t];
        out[t] = window[256] + window[514] + window[t % 515];
    }
}
