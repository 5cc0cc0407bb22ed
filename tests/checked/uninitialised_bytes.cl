// Numbers of which some bytes were never written: those of a union, of a variable, and what is computed from them.
// RUN: heddle check %s united --global 4 --arg i64[4]
// RUN: heddle check %s alone --global 4 --arg i64[4]
// RUN: heddle check %s narrow --global 4 --arg i64[4]
// RUN: heddle check %s computed --global 4 --arg i64[4]
// EXIT: 1
// CHECK: the host reads byte {{.*}} of buffer 0, where this kernel stored an undefined value [check.uninitialised]
kernel void united(global long *out)
{
    union {
        int i;
        long l;
    } u;

    u.i = 1;
    out[get_global_id(0)] = u.l;
}

kernel void alone(global long *out)
{
    long x;

    *(int *)&x = 1;
    out[get_global_id(0)] = x;
}

kernel void narrow(global short *out)
{
    int x;

    *(char *)&x = 1;
    out[get_global_id(0)] = x;
}

kernel void computed(global long *out)
{
    union {
        int i[2];
        long l[1];
    } u;

    u.i[0] = 1;
    out[get_global_id(0)] = u.l[0] + 1;
}
