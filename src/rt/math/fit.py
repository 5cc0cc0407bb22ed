#!/usr/bin/env python3
"""Make the polynomials of rt/math/poly.h: minimax fits by Remez's exchange, rounded to double.

    python3 src/rt/math/fit.py > src/rt/math/poly.h
    python3 src/rt/math/fit.py --single > src/rt/math/poly_s.h
    python3 src/rt/math/fit.py --gamma > src/rt/math/poly_gamma.h
    python3 src/rt/math/fit.py --tables > src/rt/math/tables.h

Needs mpmath; the build does not: poly.h is kept, since its numbers are data, not code.

SPDX-License-Identifier: MIT
"""
import struct
import sys
from fractions import Fraction
from mpmath import mp, mpf, matrix, lu_solve, cos, pi, log, exp, sin, atan, asin, erf, erfc, sqrt, \
    chop, gamma, loggamma, tan, tanh, atanh, sinh, cosh, \
    psi, nint, diff

mp.prec = 240


def chebyshev(lo, hi, n):
    return [(lo + hi) / 2 - (hi - lo) / 2 * cos(pi * (2 * i + 1) / (2 * n)) for i in range(n)]


def extrema(grid, errors, n):
    """n places where an error that alternates is largest, one for each run of equal sign; None if there are less."""
    runs, start = [], 0
    for i in range(1, len(errors) + 1):
        if i == len(errors) or (errors[i] > 0) != (errors[start] > 0):
            runs.append(max(range(start, i), key=lambda j: abs(errors[j])))
            start = i
    while len(runs) > n:
        runs.pop(0 if abs(errors[runs[0]]) < abs(errors[runs[-1]]) else -1)
    return [grid[j] for j in runs] if len(runs) == n else None


def remez(g, lo, hi, degree, weight):
    """Coefficients of the p that makes max |(p - g) * weight| smallest, and that maximum."""
    lo, hi = mpf(lo), mpf(hi)
    n = degree + 2
    nodes = chebyshev(lo, hi, n)
    grid = [(lo + hi) / 2 - (hi - lo) / 2 * cos(pi * i / 600) for i in range(601)]
    values = [(z, g(z), weight(z)) for z in grid]
    c, worst = None, None
    for _ in range(12):
        a, b = matrix(n, n), matrix(n, 1)
        for i, z in enumerate(nodes):
            for k in range(degree + 1):
                a[i, k] = z ** k
            a[i, degree + 1] = (-1) ** i / weight(z)
            b[i] = g(z)
        s = lu_solve(a, b)
        c = [s[k] for k in range(degree + 1)]
        e = [(value(c, z) - gz) * w for z, gz, w in values]
        worst = max(abs(x) for x in e)
        nodes = extrema(grid, e, n)
        if nodes is None or worst < abs(s[degree + 1]) * mpf('1.01'):
            break
    return c, worst


def value(c, z):
    v = mpf(0)
    for x in reversed(c):
        v = v * z + x
    return v


def remez_ratio(f, hi, m, k):
    """a (m coefficients) and b (k) that make the relative error of (1 + z a) / (1 + z b) for f on
    (0, hi] smallest, and that error."""
    n = m + k + 1
    nodes = chebyshev(mpf(0), mpf(hi), n)
    grid = [mpf(hi) / 2 * (1 - cos(pi * i / 600)) for i in range(1, 601)]
    values = [(z, f(z)) for z in grid]
    b, worst = [mpf(0)] * k, None
    for _ in range(40):
        rows, right = matrix(n, n), matrix(n, 1)
        for i, z in enumerate(nodes):
            y = f(z)
            for j in range(m):
                rows[i, j] = z ** (j + 1)
            for j in range(k):
                rows[i, m + j] = -y * z ** (j + 1)
            rows[i, n - 1] = -(-1) ** i * y * (1 + z * value(b, z))
            right[i] = y - 1
        s = lu_solve(rows, right)
        a, b = [s[j] for j in range(m)], [s[m + j] for j in range(k)]
        e = [(1 + z * value(a, z)) / ((1 + z * value(b, z)) * y) - 1 for z, y in values]
        worst = max(abs(x) for x in e)
        nodes = extrema(grid, e, n) or nodes
        if worst < abs(s[n - 1]) * mpf('1.0001'):
            break
    return a, b, worst


