"""tinygrad: train a small net on its OpenCL device; the same steps in numpy must give the same losses and weights.
SPDX-License-Identifier: MIT
"""
import os, sys

sys.path[:] = [p for p in sys.path if os.path.abspath(p or '.') != os.path.dirname(os.path.abspath(__file__))]
os.environ.update(DEV='CL', CL='1', CACHELEVEL='0')
try:
    import numpy as np
    from tinygrad import Context, Device, Tensor
    from tinygrad.nn.optim import SGD
except ImportError as e:
    print('no tinygrad (PyPI: tinygrad, numpy): %s' % e)
    sys.exit(77)

assert Device.DEFAULT == 'CL', Device.DEFAULT
random = np.random.default_rng(3)
x = random.standard_normal((64, 8)).astype(np.float32)
y = np.sin(x.sum(1, keepdims=True)).astype(np.float32)
first, second = (random.standard_normal(s).astype(np.float32) * 0.3 for s in ((8, 32), (32, 1)))
steps, rate = (30 if os.environ.get('CLIENTS_FULL') else 12), 0.05


def with_numpy():
    a, b, losses = first.astype(np.float64), second.astype(np.float64), []
    for _ in range(steps):
        hidden = np.maximum(x @ a, 0)
        error = hidden @ b - y
        losses.append(np.mean(error ** 2))
        back = 2 * error / error.size
        db = hidden.T @ back
        da = x.T @ (back @ b.T * (hidden > 0))
        a, b = a - rate * da, b - rate * db
    return losses, a, b


def trained(values):
    try:
        return Tensor(values, requires_grad=True)
    except TypeError:   # since 0.14 every tensor can be trained
        return Tensor(values)


def training():
    return Tensor.train() if hasattr(Tensor, 'train') else Context(TRAINING=1)


a, b = (trained(v) for v in (first, second))
optimiser, losses = SGD([a, b], lr=rate), []
with training():
    for _ in range(steps):
        optimiser.zero_grad()
        loss = ((Tensor(x).matmul(a).relu().matmul(b) - Tensor(y)) ** 2).mean()
        loss.backward()
        losses.append(loss.item())   # before the step: it is computed when it is asked for
        optimiser.step()
want, want_a, want_b = with_numpy()
print(losses[0], losses[-1])
assert losses[-1] < losses[0] * 0.9
assert np.allclose(losses, want, rtol=1e-4)
assert np.allclose(a.numpy(), want_a, atol=1e-4) and np.allclose(b.numpy(), want_b, atol=1e-4)
