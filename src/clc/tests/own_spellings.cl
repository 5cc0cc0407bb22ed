// Functions of a source with the names of built-ins that Heddle replaces, in spellings that C has: the source's own.
// RUN: heddle run %s k --cl -cl-std=CL3.0 --global 1 --arg i32[13]=zeros --expect 0=1,2,3,4,5,6,7,8,9,10,11,12,77
// CHECK-NOT: {{warning|redefined|prelude}}
int(any)(int4 v) { return v.x; }
static int __attribute__((noinline)) convert_int(uint v) { return (int)v + 1; }
static inline __attribute__((overloadable)) int(all)(int2 v) { return 3; }
#define FUNCTION(type, name) \
    type(name)(int v) { return v + 1; }
FUNCTION(int, vloada_half)
static int work_group_reduce_mul(int v);
global int *atomic_fetch_add(global int *p, int v) { return p + v; }
typedef int Function(int v);
Function atomic_load_explicit;
__attribute__((always_inline)) uint
intel_sub_group_shuffle(uint v, uint by)
{
    return v + by;
}

kernel void k(global int *o)
{
    int get_image_channel_data_type(int v), sum;
    int (^atomic_store_explicit)(int, int, int) = ^int(int a, int b, int c) { return a + b + c; };
    int (^vstorea_half_rte)(int) = ^(int v) { return v + 1; };

    o[0] = any((int4)(1));
    o[1] = convert_int(1u);
    o[2] = all((int2)(1));
    o[3] = vloada_half(3);
    o[4] = work_group_reduce_mul(1);
    *atomic_fetch_add(o, 5) = 6;
    o[6] = atomic_load_explicit(6);
    o[7] = intel_sub_group_shuffle(3u, 5u);
    o[8] = get_image_channel_data_type(8);
    o[9] = atomic_store_explicit(2, 3, 5);
    o[10] = vstorea_half_rte(10);
    sum = 12;
    o[11] = sum;
    o[12] = 77;
}

static int work_group_reduce_mul(int v) { return v + 4; }
int atomic_load_explicit(int v) { return v + 1; }
int get_image_channel_data_type(int v) { return v + 1; }
