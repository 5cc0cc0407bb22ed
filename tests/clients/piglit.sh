# piglit's OpenCL programs: a part of them, all with --full. What fails by its own fault is named here.
# SPDX-License-Identifier: MIT
command -v piglit > /dev/null || { echo 'no piglit (Debian: piglit)'; exit 77; }
# clcreateprogramwithbinary      makes a kernel of a program that was not built
# clgetcommandqueueinfo          asks a queue of the host for CL_QUEUE_SIZE
# clgetdeviceinfo                wants 'OpenCL 1.1' in the version of a device of another one
# clgetextensionfunction...      asks the loader for a function of a platform that does not exist
# clgetkernelarginfo             wants names of arguments missing where nobody asked for them
# clsetkernelarg                 wants local arguments of 0 bytes refused, which OpenCL 3.1 allows
# include-directories            its header is not in Debian's package
# amdgcn-f32-inline-immediates   wants denormals flushed
# tanpi                          wants the result for a number that is no float
own='clcreateprogramwithbinary|clgetcommandqueueinfo|clgetdeviceinfo|clgetextensionfunctionaddressforplatform'
own="$own|clgetkernelarginfo|clsetkernelarg/input checks|include-directories|amdgcn-f32-inline-immediates/add integer 64"
own="$own|builtin-float-tanpi-1.0.generated/tanpi float[0-9]*"
[ -n "$CLIENTS_FULL" ] || only='-t api -t program@build -t int-clz -t float-fract -t vload-int -t float-ldexp'
piglit run -1 -l quiet $only cl out > log 2>&1 || { tail -20 log; exit 1; }
piglit summary console out > summary || exit 1
grep -E '^ *(pass|fail|crash|timeout):' summary
grep -q '^ *pass: *[1-9]' summary || { cat summary; exit 1; }
grep -E ': (fail|crash|timeout|incomplete)$' summary | grep -vE "($own): fail\$" && exit 1
exit 0