def written(x, single):
    """A coefficient as C has it."""
    if not single:
        return float(x).hex()
    return struct.unpack('<f', struct.pack('<f', float(x)))[0].hex().replace('0000000p', 'p') + 'f'


def emit(name, what, g, lo, hi, degree, weight=lambda z: mpf(1), single=False, up=0):
    """The polynomial of a fit."""
    c, worst = remez(g, lo, hi, degree, weight)
    c[-1] += mpf(up)
    define(name, what, c, worst, single)


def define(name, what, c, worst, single=False):
    """A macro for the polynomial with coefficients c."""
    sys.stderr.write('%s: degree %d, error %s\n' % (name, len(c) - 1, mp.nstr(worst, 3)))
    print('/* %s, error %s. */' % (what, mp.nstr(worst, 2)))
    line = '#define POLY_%s(z)' % name
    body = written(c[-1], single)
    for x in reversed(c[:-1]):
        body = '%s(%s, z, %s)' % ('MADF' if single else 'MAD', body, written(x, single))
    words, row = body.split(' '), '    '
    out = []
    for w in words:
        if len(row) + len(w) > 94:
            out.append(row.rstrip())
            row = '    '
        row += w + ' '
    out.append(row.rstrip())
    width = 99
    print((line + ' ' * (width - len(line)) + '\\'))
    for i, r in enumerate(out):
        print(r if i == len(out) - 1 else r + ' ' * (width - len(r)) + '\\')
    print()


def small(f, limit_value, eps=mpf(2) ** -60):
    """f, with its limit at zero where cancellation would spoil it."""
    return lambda z: limit_value if abs(z) < eps else f(z)


