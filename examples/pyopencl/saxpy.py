#!/usr/bin/env python3
"""README's saxpy by pyopencl, on Heddle: build/heddle exec python3 saxpy.py

SPDX-License-Identifier: MIT
"""
import os

import numpy as np
import pyopencl as cl

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../readme/saxpy.cl')) as f:
    source = f.read()
device = next(p for p in cl.get_platforms() if p.name == 'Heddle').get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
x, y = np.arange(8, dtype=np.float32), np.ones(8, np.float32)
flags = cl.mem_flags
x_on_device = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=x)
y_on_device = cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=y)
cl.Kernel(cl.Program(context, source).build(), 'saxpy')(queue, x.shape, None, y_on_device, x_on_device, np.float32(0.5))
cl.enqueue_copy(queue, y, y_on_device)
print(device.name, y)
