// The twin of uninitialised_bytes.cl: padding is copied along, also in a structure's whole or through a wider number.
// RUN: heddle check %s good --global 4 --arg i32[8] --arg i64[4]
// CHECK-NOT: [check.
struct Padded {
    char c;
    int i;
};

kernel void good(global struct Padded *out, global long *united)
{
    struct Padded p, q;
    size_t g = get_global_id(0);
    union {
        int i[2];
        long l;
    } u;

    p.c = 1;
    p.i = 2;
    q = p;
    if (g == 0)
        out[g] = q;
    else
        *(global long *)&out[g] = *(long *)&q;
    u.i[0] = 1;
    u.i[1] = 2;
    united[g] = u.l;
}
