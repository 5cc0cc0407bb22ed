// Boxes are copied line by line; all lines of a box have one event, and so have boxes that share it.
// RUN: heddle check %s fine --global 32 --local 16 --width 8 --arg i32[64]=range --arg i32[64] --print 1
// RUN: heddle check %s fine --optimised --global 32 --local 16 --width 8 --arg i32[64]=range --arg i32[64] --print 1
// RUN: heddle run %s fine --global 32 --local 16 --arg i32[64]=range --arg i32[64] --print 1
// CHECK-NOT: [check.
// CHECK: = 0, 8, 2, 10, 4, 12, 6, 14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 36, 37, 38, 0, 0, 0, 0, 0, 44, 45, 46, 0,

kernel void fine(global int *in, global int *out)
{
    local int l[2][3], box[2][2][2];
    event_t e;

    if (get_group_id(0) == 1) {
        /* two lines of three from the middle of an 8 x 8 square, and back to another place */
        e = async_work_group_copy_2D2D(l, 0, in, 36, sizeof(int), 3, 2, 8, 3, 0);
        wait_group_events(1, &e);
        e = async_work_group_copy_2D2D(out, 43, l, 0, sizeof(int), 3, 2, 3, 8, 0);
        wait_group_events(1, &e);
    } else {
        /* every second of the first 16, the two of a line then 8 apart: [plane][line][column] */
        for (int i = 0; i < 2; i++) {
            event_t first = async_work_group_copy_3D3D(box, 0, in, 0, sizeof(int), 1, 2, 2, 2, 4, 2, 4, 0);

            first = async_work_group_copy_3D3D(box, 1, in, 8, sizeof(int), 1, 2, 2, 2, 4, 2, 4, first);
            wait_group_events(1, &first);
        }
        e = async_work_group_copy_3D3D(out, 0, box, 0, sizeof(int), 2, 2, 2, 2, 4, 2, 4, 0);
        wait_group_events(1, &e);
    }
}