def singles():
    """What float mathematics in float needs."""
    print('''/* rt/math/poly_s.h -- polynomials of float mathematics in float; made by fit.py, do not edit.
 *
 * MADF(a, b, c) is a fused multiply-add of floats, or a product and a sum, MAD of doubles.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_MATH_POLY_S_H
#define HD_RT_MATH_POLY_S_H

/* clang-format off */
''')
    h = log(2) / 2 * mpf('1.001')
    half = mpf('0.5') * mpf('1.001')
    emit('EXP_S', '(e^z - 1 - z) / z^2 for |z| <= ln(2) / 2',
         small(lambda r: (exp(r) - 1 - r) / r ** 2, mpf(1) / 2), -h, h, 4,
         lambda r: r * r + mpf(1) / 500, True)
    for base, end in ((2, half), (10, h / log(10))):
        emit('EXP%d_S' % base, '(%d^z - 1) / z for |z| <= %s' % (base, mp.nstr(end, 4)),
             small(lambda r, l=log(base): (exp(r * l) - 1) / r, log(base)), -end, end, 5,
             lambda r: abs(r) + mpf(1) / 500, True)

    lo, hi = -mpf(1) / 4 - mpf(2) ** -20, mpf(1) / 2 + mpf(2) ** -20
    for base, name in ((mp.e, 'LOG_S'), (mpf(2), 'LOG2_S'), (mpf(10), 'LOG10_S')):
        l = log(base)
        emit(name, '(log(1 + z) - z) / z^2, base %s, -1/4 <= z <= 1/2' % mp.nstr(base, 3),
             small(lambda f, l=l: (log(1 + f) - f) / f ** 2 / l, -1 / (2 * l), mpf(2) ** -40), lo, hi, 8,
             lambda f: abs(f) + mpf(1) / 1000, True)
    q = pi / 2 * mpf('1.0005')
    sn = small(lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, -mpf(1) / 6)
    emit('SIN_S', '(sin(r) / r - 1) / z for z = r^2, |r| <= pi / 2', sn, 0, q ** 2, 3,
         lambda z: z / (1 + z * sn(z)), True)
    sp = small(lambda z: sin(pi * sqrt(z)) / sqrt(z), pi)
    emit('SINPI_S', 'sin(pi r) / r for z = r^2, |r| <= 1 / 2', sp, 0, half ** 2, 4,
         lambda z: 1 / sp(z), True, mpf('3e-8') * 2 ** 9) # cospi(0) is one
    emit('TAN_S', '(tan(r) / r - 1) / z for z = r^2, |r| <= pi / 4',
         small(lambda z: (tan(sqrt(z)) / sqrt(z) - 1) / z, mpf(1) / 3), 0, (q / 2) ** 2, 5, lambda z: z, True)
    emit('ATAN_S', '(atan(t) / t - 1) / z for z = t^2, |t| <= 1',
         small(lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z, -mpf(1) / 3), 0, 1, 8, lambda z: z, True)
    emit('ASIN_S', '(asin(t) / t - 1) / z for z = t^2, |t| <= 1/2',
         small(lambda z: (asin(sqrt(z)) / sqrt(z) - 1) / z, mpf(1) / 6), 0, mpf(1) / 4, 4, lambda z: z, True)
    emit('ATANH_S', '(atanh(s) / s - 1) / z for z = s^2, |s| <= 0.21',
         small(lambda z: (atanh(sqrt(z)) / sqrt(z) - 1) / z, mpf(1) / 3), 0, mpf('0.0441'), 2, lambda z: z, True)
    emit('SINH_S', '(sinh(r) / r - 1) / z for z = r^2, |r| <= ln(2) / 2',
         small(lambda z: (sinh(sqrt(z)) / sqrt(z) - 1) / z, mpf(1) / 6), 0, h * h, 1, lambda z: z, True)
    emit('COSH_S', '(cosh(r) - 1) / z for z = r^2, |r| <= ln(2) / 2',
         small(lambda z: (cosh(sqrt(z)) - 1) / z, mpf(1) / 2), 0, h * h, 2, lambda z: z, True)
    er = small(lambda z: erf(sqrt(z)) / sqrt(z), 2 / sqrt(pi))
    emit('ERF_S', 'erf(t) / t for z = t^2, |t| <= 1', er, 0, 1, 6, lambda z: 1 / er(z), True)
    emit('ERF_FAR_S', '-log(1 - erf(t + 5/2)), 1 <= t + 5/2 <= 4, error of erf', lambda t: -log(erfc(t + mpf(5) / 2)),
         -mpf(3) / 2, mpf(3) / 2, 5, lambda t: erfc(t + mpf(5) / 2), True)

    def scaled(u):
        x = 2 / (u + mpf(5) / 8) - 2
        return exp(x * x) * erfc(x) / (u + mpf(5) / 8)
    emit('ERFC_S', 'exp(x^2) erfc(x) / t for x = 2 / t - 2, t = z + 5/8, 0 <= x <= 10.6', scaled,
         mpf(2) / mpf('12.6') - mpf(5) / 8, mpf(3) / 8, 10, lambda u: 1 / scaled(u), True)
    emit('EXP_FAST', '(e^z - 1) / z for |z| <= ln(2) / 2', small(lambda r: (exp(r) - 1) / r, mpf(1)), -h, h, 4,
         lambda r: abs(r) + mpf(1) / 500, True)
    emit('EXP2_FAST', '(2^z - 1) / z for |z| <= 1 / 2', small(lambda r: (exp(r * log(2)) - 1) / r, log(2)),
         -half, half, 4, lambda r: abs(r) + mpf(1) / 500, True)
    emit('LOG2_FAST', 'log2(1 + z) / z, -1/4 <= z <= 1/2',
         small(lambda f: log(1 + f) / f / log(2), 1 / log(2)), lo, hi, 7, lambda f: abs(f) + mpf(1) / 100, True)
    print('/* clang-format on */\n\n#endif')


def gammas():
    """Error functions and gamma for double."""
    print('''/* rt/math/poly_gamma.h -- polynomials of erf and gamma for double; made by fit.py, do not edit.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_MATH_POLY_GAMMA_H
#define HD_RT_MATH_POLY_GAMMA_H

/* clang-format off */
''')
    er = small(lambda z: erf(sqrt(z)) / sqrt(z), 2 / sqrt(pi))
    emit('ERF_D', 'erf(t) / t for z = t^2, |t| <= 1', er, 0, 1, 11, lambda z: 1 / er(z))

    def scaled(u):
        x = 2 / (u + mpf(9) / 16) - 2
        return exp(x * x) * erfc(x) / (u + mpf(9) / 16)
    c, worst = remez(scaled, mpf(2) / 30 - mpf(9) / 16, mpf(7) / 16, 26, lambda u: 1 / scaled(u))
    what = 'exp(x^2) erfc(x) / t for x = 2 / t - 2, t = z + 9/16, to 28: '
    define('ERFC_EVEN_D', what + 'even powers', c[::2], worst)
    define('ERFC_ODD_D', what + 'odd ones', c[1::2], worst)
    st = small(lambda z: (loggamma(1 / sqrt(z)) - (1 / sqrt(z) - mpf(1) / 2) * log(1 / sqrt(z)) +
                          1 / sqrt(z) - log(2 * pi) / 2) * (1 / sqrt(z)), mpf(1) / 12)
    emit('GAMMA_D', "x times the rest of Stirling's series of lgamma(x), z = 1 / x^2, x >= 8", st,
         mpf(2) ** -58, mpf(1) / 64, 6)
    emit('PSI', "the derivative of lgamma(z + 12), |z| <= 4", lambda z: psi(0, z + 12), -4, 4, 4)
    emit('LGAMMA_D', 'lgamma(z + 5/2) / (z + 1/2), |z| <= 1/2',
         small(lambda z: loggamma(z + mpf(5) / 2) / (z + mpf(1) / 2) if abs(z + mpf(1) / 2) > mpf(2) ** -80
               else psi(0, mpf(2)), loggamma(mpf(5) / 2) * 2), mpf(-1) / 2, mpf(1) / 2, 17)
    print('/* clang-format on */\n\n#endif')


