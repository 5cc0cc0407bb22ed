# clinfo: every query answers; the device is ours; nothing that OpenCL demands is missing.
# SPDX-License-Identifier: MIT
command -v clinfo > /dev/null || { echo 'no clinfo (Debian: clinfo)'; exit 77; }
clinfo > human || exit 1
clinfo --raw > raw || exit 1
grep -E 'CL_DEVICE_NAME' raw | grep -q Heddle || { echo 'Heddle is not there'; exit 1; }
bad=$(grep -nEi '<|error|unavailable|not available|CL_INVALID|failed' human |
    grep -viE 'Error Correction|Error correction support' | grep -v 'No devices found')
[ -z "$bad" ] || { printf '%s\n' "$bad"; exit 1; }
for query in CL_DEVICE_VERSION CL_DEVICE_OPENCL_C_ALL_VERSIONS CL_DEVICE_OPENCL_C_FEATURES CL_DEVICE_IL_VERSION \
    CL_DEVICE_ILS_WITH_VERSION CL_DEVICE_EXTENSIONS_WITH_VERSION CL_DEVICE_NUMERIC_VERSION CL_DEVICE_SVM_CAPABILITIES \
    CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES CL_DEVICE_ATOMIC_FENCE_CAPABILITIES CL_DEVICE_MAX_WORK_GROUP_SIZE \
    CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED; do
    grep -E "$query " raw | grep -qE "$query +[^ ]" || { echo "no value of $query"; exit 1; }
done
number() { grep -oE "$1 +[0-9]+" raw | head -1 | grep -oE '[0-9]+$'; }
# The least that the full profile allows.
at_least() { [ "$(number "$1")" -ge "$2" ] || { echo "$1 is below $2"; exit 1; }; }
at_least CL_DEVICE_MAX_PARAMETER_SIZE 1024
at_least CL_DEVICE_MAX_CONSTANT_ARGS 8
at_least CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE 65536
at_least CL_DEVICE_LOCAL_MEM_SIZE 32768
at_least CL_DEVICE_PRINTF_BUFFER_SIZE 1048576
