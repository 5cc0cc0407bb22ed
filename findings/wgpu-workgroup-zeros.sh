#!/bin/sh
# findings/wgpu-workgroup-zeros.sh -- In wgpu for Python, WGSL's workgroup variables do not begin with zeros.
#
# wgpu 0.32.0 (PyPI, with wgpu-native), on lavapipe 22.3.6 (Debian 12), which has VK_KHR_zero_initialize_workgroup_memory. Each
# work-group reads an array in the workgroup address space, and then stores 7 to all of it. All work-groups but the first that a
# thread runs read the 7 of another one: the module that naga makes has neither an initializer nor stores of zeros.
# Seen on 30 November 2026.
#
# Expected: zeros. In WGSL such variables have the zero value of their type when a work-group begins ("var Declarations"; gpuweb
# pull request 2355). Ends with 1 if what is seen changes.
# SPDX-License-Identifier: MIT
set -eu
here=$(cd "$(dirname "$0")/common" && pwd)
. "$here/pypi.sh"
install wgpu==0.32.0
unpack mesa-vulkan-drivers=22.3.6-1+deb12u2 libvulkan1=1.3.239.0-1 libllvm15=1:15.0.6-4+b1 libdrm2 libz3-4 libedit2 libbsd0 libmd0 \
    libxml2 libicu72 libffi8 libwayland-client0 libx11-xcb1 libxcb1 libxcb-dri3-0 libxcb-present0 libxcb-randr0 libxcb-shm0 libxcb-sync1 \
    libxcb-xfixes0 libxau6 libxdmcp6 libxshmfence1
echo '{"file_format_version": "1.0.0", "ICD": {"api_version": "1.1.230", "library_path":
      "'"$folder"'/root/usr/lib/x86_64-linux-gnu/libvulkan_lvp.so"}}' >icd.json
cat >host.py <<'P'
import wgpu
SOURCE = '''
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
var<workgroup> shared_words: array<u32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3<u32>) {
    out[group.x * 64u + i] = shared_words[i];
    workgroupBarrier();
    shared_words[63u - i] = 7u;
}
'''
GROUPS = 4096
device = wgpu.gpu.request_adapter_sync(power_preference='high-performance').request_device_sync()
out = device.create_buffer(size=GROUPS * 256, usage=wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC)
pipeline = device.create_compute_pipeline(layout='auto', compute={'module': device.create_shader_module(code=SOURCE), 'entry_point': 'main'})
bound = device.create_bind_group(layout=pipeline.get_bind_group_layout(0),
                                 entries=[{'binding': 0, 'resource': {'buffer': out, 'offset': 0, 'size': out.size}}])
encoder = device.create_command_encoder()
run = encoder.begin_compute_pass()
run.set_pipeline(pipeline)
run.set_bind_group(0, bound)
run.dispatch_workgroups(GROUPS)
run.end()
device.queue.submit([encoder.finish()])
words = list(device.queue.read_buffer(out).cast('I'))
groups = [words[i:i + 64] for i in range(0, len(words), 64)]
print('work-groups that read', *sorted({max(g) for g in groups}))
print('most of them' if sum(max(g) == 7 for g in groups) > GROUPS // 2 else 'few of them', 'read 7')
P
VK_ICD_FILENAMES=$folder/icd.json VK_DRIVER_FILES=$folder/icd.json env/bin/python host.py 2>/dev/null | tee seen
expect seen '^work-groups that read 0 7$' '^most of them read 7$'
