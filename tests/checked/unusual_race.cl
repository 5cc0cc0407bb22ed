// Races of unusual forms.
// RUN: heddle check %s raceloop --cl -cl-std=CL3.0 --global 64 --local 64 --arg i32[64]=zeros
// RUN: heddle check %s racestruct --cl -cl-std=CL3.0 --global 64 --local 64 --arg i32[128]=zeros --arg i32[64]
// RUN: heddle check %s racebits --cl -cl-std=CL3.0 --global 64 --local 64 --arg u32[2]=zeros
// RUN: heddle check %s asyncfn --cl -cl-std=CL3.0 --global 16 --local 16 --arg i32[16]=range --arg i32[16]
// RUN: heddle check %s asyncraces --cl -cl-std=CL3.0 --global 64 --local 64 --arg i32[64]=range --arg i32[64]
// RUN: heddle check %s crossgroup --cl -cl-std=CL3.0 --global 64 --local 16 --arg i32[1]=zeros
// RUN: heddle check %s swap --cl -cl-std=CL3.0 --global 64 --local 64 --arg i32[64]=range
// RUN: heddle check %s nosync --cl -cl-std=CL3.0 --global 128 --local 128 --arg i32[1]=zeros --arg i32[128]=range
// RUN: heddle check %s fencelocal --cl -cl-std=CL3.0 --global 64 --local 64 --arg i32[1]=zeros --arg i32[64]
// RUN: heddle check %s prograce --cl -cl-std=CL3.0 --global 32 --local 8 --arg i32[8]
// EXIT: 1
// CHECK: error: {{.*}} races with a {{.*}} [check.race]
// CHECK: variable: {{[a-z]+}}
// CHECK: {{(written|read).*}} in {{[a-z]+}} at

kernel void raceloop(global int *a)
{
    int i = get_local_id(0);
    for (int k = 0; k < 4; k++) {
        int t = a[(i + 1) % 64];
        a[i] = t + k;
    }
}

typedef struct {
    int x, y;
} P;
static void setx(local P *p, int v)
{
    p->x = v;
}
kernel void racestruct(global P *g, global int *o)
{
    local P l[64];
    int i = get_local_id(0);
    setx(&l[i], i);
    l[i].y = l[63 - i].x;
    o[i] = l[i].y;
}

kernel void racebits(global uint *b)
{
    int i = get_local_id(0);
    b[i / 32] |= 1u << (i % 32);
}

static event_t start(local int *l, global int *g)
{
    return async_work_group_copy(l, g, 16, 0);
}
kernel void asyncfn(global int *g, global int *o)
{
    local int l[16];
    event_t e = start(l, g);
    o[get_local_id(0)] = l[get_local_id(0)];
    wait_group_events(1, &e);
}

kernel void asyncraces(global int *in, global int *out)
{
    local int l[64];
    int i = get_local_id(0);
    l[i] = 7;
    event_t e = async_work_group_copy(l, in, 64, 0);
    wait_group_events(1, &e);
    out[i] = l[i];
}

static void bump(global int *s, int v)
{
    *s += v;
}
kernel void crossgroup(global int *s)
{
    if (get_local_id(0) == 0)
        bump(s, get_group_id(0));
}

kernel void swap(global int *a)
{
    local int t[64];
    int i = get_local_id(0);
    t[i] = a[i];
    a[i] = t[63 - i];
}

kernel void nosync(global int *out, global int *in)
{
    local int t[128];
    int i = get_local_id(0);
    t[i] = in[i];
    for (int s = 64; s > 0; s >>= 1) {
        if (s > 32)
            barrier(CLK_LOCAL_MEM_FENCE);
        if (i < s)
            t[i] += t[i + s];
    }
    if (i == 0)
        out[0] = t[0];
}

kernel void fencelocal(global int *f, global int *o)
{
    local int t;
    int i = get_local_id(0);
    if (i == 40) {
        t = 5;
        mem_fence(CLK_LOCAL_MEM_FENCE);
    }
    o[i] = i == 3 ? t : 0;
}

global int total;
kernel void prograce(global int *o)
{
    total += 1;
    o[0] = 1;
}
