// Some work-items load from two places and store to the same ones, crosswise; in memory of every kind, next to each other,
// far apart, and both places the same.
// RUN: heddle run %s neighbours --global 40 --local 20 --arg u32[40]=range --no-print --expect 0=1,0,2,3,5,4,7,6,8,9,11,10,13,12,14,15,17,16,19,18,20,21,23,22,25,24,26,27,29,28,31,30,32,33,35,34,37,36,38,39
// RUN: heddle run %s apart --global 20 --local 20 --arg u8[40]=range --no-print --expect 0=0,38,37,36,4,34,33,32,8,30,29,28,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,11,10,9,31,7,6,5,35,3,2,1,39
// RUN: heddle run %s arrays --global 40 --local 20 --arg u32[40]=range --no-print --expect 0=100001053,101010265,2021575,103031650,104040898,105052108,106063312,7072630,108082729,109093945,110103163,111113368,12123685,113135770,114144001,115154218,116164429,17174740,118184839,119195026,120204274,121215484,22225795,123237880,124246105,125257321,126266539,27276850,128286925,129299146,130307377,131317594,32327905,133337017,134348215,135358402,136367650,37378960,138390064,139401256
kernel void neighbours(global uint *a)
{
    size_t i = get_global_id(0);

    if (i % 2 == 1 && i % 3 != 0) {
        uint x = a[i], y = a[i - 1];

        a[i] = y;
        a[i - 1] = x;
    }
}
kernel void apart(global uchar *a)
{
    size_t i = get_global_id(0), other = i % 4 == 0 ? i : 39 - i;

    if (i < 13) {
        uchar x = a[i], y = a[other];

        a[other] = x;
        a[i] = y;
    }
}
kernel void arrays(global uint *a)
{
    local uint cells[40];
    uint own[4], i = get_global_id(0), l = get_local_id(0);

    for (uint k = 0; k < 4; k++)
        own[k] = i * 10 + k;
    cells[2 * l] = i;
    cells[2 * l + 1] = 100 + i;
    if (i % 5 != 2) {
        uint p = i & 3, q = i >> 2 & 3, x = own[p], y = own[q];

        own[p] = y;
        own[q] = x;
        x = cells[2 * l], y = cells[2 * l + 1];
        cells[2 * l] = y;
        cells[2 * l + 1] = x;
    }
    a[i] = own[0] + 1000 * own[1] + 7 * own[2] + 13 * own[3] + 1000000 * cells[2 * l] + cells[2 * l + 1];
}
