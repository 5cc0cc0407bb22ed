// always_inline functions that keep to their own elements: the twin of inlined.
// RUN: heddle check %s good --global 32 --local 16 --arg local[64]
// EXIT: 0
// CHECK-NOT: check.

static __attribute__((__always_inline__)) void set(local int *p, int x) { p[get_local_id(0)] = x; }
inline __attribute__((always_inline)) int peek(local int *p) { return p[get_local_id(0)]; }

kernel void good(local int *p)
{
    set(p, 1);
    peek(p);
    p[get_local_id(0)] = get_local_id(0);
}
