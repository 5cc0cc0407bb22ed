// Correct kernels of unusual forms: flags between groups, lists and locks without barriers, two copies under way, parts of
// words and structures, pointers in structures.
// RUN: heddle check %s spin --cl -cl-std=CL3.0 --global 256 --local 64 --arg i32[8]=zeros --arg i32[256]
// RUN: heddle check %s histo --cl -cl-std=CL3.0 --global 512 --local 128 --arg i32[16]=zeros --arg i32[512]=range
// RUN: heddle check %s stack --cl -cl-std=CL3.0 --global 256 --local 64 --arg i32[256]=zeros --arg i32[256]=zeros --arg i32[1]=-1 --arg i32[1]=zeros
// RUN: heddle check %s pushpop --cl -cl-std=CL3.0 --global 128 --local 64 --arg i32[128]=zeros --arg i32[128]=zeros --arg i32[1]=-1 --arg i32[128]=zeros
// RUN: heddle check %s lastblock --cl -cl-std=CL3.0 --global 1024 --local 64 --arg i32[16]=zeros --arg i32[1]=zeros --arg i32[1] --arg i32[1024]=range
// RUN: heddle check %s fences --cl -cl-std=CL3.0 --global 128 --local 64 --arg i32[2]=zeros --arg i32[2]=zeros --arg i32[2]
// RUN: heddle check %s dbuf --cl -cl-std=CL3.0 --global 64 --local 64 --arg i32[512]=range --arg i32[512]
// RUN: heddle check %s dbufout --cl -cl-std=CL3.0 --global 64 --local 64 --arg i32[512]=range --arg i32[512]
// RUN: heddle check %s bitf --cl -cl-std=CL3.0 --global 16 --arg u32[16]=range --arg u32[16]
// RUN: heddle check %s bitg --cl -cl-std=CL3.0 --global 16 --arg u32[16]
// RUN: heddle check %s padcopy --cl -cl-std=CL3.0 --global 8 --arg u8[64] --arg i32[8]
// RUN: heddle check %s padarr --cl -cl-std=CL3.0 --global 8 --local 8 --arg u8[64]
// RUN: heddle check %s vec3pad --cl -cl-std=CL3.0 --global 8 --arg f32[32] --arg f32[32]=range
// RUN: heddle check %s subsync --cl -cl-std=CL3.0 --global 64 --local 64 --arg i32[64]
// RUN: heddle check %s maskdiv --cl -cl-std=CL3.0 --global 64 --local 64 --arg i32[64]
// RUN: heddle check %s gen --cl -cl-std=CL3.0 --global 16 --local 16 --arg i32[16]=range --arg i32[16]
// RUN: heddle check %s linked --cl -cl-std=CL3.0 --global 8 --arg i32[8]
// RUN: heddle check %s swapp --cl -cl-std=CL3.0 --global 8 --arg i32[8]
// RUN: heddle check %s lockm --cl -cl-std=CL3.0 --global 8 --local 1 --arg i32[1]=zeros --arg i32[1]=zeros
// RUN: heddle check %s lockd --cl -cl-std=CL3.0 --global 64 --local 64 --arg i32[1]=zeros --arg i32[1]=zeros
// RUN: heddle check %s condinit --cl -cl-std=CL3.0 --global 16 --arg i32[16]=range --arg i32[16]
// RUN: heddle check %s overlay --cl -cl-std=CL3.0 --global 8 --arg u32[8]=range --arg u8[32]
// RUN: heddle check %s bytesin --cl -cl-std=CL3.0 --global 8 --arg u32[8]
// RUN: heddle check %s zerolen --cl -cl-std=CL3.0 --global 4 --arg i32[4]
// EXIT: 0
// CHECK-NOT: error:
// CHECK-NOT: note:

// Groups wait for the flag of the group before: acquire and release.
kernel void spin(global atomic_int *flags, global int *data)
{
    int g = get_group_id(0), l = get_local_id(0), n = get_local_size(0);
    if (g > 0 && l == 0)
        while (atomic_load_explicit(&flags[g - 1], memory_order_acquire, memory_scope_device) ==
               0) {
        }
    work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    data[g * n + l] = g > 0 ? data[(g - 1) * n + (n - 1 - l)] + 1 : l;
    work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    if (l == 0)
        atomic_store_explicit(&flags[g], 1, memory_order_release, memory_scope_device);
}

