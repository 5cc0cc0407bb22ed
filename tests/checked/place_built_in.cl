// What happens in a built-in that is written out before the source is at the source's line, not at one of what is before it.
// RUN: heddle check %s images --cl -cl-std=CL3.0 --global 2,1 --arg image2d:2x1:RGBA:FLOAT
// RUN: heddle check %s starts --cl -cl-std=CL3.0 --global 1 --local 1 --arg i32[1]
// EXIT: 1
// CHECK-NOT: prelude.h
// CHECK: place_built_in.cl:{{13|19}}:{{.*}}[check.
#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable
kernel void images(write_only image2d_t to)
{
    int x = get_global_id(0);

    /* the second of two */
    write_imagef(to, (int2){x + 1, 0}, (float4){x, x, x, x});
}

kernel void starts(global atomic_int *a)
{
    /* one further than there is */
    atomic_init(a + 1, 1);
}
