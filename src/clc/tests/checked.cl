// Checked arithmetic on operands and results of all widths and signs, with and without optimisation: numbers, and whether they
// overflowed. (Values: clang on x86-64.)
// RUN: heddle run %s k --global 8 --arg i64[8]=0,-1,127,65536,-2147483648,4294967295,9223372036854775807,-9223372036854775808 --arg i64[8]
// RUN: heddle run %s k --cl -cl-opt-disable --global 8 --arg i64[8]=0,-1,127,65536,-2147483648,4294967295,9223372036854775807,-9223372036854775808 --arg i64[8]
// RUN: heddle run %s k --cl -g --cl -cl-std=CLC++2021 --global 8 --arg i64[8]=0,-1,127,65536,-2147483648,4294967295,9223372036854775807,-9223372036854775808 --arg i64[8]
// RUN: heddle check %s k --global 8 --arg i64[8]=0,-1,127,65536,-2147483648,4294967295,9223372036854775807,-9223372036854775808 --arg i64[8]
// CHECK-NOT: {{byte [0-9]|warning|heddle:}}
// CHECK: arg 1: i64[8] = -5046311110708288884, 2688549709449054136, -5686268845684778743, -4153219901830678204, 6951613336877869999, -2464108707261610710, -4700123141524514738, 7966379806056913742
#define EACH(op, X, Y, R)                                                 \
    {                                                                     \
        R r;                                                              \
        f = __builtin_##op##_overflow((X)a[i], (Y)a[(i + ++n) % 8], &r); \
        h = (h ^ (ulong)r) * 1099511628211ul + f;                         \
    }
#define ALL(X, Y, R) EACH(add, X, Y, R) EACH(sub, X, Y, R) EACH(mul, X, Y, R)

kernel void k(global long *a, global long *o)
{
    ulong h = 14695981039346656037ul;
    int i = get_global_id(0), n = 0;
    bool f;
    int s;
    long l;
    _BitInt(17) p = (int)a[i], q;
    unsigned _BitInt(5) u = a[i], w;

    ALL(char, char, char) ALL(uchar, uchar, uchar) ALL(char, uchar, char) ALL(char, char, uchar)
    ALL(short, short, short) ALL(ushort, short, ushort) ALL(short, char, uchar)
    ALL(int, int, int) ALL(uint, uint, uint) ALL(int, uint, int) ALL(int, uint, uint) ALL(int, int, uint) ALL(int, int, char)
    ALL(long, long, long) ALL(ulong, ulong, ulong) ALL(long, ulong, long) ALL(ulong, long, ulong) ALL(long, long, ulong)
    ALL(ulong, ulong, long) ALL(ushort, ulong, long) ALL(int, ulong, short) ALL(long, uint, int) ALL(ulong, int, ulong)
    f = __builtin_sadd_overflow((int)a[i], 5, &s) | __builtin_smull_overflow(a[i], a[n % 8], &l);
    h = (h ^ (ulong)(l + s)) * 1099511628211ul + f;
    f = __builtin_sub_overflow(a[i], 18446744073709551615ul, &l) | __builtin_add_overflow(a[i], 7ul, &s);
    h = (h ^ (ulong)(l + s)) * 1099511628211ul + f;
    f = __builtin_mul_overflow(p, (_BitInt(17))300, &q);
    h = (h ^ (ulong)q) * 1099511628211ul + f;
    f = __builtin_sub_overflow(u, (unsigned _BitInt(5))3, &w);
    h = (h ^ (ulong)w) * 1099511628211ul + f;
    o[i] = h;
}
