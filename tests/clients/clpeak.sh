# clpeak: every test of it ends and measures something.
# SPDX-License-Identifier: MIT
command -v clpeak > /dev/null || { echo 'no clpeak (Debian: clpeak)'; exit 77; }
clpeak > log 2>&1 || { tail -20 log; exit 1; }
grep -q 'Device: Heddle' log || { tail -20 log; exit 1; }
! grep -qiE 'error|skipped|: *0(\.0+)?$' log || { cat log; exit 1; }
