// Vectors of numbers of components that OpenCL C does not have, of which a variable chooses one: in registers, in memory, of
// every width. (clang-22 keeps them in arrays whose alignment it leaves to chance.)
// RUN: heddle run %s k --global 6 --arg i32[6] --arg i8[96]=range
// RUN: heddle run %s k --cl -cl-opt-disable --global 6 --arg i32[6] --arg i8[96]=range
// RUN: heddle check %s k --global 6 --arg i32[6] --arg i8[96]=range
// CHECK-NOT: {{byte [0-9]|warning}}
// CHECK: arg 0: i32[6] = 38, 64, 90, 116, 142, 163
typedef int int5 __attribute__((ext_vector_type(5)));
typedef long long7 __attribute__((ext_vector_type(7)));
typedef char char9 __attribute__((ext_vector_type(9)));
typedef ushort ushort15 __attribute__((ext_vector_type(15)));
typedef float float6 __attribute__((ext_vector_type(6)));

kernel void k(global int *o, global char *c)
{
    int i = get_global_id(0);
    char9 b = *(global char9 *)(c + 16 * i);
    int5 v = {1, 2, 3, 4, 5};
    long7 l = i;
    float6 f = {1, 2, 3, 4, 5, 6};
    ushort15 u = 1;

    v[i % 5] += i;
    l[(i + 1) % 7] *= 3;
    f[i] += 0.5f;
    f = f * 2;
    u[i + 3] = 9;
    u[i + 4] += u[i + 3];
    o[i] = v[i % 5] + (int)l[(i + 1) % 7] + (int)f[i] + u[i + 4] + b[(i + 2) % 9] + 2 * i + 22;
}
