"""OpenCV's transparent API: the same functions on the processor and by its OpenCL kernels, results compared.

SPDX-License-Identifier: MIT
"""
import os
import sys

os.environ.update(OPENCV_OPENCL_DEVICE=':CPU:0', OPENCV_OPENCL_RAISE_ERROR='1', OPENCV_OPENCL_CACHE_ENABLE='0')
try:
    import cv2 as cv
    import numpy as np
except ImportError:
    print('no cv2 (Debian: python3-opencv)')
    sys.exit(77)
if not cv.ocl.haveOpenCL() or not cv.ocl.Device_getDefault().name():
    print('cv2 finds no OpenCL device')
    sys.exit(1)

FULL = bool(os.environ.get('CLIENTS_FULL'))
rng = np.random.RandomState(1)
COLOUR = cv.GaussianBlur(rng.randint(0, 256, (240, 320, 3), np.uint8), (5, 5), 1.5)
GRAY = cv.cvtColor(COLOUR, cv.COLOR_BGR2GRAY)
PATCH = GRAY[50:70, 60:90].copy()
REAL, OTHER = rng.rand(200, 300).astype(np.float32), rng.rand(200, 300).astype(np.float32)
ELLIPSE = cv.getStructuringElement(cv.MORPH_ELLIPSE, (5, 5))
TURN = cv.getRotationMatrix2D((100, 100), 30, 1.2)
VIEW = np.array([[1, .1, 3], [.05, 1.1, 2], [1e-4, 2e-4, 1]])


def waves():
    x, y = np.meshgrid(np.arange(300, dtype=np.float32), np.arange(200, dtype=np.float32))
    return x + 3 * np.sin(y / 9), y + 2 * np.cos(x / 7)


# Of each kind of picture: name, function, steps it may differ by (of 8 bits, or of 1/10000 of the largest float), and how
# many pixels may differ by more.
EACH = [
    ('blur', lambda x: cv.blur(x, (5, 5)), 1, 0),
    ('gaussian', lambda x: cv.GaussianBlur(x, (7, 7), 2), 1, 0),
    ('sobel', lambda x: cv.Sobel(x, cv.CV_32F, 1, 0, ksize=3), 1, 0),
    ('laplacian', lambda x: cv.Laplacian(x, cv.CV_32F, ksize=3), 1, 0),
    ('filter', lambda x: cv.filter2D(x, -1, np.ones((3, 5), np.float32) / 15), 1, 0),
    ('erode', lambda x: cv.erode(x, ELLIPSE), 1, 0),
    ('dilate', lambda x: cv.dilate(x, ELLIPSE, iterations=2), 1, 0),
    ('median', lambda x: cv.medianBlur(x, 5), 1, 0),
    ('bilateral', lambda x: cv.bilateralFilter(x, 7, 40, 40), 2, 0),
    ('resize', lambda x: cv.resize(x, (163, 97), interpolation=cv.INTER_LINEAR), 2, 0),
    ('resize by area', lambda x: cv.resize(x, (163, 97), interpolation=cv.INTER_AREA), 2, 0),
    ('resize cubic', lambda x: cv.resize(x, (500, 400), interpolation=cv.INTER_CUBIC), 2, 0),
    ('affine', lambda x: cv.warpAffine(x, TURN, (300, 200)), 6, .02),
    ('perspective', lambda x: cv.warpPerspective(x, VIEW, (300, 200)), 8, .02),
    ('pyramid', lambda x: cv.pyrUp(cv.pyrDown(x)), 1, 0),
    ('transpose', cv.transpose, 0, 0),
    ('border', lambda x: cv.copyMakeBorder(x, 3, 4, 5, 6, cv.BORDER_REFLECT_101), 0, 0),
    ('add', lambda x: cv.addWeighted(x, .3, x, .6, 5), 1, 0),
    ('multiply', lambda x: cv.multiply(x, x, scale=.3), 1, 0),
    ('normalize', lambda x: cv.normalize(x, None, 0, 200, cv.NORM_MINMAX), 1, 0),
    ('mean', cv.meanStdDev, 1, 0),
    ('reduce', lambda x: cv.reduce(x, 0, cv.REDUCE_SUM, dtype=cv.CV_32F), 1, 0),
]
GRAYS = [
    ('threshold', lambda x: cv.threshold(x, 100, 200, cv.THRESH_BINARY)[1], 0, 0),
    ('adaptive', lambda x: cv.adaptiveThreshold(x, 255, cv.ADAPTIVE_THRESH_MEAN_C, cv.THRESH_BINARY, 11, 2), 0, 0),
    ('equalize', cv.equalizeHist, 1, 0),
    ('clahe', lambda x: cv.createCLAHE(3, (8, 8)).apply(x), 1, 0),
    ('histogram', lambda x: cv.calcHist([x], [0], None, [256], [0, 256]), 0, 0),
    ('canny', lambda x: cv.Canny(x, 50, 120), 0, .002),
    ('harris', lambda x: cv.cornerHarris(x, 3, 3, .04), 5, 0),
    ('integral', cv.integral, 0, 0),
    ('match', lambda x: cv.matchTemplate(x, PATCH, cv.TM_CCOEFF_NORMED), 20, 0),
    ('non-local means', lambda x: cv.fastNlMeansDenoising(x, None, 5, 5, 11), 1, 0),
]
COLOURS = [(code, lambda x, code=code: cv.cvtColor(x, getattr(cv, 'COLOR_' + code)), 3, .01)
           for code in ('BGR2GRAY', 'BGR2HSV', 'BGR2HLS', 'BGR2Lab', 'BGR2Luv', 'BGR2YUV', 'BGR2XYZ', 'BGR2YUV_I420', 'HSV2BGR',
                        'HLS2BGR', 'Lab2BGR', 'Luv2BGR', 'YUV2BGR', 'XYZ2BGR')]
