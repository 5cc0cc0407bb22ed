"""bench/large.py -- the large program of bench/latency.py: twenty kernels, about 1,400 lines of OpenCL C.

Made rather than kept: the same text each time. The kernels are of the kinds that programs are made
of (loops, branches that part work-items, vectors, local memory with barriers, mathematics, integers,
calls of functions), each with expressions of its own. All take the arguments of bench/small.cl and
hold its number; they touch the first 1,024 floats of a buffer only.

SPDX-License-Identifier: MIT
"""
import random

KERNELS = 20
ARGS = "global float *y, global const float *x, float a"
CALLS = ["sqrt(fabs({0}))", "fma({0}, {1}, {2})", "clamp({0}, -9.0f, 9.0f)", "mix({0}, {1}, 0.25f)",
         "exp(-fabs({0}))", "fmin({0}, {1})", "fmax({0}, {2})", "{0} / (1.0f + {1} * {1})", "floor({0})",
         "{0} * {1} + {2}", "{0} - {1}", "native_rsqrt(1.0f + {0} * {0})", "half_mix({0}, {1})", "fold3({0}, {1}, {2})"]
INTS = ["({0} << {k}) ^ {1}", "{0} * {k}u + {1}", "rotate({0}, {k}u) + {1}", "popcount({0}) + {1}", "({0} >> {k}) | {1}",
        "min({0}, {1}) + {k}u", "mul_hi({0}, {1}) ^ {0}", "{0} % ({k}u + 3u) + {1}"]


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []

    def line(self, depth, text):
        self.lines.append("    " * depth + text)

    def value(self, first, names):
        pick = lambda: self.random.choice(names)
        return self.random.choice(CALLS).format(first, pick(), pick())

    def number(self, first, names):
        pick = lambda: self.random.choice(names)
        return self.random.choice(INTS).format(first, pick(), k=self.random.randrange(1, 31))

    def arithmetic(self, depth, count, floats, ints):
        for _ in range(count):
            if self.random.random() < 0.7:
                to = self.random.choice(floats)
                self.line(depth, f"{to} = {self.value(to, floats + ['a'])};")
            else:
                to = self.random.choice(ints)
                self.line(depth, f"{to} = {self.number(to, ints)};")

    def loop(self, depth, floats, ints):
        self.line(depth, f"for (uint n = 0; n < ({self.random.choice(ints)} & {self.random.choice([7, 15, 31])}u) + 1u; n++) {{")
        self.line(depth + 1, f"float t = x[(i + n * {self.random.randrange(1, 9)}u) & 1023u];")
        self.arithmetic(depth + 1, 5, floats, ints)
        self.line(depth + 1, f"{self.random.choice(floats)} += t;")
        self.line(depth, "}")

    def branch(self, depth, floats, ints):
        self.line(depth, f"if ({self.random.choice(floats)} > {self.random.choice(floats)}) {{")
        self.arithmetic(depth + 1, 4, floats, ints)
        self.line(depth, "} else {")
        self.arithmetic(depth + 1, 4, floats, ints)
        self.line(depth, "}")

    def vectors(self, depth, floats):
        self.line(depth, f"float4 v = vload4(i & 255u, x) * {self.random.choice(floats)};")
        self.line(depth, f"v = v.{self.random.choice(['wzyx', 'yxwz', 'zwxy'])} + (float4)({', '.join(self.random.choice(floats) for _ in range(4))});")
        self.line(depth, f"{self.random.choice(floats)} += dot(v, v.yzwx);")

    def reduction(self, depth, floats):
        self.line(depth, f"part[l] = {self.random.choice(floats)};")
        self.line(depth, "for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {")
        self.line(depth + 1, "barrier(CLK_LOCAL_MEM_FENCE);")
        self.line(depth + 1, "if (l < s)")
        self.line(depth + 2, "part[l] += part[l + s];")
        self.line(depth, "}")
        self.line(depth, "barrier(CLK_LOCAL_MEM_FENCE);")
        self.line(depth, f"{self.random.choice(floats)} += part[0];")

    def kernel(self, number):
        floats, ints = ["p", "q", "r", "s"], ["u", "v0", "w"]
        self.line(0, f"kernel void k{number}({ARGS})")
        self.line(0, "{")
        if number % 3 == 0:
            self.line(1, "local float part[256];")
            self.line(1, "uint l = (uint)get_local_id(0);")
        self.line(1, "uint i = (uint)get_global_id(0) & 1023u;")
        self.line(1, "float p = x[i], q = y[i], r = p * a, s = q + as_float(0x3f123456);")
        self.line(1, f"uint u = i * {self.random.randrange(3, 999) | 1}u, v0 = as_uint(p), w = u ^ v0;")
        self.line(0, "")
        for turn in range(2):
            self.arithmetic(1, 7, floats, ints)
            self.loop(1, floats, ints)
            self.branch(1, floats, ints)
        if number % 2 == 0:
            self.vectors(1, floats)
        if number % 3 == 0:
            self.reduction(1, floats)
        self.arithmetic(1, 6, floats, ints)
        self.line(1, "y[i] = p + q * r - s + (float)(u & 15u) + (float)(w & 3u) + (float)(v0 & 1u);")
        self.line(0, "}")
        self.line(0, "")


def large_source():
    w = Writer(4)
    w.line(0, "/* Made by bench/large.py. */")
    w.line(0, "float half_mix(float p, float q) { return 0.5f * p + 0.5f * q; }")
    w.line(0, "float fold3(float p, float q, float r) { return p < q ? q - p * r : p - q * r; }")
    w.line(0, "")
    for number in range(KERNELS):
        w.kernel(number)
    return "\n".join(w.lines)


if __name__ == "__main__":
    print(large_source())
