// Tables of addresses of constants that differ in type or length, or lie within one array: clang-22 gives each part the type of
// what it leads to. The build log has only what concerns the source. (Values: gcc on the same text.)
// RUN: heddle run %s k --global 8 --arg i32[8] --arg i32[8]
// RUN: heddle run %s k --cl -cl-opt-disable --global 8 --arg i32[8] --arg i32[8]
// RUN: heddle run %s k --cl -cl-std=CL2.0 --global 8 --arg i32[8] --arg i32[8]
// RUN: heddle run %s k --cl -cl-std=CL3.0 --global 8 --arg i32[8] --arg i32[8]
// RUN: heddle run %s k --cl -cl-std=CL3.0 --cl -cl-opt-disable --global 8 --arg i32[8] --arg i32[8]
// CHECK-NOT: {{byte [0-9]|warning|constant\.|repair\.}}
// CHECK: arg 0: i32[8] = 108401, 124909, 112603, 109108, 124401, 112909, 108603, 125108
// CHECK-NOT: {{byte [0-9]|warning|constant\.|repair\.}}
// CHECK: arg 1: i32[8] = 567100, 11765110, 21373106, 30968108, 567204, 11765213, 21373202, 30968209
// CHECK-NOT: {{byte [0-9]|warning|constant\.|repair\.}}
typedef struct {
    int v;
    constant int *p;
} Inner;

typedef struct {
    Inner r[2];
    constant Inner *q;
    constant char *name;
} Outer;

typedef struct Node {
    int v;
    constant struct Node *next;
} Node;

typedef struct {
    int v;
    short s[4];
    float f;
} Mixed;

constant char *constant names[] = {"fine", "too small", "bad", 0};
constant char *constant square[2][2] = {{"a", "cde"}, {"fg", "hijkl"}};
constant int a[5] = {1, 2, 3, 4, 5}, b = 9, c[2] = {7, 8};
constant int *constant numbers[] = {a, &b, a + 2, c + 1};
constant int *constant middle = a + 3, *constant behind = a + 5;
constant Inner one = {6, a + 4};
constant Outer outer[] = {{{{1, a}, {2, a + 2}}, &one, "x"}, {{{3, &b}, {4, c + 1}}, 0, "longer"}};
constant Node n3 = {3, 0}, n2 = {2, &n3}, n1 = {1, &n2};
constant Node *constant heads[] = {&n1, &n2, &n3};
constant Mixed m[2] = {{1, {7, 8, 9, 10}, 6.0f}, {1, {11, 12, 13, 14}, 8.0f}};
constant short *constant shorts[] = {m[0].s, m[0].s + 1, &m[1].s[2], m[1].s};
constant float *constant real = &m[1].f;
constant void *constant anything[] = {a, &b, m, "q"};
constant int rows[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}, row[1][4] = {{13, 14, 15, 16}};
constant int (*constant planes[])[4] = {rows, row, rows + 2, rows + 1};
constant uchar *constant bytes[] = {(constant uchar *)a, (constant uchar *)(a + 2), (constant uchar *)m + 4};

kernel void k(global int *x, global int *y)
{
    int i = get_global_id(0), j = i & 3, s = 0;

    for (constant Node *n = heads[i % 3]; n; n = n->next)
        s = s * 10 + n->v;
    x[i] = (names[3] == 0 ? *numbers[j] : 0) + names[i % 3][1] * 1000 + square[i & 1][i >> 1 & 1][0] * 100 -
           s * 100 + *middle * 1 - behind[-2] + 6000;
    y[i] = outer[i & 1].r[i >> 2].v * 100 + *outer[i & 1].r[i >> 2].p + outer[i & 1].name[0] * 1000 * (outer[1].q == 0) / 3 +
           *shorts[j] * 1000 + (int)*real * 40000 + *(constant int *)anything[j & 1] * 100 - *(constant char *)anything[3] +
           planes[j][0][1] * 1000 * 100 + *bytes[i % 3] + outer[0].q->p[0] + outer[0].q->v + j * 10000000;
}
