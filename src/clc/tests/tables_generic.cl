// Generic pointers at program scope into the middle of variables, and tables of them: clang-22 counts bytes from a variable of
// any type, and casts the address to a generic one of bytes.
// RUN: heddle run %s k --cl -cl-std=CL2.0 --global 8 --arg i32[8]
// RUN: heddle run %s k --cl -cl-std=CL3.0 --global 8 --arg i32[8]
// RUN: heddle run %s k --cl -cl-std=CL3.0 --cl -cl-opt-disable --global 8 --arg i32[8]
// RUN: heddle run %s k --cl -cl-std=CLC++ --global 8 --arg i32[8]
// RUN: heddle run %s k --cl -cl-std=CLC++2021 --global 8 --arg i32[8]
// RUN: heddle run %s k --cl -cl-std=CLC++2021 --cl -cl-opt-disable --global 8 --arg i32[8]
// CHECK-NOT: {{byte [0-9]|warning|constant\.|repair\.}}
// CHECK: arg 0: i32[8] = 126430, 206372, 176327, 126770, 206055, 176600, 126474, 206395
// CHECK-NOT: {{byte [0-9]|warning|constant\.|repair\.}}
typedef struct {
    int v;
    short s[4];
    float f;
    int *p;
} Record;

typedef struct {
    constant const char *name;
    global int *there;
    int *any;
} Mixed;

global int a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
global int b = 9;
int *p = a + 2, *q = &a[7], **pp = &p, *behind = a + 8;
int *table[] = {a, &b, a + 5, 0};
int *constant in_constant[] = {&b, a + 6, a};
global int *global in_global[] = {a + 1, &b};
Record record[2] = {{1, {7, 8, 9, 10}, 6.0f, a + 4}, {1, {11, 12, 13, 14}, 8.0f, &b}};
short *shorts[] = {record[0].s, record[0].s + 1, &record[1].s[2], record[1].s};
float *real = &record[1].f;
Record *last = &record[1];
int **member = &record[0].p;
Mixed mixed[2] = {{"abc", a + 1, a + 2}, {"de", &b, a + 3}};
constant Mixed fixed[3] = {{"abc", a + 1, a + 2}, {"de", &b, a + 3}, {0, 0, 0}};
char text[] = "program";
char *letters[] = {text, text + 3, text + 6};

kernel void k(global int *o)
{
    int i = get_global_id(0), j = i & 1;

    o[i] = p[i & 3] + *q * 10 + **pp * 100 + behind[-1] * 1000 + *table[i % 3] * 10000 + (table[3] == 0) * 100000 +
           *in_constant[i % 3] * 3 + *in_global[j] * 5 + *shorts[i & 3] * 7 + (int)*real * 11 + *last->p * 13 +
           **member * 17 + *mixed[j].there * 19 + *mixed[j].any * 23 + mixed[j].name[1] * 29 + *fixed[j].any * 31 +
           (fixed[2].any == 0 && fixed[2].there == 0) * 37 + letters[i % 3][0] * 41;
}
