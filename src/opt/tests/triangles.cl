// Triangular loops over private arrays, unrolled with the loop around them.
// RUN: heddle run %s --cl=-cl-std=CL3.0 --global 20 --local 20 --arg i32[64]=random:7 --arg i32[240]=zeros
kernel void k(global const int *r, global int *y)
{
    int g = get_global_id(0), a[12], b[12], m[5][5];

    for (int i = 0; i < 12; i++)
        a[i] = b[i] = r[g + i];
    for (int i = 1; i < 12; i++) {
        int s = a[i];

        for (int j = 1; j < i; j++)
            s -= a[j] * r[g + i - j];
        for (int j = 1; j < i; j++)
            b[j] = a[j] - s * a[i - j];
        for (int j = 1; j < i; j++)
            a[j] = b[j] >> 1;
        a[i] = s;
    }
    for (int i = 0; i < 5; i++)
        for (int j = 0; j <= i; j++)
            m[i][j] = a[i * 2 + j % 3];
    for (int j = 0; j < 5; j++) {
        for (int k = 0; k < j; k++)
            for (int i = j; i < 5; i++)
                m[i][j] -= m[i][k] * m[j][k];
        for (int i = j; i < 5; i++)
            m[i][j] ^= m[j][j];
    }
    for (int i = 0; i < 12; i++)
        y[g * 12 + i] = a[i] + b[11 - i] + m[i % 5][i % (i % 5 + 1)];
}
