// clang-22 declares arrays of pointers as their first element, and a pointer that is read byte by byte as a byte.
// RUN: heddle run %s k --cl -cl-opt-disable --global 4 --arg i32[8]
// RUN: heddle run %s k --global 4 --arg i32[8]
// RUN: heddle check %s k --global 4 --arg i32[8]
// CHECK: arg 0: i32[8] = 7, 0, 18, 0, 33, 0, 52, 0
typedef struct Pair { int a, b; } Pair;

int sum(private int *table[3][2], int by)
{
    int s = 0;

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            if (table[i][j] != 0)
                s += *table[i][j] * (by + 2 * i + j);
    return s;
}

kernel void k(global int *out)
{
    int i = get_global_id(0), zeros = 0;
    Pair pair = {i, i + 1};
    private int *table[3][2] = {{0, 0}, {&pair.b, 0}, {0, &pair.b}}, *none = 0;

    for (int j = 0; j < (int)sizeof none; j++)
        zeros += ((private uchar *)&none)[j];
    out[2 * i] = sum(table, i);
    out[2 * i + 1] = zeros;
}
