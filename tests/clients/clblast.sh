# CLBlast's own tests: routines of all three levels against a reference BLAS on the host.
# iHAMAX is left out: CLBlast compares an index stored in a half with one stored in a float.
# SPDX-License-Identifier: MIT
command -v clblast_test_xaxpy > /dev/null || { echo 'no tests of CLBlast (Debian: clblast-tests)'; exit 77; }
routines='xaxpy xdot xscal xgemv'
[ -z "$CLIENTS_FULL" ] || routines="$routines xcopy xswap xnrm2 xasum xger xtrmv xtrsv xsymv xgemm xsyrk xtrsm xomatcopy
    xgemmbatched xaxpybatched xim2col"
for routine in $routines; do
    clblast_test_$routine > log 2>&1 || { tail -20 log; echo "$routine failed"; exit 1; }
    sed 's/\x1b\[[0-9;]*m//g' log > plain
    grep -q Heddle plain || { echo "$routine did not run on Heddle"; exit 1; }
    if ! grep -qE '[1-9][0-9]* test\(s\) passed' plain || grep -qE '[1-9][0-9]* test\(s\) failed' plain; then
        grep -E 'Starting|rate|failed' plain | tail -20
        echo "$routine: wrong results"
        exit 1
    fi
    echo "$routine: $(grep -E 'test\(s\) passed' plain | awk '{ n += $1 } END { print n }') passed"
done
