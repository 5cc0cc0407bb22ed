// Conversions that C has and OpenCL C lacks: they print what C prints, and the compiler warns of them.
// RUN: heddle run %s --global 1 --arg i64[1]=-5000000000 --arg i32[1]=9
// RUN: heddle run %s --global 1 --arg i64[1]=-5000000000 --arg i32[1]=9 --engine interpreted
// CHECK: [-5000000000] [-5000000000] [18446744068709551616] [fffffffed5fa0e00] [FFFFFFFED5FA0E00] [1777777777732576407000]
// CHECK: [-5000000000] [18446744068709551616] [        -5000000000]
// CHECK: [       42] [42       ] [000000042] [-9     ] [+7]
// CHECK: [3.14] [     2.718] [2.718280] [1.500000] [1.5] [6.25E-02]
// CHECK: [    ab] [a] [x     ] [     x] [0x0ff]
// CHECK: [  1,  2,  3,  4] [     1.50,     2.50]
// CHECK: [%] [*] [100%] [   -9]
// WIDTHS: 1 4 8
kernel void k(global long *n, global int *width)
{
    long a = n[0];
    int w = width[0];

    printf("[%lld] [%lli] [%llu] [%llx] [%llX] [%llo]\n", a, a, (ulong)a, (ulong)a, (ulong)a, (ulong)a);
    printf("[%jd] [%ju] [%*lld]\n", a, (ulong)a, 19, a);
    printf("[%*d] [%-*d] [%0*d] [%*d] [%+*d]\n", w, 42, w, 42, w, 42, -7, -9, 0, 7);
    printf("[%.*f] [%*.*f] [%.*f] [%Lf] [%Lg] [%.*E]\n", 2, 3.14159f, 10, 3, 2.71828f, -1, 2.71828f, 1.5f, 1.5f, 2, 0.0625f);
    printf("[%*s] [%.*s] [%-*c] [%*c] [%#0*x]\n", 6, "ab", 1, "ab", 6, 'x', 6, 'x', 5, 255);
    printf("[%*v4hld] [%*.*v2hlf]\n", 3, (int4)(1, 2, 3, 4), 9, 2, (float2)(1.5f, 2.5f));
    printf("[%%] [*] [%d%%] [%*hhd]\n", 100, 5, (char)-9);
}
