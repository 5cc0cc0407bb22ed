/* tests/base/diag_test.c -- every status has a name of its own.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/diag.h"

#include "../launch/check.h"

int main(void)
{
    const char *unknown = hd_status_name((HdStatus)(HD_BUG + 1));
    Checks c = {0};

    for (int st = HD_OK; st <= HD_BUG; st++) {
        CHECK(&c, strcmp(hd_status_name((HdStatus)st), unknown) != 0);
        for (int other = HD_OK; other < st; other++)
            CHECK(&c, strcmp(hd_status_name((HdStatus)st), hd_status_name((HdStatus)other)) != 0);
    }
    CHECK(&c, strcmp(hd_status_name(HD_BUG), "internal error") == 0);
    return checks_end(&c, "diag_test");
}