def array(name, what, values, single):
    print('/* %s. */\nstatic const %s %s[16] = {' % (what, 'float' if single else 'double', name))
    words = [written(mpf(v), single) for v in values]
    for i in range(0, 16, 4):
        print('    %s,' % ', '.join(words[i:i + 4]))
    print('};\n')


def cut(x, bits):
    """x with `bits` binary places."""
    return nint(x * mpf(2) ** bits) / mpf(2) ** bits


# Near the reciprocal of each sixteenth's middle, so short that its product with a number of the
# sixteenth, less one, is exact in the number's own format.
NEAR_INVERSE = ('1', '29/32', '7/8', '13/16', '25/32', '3/4', '23/32', '11/16',
                '21/16', '5/4', '39/32', '37/32', '9/8', '35/32', '17/16', '1')


def pieces(name, f, step, degree, single):
    """Coefficients of f around whole multiples of `step`, an array for each power. f is odd."""
    step, rows, errors = mpf(step), [], []
    h = step / 2 * mpf('1.0001')
    g = small(lambda t: f(t) / t, diff(f, 0), mpf(2) ** -30)
    c, e = remez(lambda z: g(sqrt(z)), 0, h * h, (degree - 1) // 2, lambda z: 1 / g(sqrt(z)))
    row = [mpf(0)] * (degree + 1)
    for k, x in enumerate(c):
        row[2 * k + 1] = x
    rows.append(row)
    errors.append(e)
    for i in range(1, 16):
        c, e = remez(lambda t: f(t + i * step), -h, h, degree, lambda t: 1 / f(t + i * step))
        rows.append(c)
        errors.append(e)
    sys.stderr.write('%s: error %s\n' % (name, mp.nstr(max(errors), 3)))
    for k in range(degree + 1):
        array('%s_%d' % (name, k), 'times t^%d, error of all %s' % (k, mp.nstr(max(errors), 2)), [r[k] for r in rows], single)


def tables():
    """Tables of sixteen."""
    print('''/* rt/math/tables.h -- tables of sixteen and their polynomials; made by fit.py, do not edit.
 *
 * The sixteenths of a logarithm: numbers between 3/4 and 3/2 by the first four bits of their
 * mantissas.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_MATH_TABLES_H
#define HD_RT_MATH_TABLES_H

/* clang-format off */
''')
    c = [mpf(Fraction(x).numerator) / Fraction(x).denominator for x in NEAR_INVERSE]
    lo, hi = mpf('-0.0372'), mpf('0.06251')
    array('s_log_inverse', 'what a number of the sixteenth is multiplied by', c, True)
    t = [-log(x) / log(2) for x in c]
    array('s_log2_high', 'minus its log2, short', [cut(x, 16) for x in t], True)
    array('s_log2_low', 'and the rest', [x - cut(x, 16) for x in t], True)
    array('w_log_inverse', 'the same for double', c, False)
    for base, name, bits in ((mp.e, 'log', 42), (mpf(2), 'log2', 41), (mpf(10), 'log10', 42)):
        t = [-log(x) / log(base) for x in c]
        array('w_%s_high' % name, 'minus its logarithm, base %s, short' % mp.nstr(base, 3), [cut(x, bits) for x in t], False)
        array('w_%s_low' % name, 'and the rest', [x - cut(x, bits) for x in t], False)

    def over(k, l):
        """log(1 + r), base e^l, without its terms below r^k, over r^k."""
        def f(r):
            if abs(r) < mpf(2) ** -12:
                return sum((-1) ** (j + 1) * r ** (j - k) / j for j in range(k, k + 24)) / l
            return (log(1 + r) - sum((-1) ** (j + 1) * r ** j / j for j in range(1, k))) / r ** k / l
        return f
    emit('LOG2_T', '(log2(1 + z) - z / ln(2)) / z^2 for -0.037 <= z <= 0.063', over(2, log(2)), lo, hi, 4,
         lambda r: r * r + mpf(2) ** -16, True)
    for base, name in ((mp.e, 'LOG_DT'), (mpf(2), 'LOG2_DT'), (mpf(10), 'LOG10_DT')):
        emit(name, 'log(1 + z), base %s, without its first term, over z^2' % mp.nstr(base, 3),
             over(2, log(base)), lo, hi, 8, lambda r: abs(r) + mpf(2) ** -12)
    emit('LOG_POW_D', '(log(1 + z) - z + z^2 / 2) / z^3', over(3, mpf(1)), lo, hi, 9,
         lambda r: abs(r) ** 3 + mpf(2) ** -16)

    t = [mpf(2) ** (mpf(i) / 16) for i in range(16)]
    array('w_exp_16', '2^(i / 16)', t, False)
    array('w_exp_16_low', 'and the rest', [x - mpf(float(x)) for x in t], False)
    end = log(2) / 32 * mpf('1.001')
    emit('EXP_16', '(e^z - 1 - z) / z^2 for |z| <= ln(2) / 32', small(lambda r: (exp(r) - 1 - r) / r ** 2, mpf(1) / 2),
         -end, end, 4, lambda r: r * r + mpf(2) ** -16)
    end = mpf(1) / 32 * mpf('1.001')
    emit('EXP2_16', '(2^z - 1) / z for |z| <= 1 / 32', small(lambda r: (exp(r * log(2)) - 1) / r, log(2)),
         -end, end, 5, lambda r: abs(r) + mpf(2) ** -10)
    h = log(2) / 2 * mpf('1.001')
    emit('SINH_D', '(sinh(r) / r - 1) / z for z = r^2, |r| <= ln(2) / 2',
         small(lambda z: (sinh(sqrt(z)) / sqrt(z) - 1) / z, mpf(1) / 6), 0, h * h, 4, lambda z: z)
    emit('COSH_D', '(cosh(r) - 1) / z for z = r^2, |r| <= ln(2) / 2',
         small(lambda z: (cosh(sqrt(z)) - 1) / z, mpf(1) / 2), 0, h * h, 4, lambda z: z)
    sp = small(lambda z: sin(pi * sqrt(z)) / sqrt(z), pi)
    emit('SINPI_D', 'sin(pi r) / r for z = r^2, |r| <= 1 / 2', sp, 0, mpf('0.2501'), 8, lambda z: 1 / sp(z),
         up=mpf('6e-17') * 2 ** 17) # cospi(0) is one
    pieces('s_tanh', tanh, '0.59375', 7, True)
    pieces('w_erf', erf, '0.390625', 12, False)
    print('/* clang-format on */\n\n#endif')


def main():
    if sys.argv[1:] == ['--tables']:
        return tables()
    if sys.argv[1:] == ['--single']:
        return singles()
    if sys.argv[1:] == ['--gamma']:
        return gammas()
    ln2 = log(2)
    print('''/* rt/math/poly.h -- polynomials of the vector mathematics; made by fit.py, do not edit.
 *
 * MAD(a, b, c) is a fused multiply-add, or a product and a sum, of whatever the caller computes in.
 * The _D forms serve double, the others float and half.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_MATH_POLY_H
#define HD_RT_MATH_POLY_H

/* clang-format off */
''')
    h = ln2 / 2 * mpf('1.001')
    g = small(lambda r: (exp(r) - 1 - r) / r ** 2, mpf(1) / 2)
    emit('EXP', '(e^z - 1 - z) / z^2 for |z| <= ln(2) / 2', g, -h, h, 4, lambda r: r * r + mpf(1) / 500)
    emit('EXP_D', '(e^z - 1 - z) / z^2 for |z| <= ln(2) / 2', g, -h, h, 9, lambda r: r * r + mpf(1) / 500)

    def lg(z):
        s = sqrt(z)
        return (log((1 + s) / (1 - s)) / s - 2) / z
    smax = (sqrt(mpf(2)) - 1) / (sqrt(mpf(2)) + 1) * mpf('1.0001')
    lg = small(lg, mpf(2) / 3)
    emit('LOG', '(log((1+s)/(1-s)) / s - 2) / z for z = s^2, s of the logarithm', lg, 0, smax ** 2,
         3, lambda z: z)
    emit('LOG_D', 'the same', lg, 0, smax ** 2, 6, lambda z: z)

    lp = small(lambda z: (log((1 + sqrt(z)) / (1 - sqrt(z))) / sqrt(z) - 2 - 2 * z / 3) / z ** 2,
               mpf(2) / 5)
    emit('LOG_REST_D', 'its rest after 2 + 2/3 z, over z^2', lp, 0, smax ** 2, 6,
         lambda z: z ** 2 + mpf(2) ** -20)

    q = pi / 4 * mpf('1.001')
    sn = small(lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, -mpf(1) / 6)
    cs = small(lambda z: (cos(sqrt(z)) - 1 + z / 2) / z ** 2, mpf(1) / 24)
    emit('SIN', '(sin(r) / r - 1) / z for z = r^2, |r| <= pi / 4', sn, 0, q ** 2, 2, lambda z: z)
    emit('SIN_D', 'the same', sn, 0, q ** 2, 6, lambda z: z)
    emit('COS', '(cos(r) - 1 + z / 2) / z^2 for z = r^2, |r| <= pi / 4', cs, 0, q ** 2, 2,
         lambda z: z ** 2)
    emit('COS_D', 'the same', cs, 0, q ** 2, 5, lambda z: z ** 2)

    h = 2 * q
    emit('SINE_D', '(sin(r) / r - 1) / z for z = r^2, |r| <= pi / 2', sn, 0, h ** 2, 7,
         lambda z: z / (1 + z * sn(z)), up=mpf('4e-17') / h ** 16) # cos(0) is one
    num, den, worst = remez_ratio(small(lambda z: tan(sqrt(z)) / sqrt(z), mpf(1)), q ** 2, 3, 3)
    define('TAN_NUM_D', 'tan(r) / r is (1 + z NUM) / (1 + z DEN) for z = r^2, |r| <= pi / 4', num, worst)
    define('TAN_DEN_D', 'the other one', den, worst)

    at = small(lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z, -mpf(1) / 3)
    emit('ATAN', '(atan(t) / t - 1) / z for z = t^2, |t| <= 1', at, 0, 1, 8, lambda z: z)
    asn = small(lambda z: (asin(sqrt(z)) / sqrt(z) - 1) / z, mpf(1) / 6)
    emit('ASIN', '(asin(t) / t - 1) / z for z = t^2, |t| <= 1/2', asn, 0, mpf(1) / 4, 4,
         lambda z: z)

    emit('ATAN_D', 'the same for |t| <= tan(pi / 8)', at, 0, (sqrt(mpf(2)) - 1) ** 2 * mpf('1.001'),
         11, lambda z: z)
    emit('ASIN_D', '(asin(t) / t - 1) / z for z = t^2, |t| <= 1/2', asn, 0, mpf(1) / 4, 11,
         lambda z: z)

    er = small(lambda z: erf(sqrt(z)) / sqrt(z), 2 / sqrt(pi))
    emit('ERF', 'erf(t) / t for z = t^2, |t| <= 1', er, 0, 1, 6, lambda z: 1 / er(z))

    def scaled(u):
        # u = t - 5/8; t = 2 / (2 + x), x from 0 to 10.4
        t = u + mpf(5) / 8
        x = 2 / t - 2
        return exp(x * x) * erfc(x)
    emit('ERFC', 'exp(x^2) erfc(x) for x = 2 / t - 2, t = z + 5/8, 0 <= x <= 10.6', scaled,
         mpf(2) / mpf('12.6') - mpf(5) / 8, mpf(3) / 8, 11, lambda u: 1 / scaled(u))

    st = small(lambda z: (loggamma(1 / sqrt(z)) - (1 / sqrt(z) - mpf(1) / 2) * log(1 / sqrt(z)) +
                          1 / sqrt(z) - log(2 * pi) / 2) * (1 / sqrt(z)), mpf(1) / 12)
    emit('GAMMA', "x times the rest of Stirling's series of lgamma(x), z = 1 / x^2, x >= 8", st,
         mpf(2) ** -58, mpf(1) / 64, 4)
    print('/* clang-format on */\n\n#endif')


main()
