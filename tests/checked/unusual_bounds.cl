// Outside of memory: through functions, structures, vectors, pointers of any class and copies.
// RUN: heddle check %s helper --cl -cl-std=CL3.0 --global 8 --arg i32[8]=range --arg i32[8]
// RUN: heddle check %s structfield --cl -cl-std=CL3.0 --global 4 --arg i32[16]=range --arg i32[4]
// RUN: heddle check %s vecwrite --cl -cl-std=CL3.0 --global 4 --arg f32[16]=zeros --arg i32=2
// RUN: heddle check %s vecread --cl -cl-std=CL3.0 --global 4 --arg f32[15]=zeros --arg f32[16]
// RUN: heddle check %s vec3 --cl -cl-std=CL3.0 --global 4 --arg f32[12]=zeros --arg f32[16]
// RUN: heddle check %s genericp --cl -cl-std=CL3.0 --global 8 --local 8 --arg i32[8]=range --arg i32[8]
// RUN: heddle check %s memcpyover --cl -cl-std=CL3.0 --global 1 --arg i32[8]=range --arg i32[12]
// RUN: heddle check %s neg --cl -cl-std=CL3.0 --global 8 --arg i32[8]=range --arg i32[8]
// RUN: heddle check %s twod --cl -cl-std=CL3.0 --global 4,4 --arg i32[16]=range --arg i32[16] --arg i32=5
// RUN: heddle check %s local2d --cl -cl-std=CL3.0 --global 4,4 --local 4,4 --arg i32[16]
// RUN: heddle check %s prividx --cl -cl-std=CL3.0 --global 4 --arg i32[4]=range --arg i32[4]
// RUN: heddle check %s constidx --cl -cl-std=CL3.0 --global 4 --arg i32[4]=range --arg i32[4]
// RUN: heddle check %s spanby --cl -cl-std=CL3.0 --global 8 --arg i32[8]
// RUN: heddle check %s spanlocal --cl -cl-std=CL3.0 --global 8 --local 8 --arg i32[8]
// RUN: heddle check %s argstruct --cl -cl-std=CL3.0 --global 8 --arg i32[8]
// RUN: heddle check %s progvar --cl -cl-std=CL3.0 --global 8 --arg i32[8]
// RUN: heddle check %s halfvec --cl -cl-std=CL3.0 --global 4 --arg u16[10]=zeros --arg f32[16]
// RUN: heddle check %s chain --cl -cl-std=CL3.0 --global 4 --arg i32[4]=range --arg i32[4]
// RUN: heddle check %s selectp --cl -cl-std=CL3.0 --global 4 --arg i32[4]=range --arg i32[8]=range --arg i32[4]
// RUN: heddle check %s twoarr --cl -cl-std=CL3.0 --global 8 --local 8 --arg i32[8] --arg local[32] --arg local[32]
// RUN: heddle check %s asyncover --cl -cl-std=CL3.0 --global 16 --local 16 --arg i32[16]=range --arg i32[20]
// RUN: heddle check %s asynclocal --cl -cl-std=CL3.0 --global 16 --local 16 --arg i32[32]=range --arg i32[20]
// RUN: heddle check %s asyncstr --cl -cl-std=CL3.0 --global 16 --local 16 --arg i32[32]=range --arg i32[20]
// EXIT: 1
// CHECK: error: {{.*}} [check.{{out-of-bounds|index}}]
// CHECK: variable: {{[a-z]+}}

static int deep(global const int *p, int i)
{
    return p[i];
}
static int mid(global const int *p, int i)
{
    return deep(p + 1, i);
}
kernel void helper(global const int *in, global int *out)
{
    int i = get_global_id(0);
    out[i] = mid(in, i);
}

typedef struct {
    int n;
    int v[3];
} S;
kernel void structfield(global S *s, global int *out)
{
    int i = get_global_id(0);
    out[i] = s[i].v[i];
}

kernel void vecwrite(global float *p, int n)
{
    int i = get_global_id(0);
    vstore4((float4)(1), i + n, p);
}

kernel void vecread(global float *p, global float4 *q)
{
    int i = get_global_id(0);
    q[i] = vload4(i, p);
}

