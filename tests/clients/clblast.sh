# CLBlast's own tests: routines of all three levels against a reference BLAS on the host; all that are installed with
# CLIENTS_FULL. Two of its routines for halves are not counted, because of CLBlast itself: iHAMAX compares an index
# stored in a half with one stored in a float, HGEMMBATCHED reads its factors, which are halves, as floats.
# SPDX-License-Identifier: MIT
command -v clblast_test_xaxpy > /dev/null || { echo 'no tests of CLBlast (Debian: clblast-tests)'; exit 77; }
routines='xaxpy xdot xscal xgemv'
if [ -n "$CLIENTS_FULL" ]; then
    folder=$(dirname "$(command -v clblast_test_xaxpy)")
    routines=$(ls "$folder" | sed -n 's/^clblast_test_\(x.*\)/\1/p')
fi
for routine in $routines; do
    clblast_test_$routine > log 2>&1
    status=$? # 1 when a test failed
    [ $status -le 1 ] || { tail -20 log; echo "$routine ended with status $status"; exit 1; }
    sed 's/\x1b\[[0-9;]*m//g' log > plain
    grep -q Heddle plain || { echo "$routine did not run on Heddle"; exit 1; }
    counts=$(awk -v quote="'" '
        /Starting tests for the/ { split($0, part, quote); counted = part[2] !~ /^(iHAMAX|HGEMMBATCHED)$/ }
        /test\(s\) passed/ && counted { passed += $1 }
        /test\(s\) failed/ && counted { failed += $1 }
        END { print passed + 0, failed + 0 }' plain)
    if [ "${counts#* }" != 0 ] || [ "${counts% *}" = 0 ]; then
        grep -E 'Starting|rate|failed' plain | tail -20
        echo "$routine: wrong results"
        exit 1
    fi
    echo "$routine: ${counts% *} passed"
done