REALS = [
    ('exp', cv.exp, 1, 0), ('log', lambda x: cv.log(x + .1 if isinstance(x, np.ndarray) else cv.add(x, .1)), 1, 0),
    ('power', lambda x: cv.pow(x, 2.3), 1, 0), ('dft', lambda x: cv.dft(x, flags=cv.DFT_COMPLEX_OUTPUT), 3, 0),
    ('remap', lambda x: cv.remap(x, *waves(), cv.INTER_LINEAR), 10, .01),
]
PAIRS = [
    ('magnitude', cv.magnitude, 1, 0), ('divide', lambda a, b: cv.divide(a, cv.add(b, .1)), 1, 0),
    ('product', lambda a, b: cv.gemm(a, b, 1.0, None, 0.0, flags=cv.GEMM_2_T), 1, 0),
    ('spectra', lambda a, b: cv.mulSpectrums(a, b, 0), 1, 0),
]


def results(function, inputs, on_device):
    cv.ocl.setUseOpenCL(on_device)
    out = function(*[cv.UMat(x) if on_device else x.copy() for x in inputs])
    out = out if isinstance(out, (tuple, list)) else [out]
    return [x.get() if isinstance(x, cv.UMat) else x for x in out]


def differs(ours, theirs, steps, share):
    if ours.shape != theirs.shape:
        return 'shape %s instead of %s' % (ours.shape, theirs.shape)
    off = np.abs(ours.astype(np.float64) - theirs.astype(np.float64))
    unit = 1 if theirs.dtype == np.uint8 else 1e-4 * max(1, np.abs(theirs).max())
    if np.isnan(off).any() or (off > steps * unit).mean() > share:
        return 'off by %g, %.3f of the pixels' % (off.max(), (off > steps * unit).mean())
    return None


failed = count = 0
jobs = [(list(EACH), 'colours', [COLOUR]), (GRAYS, 'gray', [GRAY]), (COLOURS, 'colours', [COLOUR]), (REALS, 'floats', [REAL]),
        (PAIRS, 'floats', [REAL, OTHER])]
if FULL:
    jobs += [(EACH, 'gray', [GRAY]), (EACH, 'floats', [REAL])]
for rows, kind, inputs in jobs:
    for name, function, steps, share in rows:
        count += 1
        try:
            why = [differs(a, b, steps, share) for a, b in zip(results(function, inputs, True), results(function, inputs, False))
                   if isinstance(a, np.ndarray)]
            why = '; '.join(w for w in why if w)
        except cv.error as e:
            why = str(e)[:300]
        if why:
            failed += 1
            print('%s of %s: %s' % (name, kind, why))
print('%d functions, %d differ' % (count, failed))
sys.exit(failed != 0)
