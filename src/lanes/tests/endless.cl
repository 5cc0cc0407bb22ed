// An endless loop on a way that no work-item goes: those that a branch sends past it go on.
// RUN: heddle run %s error --global 8 --arg i32[8]=range --arg i32[8]=zeros --expect 0=7,8,9,10,11,12,13,14 --expect 1=0,0,1,3,6,10,15,21
// RUN: heddle run %s cases --global 8 --arg i32[8]=range --expect 0=1,3,9,9,9,9,9,9
// RUN: heddle run %s nested --global 8 --arg i32[8]=range --expect 0=10,2,12,6,14,10,16,14

kernel void error(global int *a, global int *sum)
{
    int i = get_global_id(0);

    if (a[i] == 12345) {
        sum[i] = 9;
        for (;;)
            ;
    }
    for (int j = 0; j < a[i]; j++)
        sum[i] += j;
    a[i] += 7;
}

kernel void cases(global int *a)
{
    int i = get_global_id(0), r;

    switch (a[i]) {
    case 0:
        r = 1;
        break;
    case 1:
        r = 3;
        break;
    case 77:
        a[i] = 5;
        while (1)
            a[i + 1]++;
    default:
        r = 9;
    }
    a[i] = r;
}

kernel void nested(global int *a)
{
    int i = get_global_id(0);

    if (a[i] & 1) {
        if (a[i] > 100) {
            a[i] = 0;
            for (;;)
                ;
        }
        a[i] *= 2;
    } else {
        a[i] += 10;
    }
}
