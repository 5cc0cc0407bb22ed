// The least of a row by its place: what is there is kept beside the place. Where the loop writes the row, or what is chosen
// is another place than the one that was loaded, each round loads anew.
// RUN: heddle run %s rows --global 20 --local 20 --arg i32[400]=random:3 --arg i32[20]=zeros --arg i32=20
// RUN: heddle run %s rows --global 20 --local 20 --arg i32[400]=random:3 --arg i32[20]=zeros --arg i32=1
// RUN: heddle run %s rows --global 20 --local 20 --arg i32[400]=random:3 --arg i32[20]=zeros --arg i32=0
// RUN: heddle run %s floats --global 20 --local 20 --arg f32[400]=1,nan,-0,0,3,0,-1,nan,-1,2 --arg i32[40]=zeros --arg i32=20
// RUN: heddle run %s unsigneds --global 20 --local 20 --arg i64[420]=random:4 --arg u32[20]=zeros --arg u32=20
// RUN: heddle run %s pointers --global 20 --local 20 --arg i32[400]=random:5 --arg i32[20]=zeros --arg i32=20
// RUN: heddle run %s sorted --global 20 --local 20 --arg i32[400]=random:6 --arg i32=20
// RUN: heddle run %s written --global 20 --local 20 --arg i32[400]=random:7 --arg i32=20
// RUN: heddle run %s others --global 20 --local 20 --arg i32[420]=random:8 --arg i32[60]=zeros --arg i32=20
// RUN: heddle run %s far --global 20 --local 20 --arg i32[400]=random:9 --arg i32[20]=zeros --arg i64=4294967296
// RUN: heddle run %s mixed --global 20 --local 20 --arg i32[800]=random:10 --arg i32[40]=zeros --arg i32=20
kernel void rows(global const int *a, global int *y, int n)
{
    int row = get_global_id(0) * n, least = 0;

    for (int j = 1; j < n; j++)
        if (a[row + j] < a[row + least])
            least = j;
    y[get_global_id(0)] = least + n;
}

kernel void floats(global const float *a, global int *y, int n)
{
    global const float *x = a + get_global_id(0) * n;
    int least = 0, most = 0;

    for (int j = 0; j < n; j++) {
        if (x[j] < x[least])
            least = j;
        most = x[j] <= x[most] ? most : j;
    }
    y[get_global_id(0) * 2] = least;
    y[get_global_id(0) * 2 + 1] = most;
}

kernel void unsigneds(global const long *a, global uint *y, uint n)
{
    uint row = get_global_id(0) * n, best = 1;

    for (uint j = 2; j <= n; j++)
        if (a[row + j] > a[row + best])
            best = j;
    y[get_global_id(0)] = best;
}

kernel void pointers(global const int *a, global int *y, int n)
{
    global const int *p = a + get_global_id(0) * n, *best = p;

    for (int j = 0; j < n; j++, p++)
        if (*p > *best)
            best = p;
    y[get_global_id(0)] = best - a;
}

kernel void sorted(global int *a, int n)
{
    global int *x = a + get_global_id(0) * n;

    for (int i = 0; i < n - 1; i++) {
        int least = i, t;

        for (int j = i + 1; j < n; j++)
            least = x[j] < x[least] ? j : least;
        t = x[i];
        x[i] = x[least];
        x[least] = t;
    }
}

// The place that was chosen changes meanwhile.
kernel void written(global int *a, int n)
{
    global int *x = a + get_global_id(0) * n;
    int least = 0;

    for (int j = 1; j < n; j++) {
        if (x[j] < x[least])
            least = j;
        x[j - 1] += x[least] & 7;
    }
}

// The neighbour of the one that was loaded; a choice of the round before; one that counts on.
kernel void others(global const int *a, global int *y, int n)
{
    int row = get_global_id(0) * n, next = 0, last = 0, before = 0, count = 0;

    for (int j = 1; j < n; j++) {
        if (a[row + j] < a[row + next])
            next = j + 1;
        if (a[row + j] < a[row + last])
            last = before;
        before = j;
        if (a[row + j] < a[row + count])
            count = count + 1;
    }
    y[get_global_id(0) * 3] = next;
    y[get_global_id(0) * 3 + 1] = last;
    y[get_global_id(0) * 3 + 2] = count;
}

// The chosen index is the counter's lower half, which does not tell where that was.
kernel void far(global const int *a, global int *y, long from)
{
    int id = get_global_id(0), least = 0;

    for (long j = from + 1; j < from + 20; j++)
        if (a[id * 20 + (int)(j - from)] < a[id * 20 + least])
            least = (int)j;
    y[id] = least;
}

// What else the place is made of is another number in the next round, though the sums look the same in this one.
kernel void mixed(global const int *a, global int *y, int n)
{
    global const int *x = a + get_global_id(0) * n;
    int best = 0, other = 0;

    for (int j = 1; j < n; j++) {
        if (x[best + j] < x[2 * j])
            best = j;
        if (x[other + (x[j] & 3)] < x[j + (x[j] & 3)])
            other = j;
    }
    y[get_global_id(0) * 2] = best;
    y[get_global_id(0) * 2 + 1] = other;
}