kernel void vec3(global float3 *p, global float *q)
{
    int i = get_global_id(0);
    q[i] = p[i].x + p[i].z;
}

static int pick(int *p, int i)
{
    return p[i];
}
kernel void genericp(global int *g, global int *out)
{
    local int l[8];
    int i = get_local_id(0);
    l[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *p = (i & 1) ? (int *)g : (int *)l;
    out[i] = pick(p, i + 1);
}

typedef struct {
    int v[12];
} B12;
kernel void memcpyover(global B12 *in, global B12 *out)
{
    *out = *in;
}

kernel void neg(global int *in, global int *out)
{
    int i = get_global_id(0);
    out[i] = in[i - 1];
}

kernel void twod(global int *in, global int *out, int pitch)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * 4 + x] = in[y * pitch + x];
}

kernel void local2d(global int *out)
{
    local int t[4][5];
    int x = get_local_id(0), y = get_local_id(1);
    t[y][x + y] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * 4 + x] = t[y][x + 2];
}

kernel void prividx(global int *in, global int *out)
{
    int table[4] = {1, 2, 3, 4};
    int i = get_global_id(0);
    out[i] = table[in[i] + 1];
}

constant int lut[4] = {1, 2, 3, 4};
kernel void constidx(global int *in, global int *out)
{
    int i = get_global_id(0);
    out[i] = lut[in[i] + 1];
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
kernel void spanby(global int *o)
{
    int b[3] = {5, 6, 7};
    int a[4] = {1, 2, 3, 4};
    int c[3] = {5, 6, 7};
    Span s = make(a, 5);
    o[get_global_id(0)] = sum(s) + b[get_global_id(0) % 3] + c[get_global_id(0) % 3];
}

typedef struct {
    local int *p;
    int n;
} LSpan;
kernel void spanlocal(global int *o)
{
    local int a[8];
    local int b[8];
    local LSpan s;
    int i = get_local_id(0);
    a[i] = i;
    b[i] = 2;
    if (i == 0) {
        s.p = a;
        s.n = 9;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int t = 0;
    for (int k = 0; k < s.n; k++)
        t += s.p[k];
    o[i] = t + b[i];
}

typedef struct {
    int *from;
    int *to;
    int n;
} Job;
static void run_job(const Job *j)
{
    for (int i = 0; i < j->n; i++)
        j->to[i] = j->from[i];
}
kernel void argstruct(global int *o)
{
    int src[6] = {1, 2, 3, 4, 5, 6};
    int tab[4];
    int after[4] = {0};
    Job j = {src, tab, 6};
    run_job(&j);
    o[get_global_id(0)] = tab[0] + after[0];
}

global int counts[4];
kernel void progvar(global int *o)
{
    int i = get_global_id(0);
    counts[i] = i;
    o[i] = i;
}

kernel void halfvec(global half *h, global float *o)
{
    int i = get_global_id(0);
    vstore4(vload_half4(i, h), i, o);
}

kernel void chain(global int *next, global int *o)
{
    int k = get_global_id(0);
    for (int s = 0; s < 5; s++)
        k = next[k] + 1;
    o[get_global_id(0)] = k;
}

kernel void selectp(global int *a, global int *b, global int *o)
{
    int i = get_global_id(0);
    global int *p = i & 1 ? a : b;
    p += 4;
    o[i] = *p;
}

kernel void twoarr(global int *o, local int *a, local int *b)
{
    int i = get_local_id(0);
    a[i + 1] = i;
    b[i] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = a[i] + b[i];
}

kernel void asyncover(global int *in, global int *out)
{
    local int l[20];
    event_t e = async_work_group_copy(l, in, 20, 0);
    wait_group_events(1, &e);
    int i = get_local_id(0);
    out[i] = l[i];
}

kernel void asynclocal(global int *in, global int *out)
{
    local int l[16];
    event_t e = async_work_group_copy(l, in, 20, 0);
    wait_group_events(1, &e);
    int i = get_local_id(0);
    out[i] = l[i];
}

kernel void asyncstr(global int *in, global int *out)
{
    local int l[16];
    event_t e = async_work_group_strided_copy(l, in, 16, 3, 0);
    wait_group_events(1, &e);
    int i = get_local_id(0);
    out[i] = l[i];
}
