/* tests/check/epochs_test.c -- numbers of epochs, when they begin again while launches run.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../launch/check.h"
#include "check/cell.h"
#include "check/check.h"

#define HALF (HD_CELL_EPOCHS / 2)

static uint32_t take(Checks *c, HdCheck *k, uint32_t count)
{
    uint32_t first = 0;

    CHECK(c, hd_check_epochs(k, count, &first) == HD_OK && first != 0);
    CHECK(c, first + count <= HD_CELL_EPOCHS);
    return first;
}

/* What ends before the numbers begin again leaves none behind. */
static void test_ended(Checks *c)
{
    HdCheck *k = NULL;

    CHECK(c, hd_check_open(&k) == HD_OK);
    for (int i = 0; i < 5; i++) {
        uint32_t first = take(c, k, HALF - 1);

        CHECK(c, first == (i % 2 == 0 ? 1 : HALF));
        hd_check_epochs_end(k, first);
    }
    hd_check_close(k);
}

/* A launch that goes on writing its numbers into cells after these were emptied keeps them, also
 * when it has ended, until they are emptied again. */
static void test_running(Checks *c)
{
    const uint32_t count = 100000, large = HALF;
    uint32_t a, b;
    HdCheck *k = NULL;

    CHECK(c, hd_check_open(&k) == HD_OK);
    a = take(c, k, count);
    hd_check_epochs_end(k, take(c, k, large));
    b = take(c, k, large); /* again from 1 on, but for the launch that runs */
    CHECK(c, a == 1 && b == a + count);
    hd_check_epochs_end(k, a);
    hd_check_epochs_end(k, b);
    b = take(c, k, count / 2);
    CHECK(c, b > a + count);
    hd_check_epochs_end(k, b);
    b = take(c, k, large);
    CHECK(c, b == 1);
    hd_check_epochs_end(k, b);
    hd_check_close(k);
}

/* One in the middle. */
static void test_between(Checks *c)
{
    HdCheck *k = NULL;
    uint32_t a, b;

    CHECK(c, hd_check_open(&k) == HD_OK);
    hd_check_epochs_end(k, take(c, k, HALF));
    a = take(c, k, 1000);
    hd_check_epochs_end(k, take(c, k, HALF - 2000));
    b = take(c, k, HALF - 2);
    CHECK(c, b == 1);
    CHECK(c, take(c, k, 5000) == a + 1000);
    hd_check_close(k);
}

int main(void)
{
    Checks c = {0};

    test_ended(&c);
    test_running(&c);
    test_between(&c);
    return checks_end(&c, "epochs");
}
