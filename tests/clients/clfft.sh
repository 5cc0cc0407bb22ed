# clFFT's client: transforms of several sizes, shapes and precisions, checked by the client itself.
# SPDX-License-Identifier: MIT
command -v clFFT-client > /dev/null || { echo 'no clFFT-client (Debian: clfft-client)'; exit 77; }
check() {
    clFFT-client -c -p 1 "$@" > log 2>&1
    grep -q 'Internal Client Test \*\*\*\*\*PASS\*\*\*\*\*' log || { tail -20 log; echo "clFFT-client $*"; exit 1; }
}
check -x 1024
check -x 128 --double
check -x 100 -y 60
check -x 256 --inLayout 5 --outLayout 3 -o
if [ -n "$CLIENTS_FULL" ]; then
    check -x 1024 -b 8 -o
    check -x 210 -y 5 --inv
    check -x 4096 -b 3 --inLayout 2 --outLayout 2
    check -x 343 -b 3
    check -x 64 -y 64 -z 16
    check -x 65536
fi
