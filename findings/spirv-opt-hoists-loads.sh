#!/bin/sh
# findings/spirv-opt-hoists-loads.sh -- for at in root/usr/bin env/bin; do
    "$at/spirv-opt" --loop-invariant-code-motion a.spv -o b.spv
    spirv-val b.spv
    echo "$at" $(spirv-dis --no-header b.spv | grep -o 'OpLoad\|OpStore\|OpLoopMerge')
done | tee seen
expect seen '^root/usr/bin OpStore OpLoad OpLoad OpLoopMerge OpStore$' '^env/bin OpStore OpLoopMerge OpLoad OpLoad OpStore$'