kernel void histo(global atomic_int *bins, global const int *in)
{
    local atomic_int own[16];
    int l = get_local_id(0);
    if (l < 16)
        atomic_init(&own[l], 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&own[in[get_global_id(0)] & 15], 1, memory_order_relaxed,
                              memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        atomic_fetch_add_explicit(
            &bins[l], atomic_load_explicit(&own[l], memory_order_relaxed, memory_scope_work_group),
            memory_order_relaxed, memory_scope_device);
}

// A stack without locks that is only pushed to.
kernel void stack(global int *next, global int *value, global atomic_int *head,
                  global atomic_int *done)
{
    int i = get_global_id(0);
    value[i] = i * 3;
    int h = atomic_load_explicit(head, memory_order_relaxed, memory_scope_device);
    do {
        next[i] = h;
    } while (!atomic_compare_exchange_strong_explicit(head, &h, i, memory_order_release,
                                                      memory_order_relaxed, memory_scope_device));
}

kernel void pushpop(global int *next, global int *value, global atomic_int *head, global int *out)
{
    int i = get_global_id(0);
    value[i] = i + 1;
    int h = atomic_load_explicit(head, memory_order_relaxed, memory_scope_device);
    do {
        next[i] = h;
    } while (!atomic_compare_exchange_strong_explicit(head, &h, i, memory_order_acq_rel,
                                                      memory_order_relaxed, memory_scope_device));
    // What was there before: the exchange has acquired it.
    int sum = 0, k = h;
    while (k >= 0) {
        sum += value[k];
        k = next[k];
    }
    out[i] = sum > 0;
}

kernel void lastblock(global int *partial, global atomic_int *count, global int *out,
                      global const int *in)
{
    local int t[64];
    local int last;
    int l = get_local_id(0), g = get_group_id(0);
    t[l] = in[get_global_id(0)];
    for (int s = 32; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s)
            t[l] += t[l + s];
    }
    if (l == 0) {
        partial[g] = t[0];
        last = atomic_fetch_add_explicit(count, 1, memory_order_acq_rel, memory_scope_device) ==
               get_num_groups(0) - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (last && l == 0) {
        int sum = 0;
        for (int k = 0; k < get_num_groups(0); k++)
            sum += partial[k];
        out[0] = sum;
    }
}

kernel void fences(global int *data, global atomic_int *flag, global int *out)
{
    int g = get_group_id(0);
    if (get_local_id(0) != 0)
        return;
    if (g == 0) {
        data[0] = 42;
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
        atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
    } else {
        while (atomic_load_explicit(flag, memory_order_relaxed, memory_scope_device) == 0) {
        }
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
        out[g] = data[0];
    }
}

// While one half is read, the other is filled.
kernel void dbuf(global const int *in, global int *out)
{
    local int t[2][64];
    int l = get_local_id(0);
    event_t e[2];
    e[0] = async_work_group_copy(t[0], in, 64, 0);
    for (int k = 0; k < 8; k++) {
        if (k + 1 < 8)
            e[(k + 1) & 1] = async_work_group_copy(t[(k + 1) & 1], in + (k + 1) * 64, 64, 0);
        wait_group_events(1, &e[k & 1]);
        out[k * 64 + l] = t[k & 1][63 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

kernel void dbufout(global const int *in, global int *out)
{
    local int a[64], b[64];
    int l = get_local_id(0);
    for (int k = 0; k < 8; k++) {
        event_t e = async_work_group_copy(a, in + k * 64, 64, 0);
        wait_group_events(1, &e);
        b[l] = a[l] * 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        e = async_work_group_copy(out + k * 64, b, 64, 0);
        wait_group_events(1, &e);
    }
}

typedef union {
    uint w;
    struct {
        uchar lo;
        ushort hi;
    } f;
    uchar b[4];
} U;
kernel void bitf(global const uint *in, global uint *out)
{
    int i = get_global_id(0);
    U u;
    u.b[0] = i;
    u.b[2] = i + 1;
    u.b[3] = 2;
    u.w &= 0xffff00ffu;
    u.w = (u.w & ~0xe0u) | (in[i] << 5 & 0xe0u);
    out[i] = u.w + u.f.hi;
}

// Bits that are written one after the other, in a word whose others nobody reads.
kernel void bitg(global uint *out)
{
    int i = get_global_id(0);
    uint w;
    w = (w & ~0x1fu) | (i & 0x1f);
    w = (w & ~0xffe0u) | ((i + 1) << 5 & 0xffe0);
    out[i] = (w & 0x1f) + (w >> 5 & 0x7ff);
}

typedef struct {
    char c;
    int i;
} Pad;
kernel void padcopy(global Pad *o, global int *q)
{
    Pad p;
    int i = get_global_id(0);
    p.c = i;
    p.i = 2 * i;
    o[i] = p;
    Pad r = p;
    q[i] = r.c + r.i;
}

kernel void padarr(global Pad *o)
{
    local Pad l[8];
    int i = get_local_id(0);
    l[i].c = i;
    l[i].i = 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = l[7 - i];
}

kernel void vec3pad(global float3 *o, global const float3 *in)
{
    int i = get_global_id(0);
    float3 v;
    v.x = in[i].x;
    v.y = 2;
    v.z = 3;
    o[i] = v;
}

kernel void subsync(global int *o)
{
    local int t[64];
    int i = get_local_id(0), s = get_sub_group_local_id(), n = get_sub_group_size(), b = i - s;
    t[i] = i;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = t[b + n - 1 - s];
}

kernel void maskdiv(global int *o)
{
    int i = get_local_id(0), r = 0;
    if (i & 1)
        r = sub_group_non_uniform_reduce_add(i);
    else
        r = sub_group_non_uniform_scan_inclusive_max(i);
    o[i] = r;
}

static int get(int *p, int i)
{
    return p[i];
}
static void set(int *p, int i, int v)
{
    p[i] = v;
}
kernel void gen(global int *g, global int *o)
{
    local int l[16];
    int p[4] = {1, 2, 3, 4};
    int i = get_local_id(0);
    set((int *)l, i, i);
    barrier(CLK_LOCAL_MEM_FENCE);
    int *q = i % 3 == 0 ? (int *)g : i % 3 == 1 ? (int *)l : (int *)p;
    o[i] = get(q, i & 3);
}

typedef struct Node {
    int v;
    struct Node *next;
} Node;
kernel void linked(global int *o)
{
    Node n[4];
    int i = get_global_id(0);
    for (int k = 0; k < 4; k++) {
        n[k].v = k + i;
        n[k].next = k < 3 ? &n[k + 1] : 0;
    }
    int s = 0;
    for (Node *p = n; p; p = p->next)
        s += p->v;
    o[i] = s;
}

typedef struct {
    int *p;
    int n;
} Span;
static Span make(int *p, int n)
{
    Span s;
    s.p = p;
    s.n = n;
    return s;
}
static int sum(Span s)
{
    int t = 0;
    for (int i = 0; i < s.n; i++)
        t += s.p[i];
    return t;
}
kernel void swapp(global int *o)
{
    int a[4] = {1, 2, 3, 4}, b[3] = {5, 6, 7};
    Span s = make(a, 4), t = make(b, 3), u = get_global_id(0) & 1 ? s : t;
    o[get_global_id(0)] = sum(u) + sum(s) * 2;
}

// One work-item of a group takes a lock.
kernel void lockm(global atomic_int *lock, global int *c)
{
    int e;
    do {
        e = 0;
    } while (!atomic_compare_exchange_weak_explicit(lock, &e, 1, memory_order_acquire,
                                                    memory_order_relaxed, memory_scope_device));
    c[0] += 1;
    atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
}

kernel void lockd(global atomic_int *lock, global int *c)
{
    for (bool done = false; !done;)
        if (atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device) == 0) {
            c[0] += 1;
            atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
            done = true;
        }
}

kernel void condinit(global int *a, global int *o)
{
    int i = get_global_id(0), x;
    bool has = a[i] > 4;
    if (has)
        x = a[i];
    o[i] = has ? x : 0;
}

kernel void overlay(global const uint *in, global uchar *out)
{
    uint w;
    int i = get_global_id(0);
    uchar *b = (uchar *)&w;
    w = in[i];
    for (int k = 0; k < 4; k++)
        out[i * 4 + k] = b[3 - k];
}

kernel void bytesin(global uint *out)
{
    int i = get_global_id(0);
    uchar b[4];
    for (int k = 0; k < 4; k++)
        b[k] = i + k;
    out[i] = *(uint *)b;
}

kernel void zerolen(global int *o)
{
    int i = get_global_id(0);
    int a[4];
    for (int k = 0; k < i; k++)
        a[k] = k;
    int s = 0;
    for (int k = 0; k < i; k++)
        s += a[k];
    o[i] = s;
}
