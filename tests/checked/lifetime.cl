// A pointer to a variable is used behind its block.
// RUN: heddle check %s bad --global 1 --arg i32[2] --arg i32=2
// EXIT: 1
// CHECK: [check.lifetime]

kernel void bad(global int *out, int n)
{
    int *p;

    {
        int x[4];

        for (int i = 0; i < 4; i++)
            x[i] = n + i;
        p = x;
    }
    {
        int y[4];

        for (int i = 0; i < 4; i++)
            y[i] = n - i;
        out[1] = y[n & 3];
    }
    out[0] = p[n & 3];
}
