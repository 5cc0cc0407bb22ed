# A program on ViennaCL: dense and sparse products and a conjugate-gradient solver, against the host.
# SPDX-License-Identifier: MIT
[ -f /usr/include/viennacl/version.hpp ] || { echo 'no ViennaCL (Debian: libviennacl-dev)'; exit 77; }
command -v g++ > /dev/null || { echo 'no C++ compiler'; exit 77; }
cat > program.cpp <<'CPP'
#define VIENNACL_WITH_OPENCL
#include <cmath>
#include <cstdio>
#include <map>
#include <vector>
#include "viennacl/vector.hpp"
#include "viennacl/matrix.hpp"
#include "viennacl/compressed_matrix.hpp"
#include "viennacl/linalg/prod.hpp"
#include "viennacl/linalg/inner_prod.hpp"
#include "viennacl/linalg/norm_2.hpp"
#include "viennacl/linalg/cg.hpp"

static int worst(const char *what, double error, double limit)
{
    std::printf("%s: off by %g\n", what, error);
    return !(error <= limit);
}

int main()
{
    typedef float T;
    const std::size_t n = 200;
    int bad = 0;
    std::vector<T> x(n), y(n);
    std::vector<std::vector<T>> a(n, std::vector<T>(n));
    std::vector<std::map<unsigned, T>> s(n);

    std::printf("%s\n", viennacl::ocl::current_device().name().c_str());
    if (viennacl::ocl::current_device().name().find("Heddle") == std::string::npos)
        return 2;
    for (std::size_t i = 0; i < n; i++) {
        x[i] = T(i % 17) / 8 - 1;
        for (std::size_t j = 0; j < n; j++)
            a[i][j] = T((i * 31 + j * 7) % 23) / 16 - T(0.5);
        s[i][unsigned(i)] = 4;
        if (i > 0)
            s[i][unsigned(i - 1)] = -1;
        if (i + 1 < n)
            s[i][unsigned(i + 1)] = -1;
    }
    viennacl::vector<T> dx(n), dy(n);
    viennacl::matrix<T> da(n, n), db(n, n);
    viennacl::compressed_matrix<T> ds(n, n);
    viennacl::copy(x, dx);
    viennacl::copy(a, da);
    viennacl::copy(s, ds);

    T dot = viennacl::linalg::inner_prod(dx, dx);
    double want = 0, error = 0;
    for (T v : x)
        want += double(v) * v;
    bad += worst("inner product", std::fabs(dot - want), 1e-3);

    dy = viennacl::linalg::prod(da, dx);
    viennacl::copy(dy, y);
    for (std::size_t i = 0; i < n; i++) {
        double sum = 0;
        for (std::size_t j = 0; j < n; j++)
            sum += double(a[i][j]) * x[j];
        error = std::fmax(error, std::fabs(sum - y[i]));
    }
    bad += worst("matrix by vector", error, 1e-3);

    db = viennacl::linalg::prod(da, da);
    std::vector<std::vector<T>> b(n, std::vector<T>(n));
    viennacl::copy(db, b);
    error = 0;
    for (std::size_t i = 0; i < n; i++)
        for (std::size_t j = 0; j < n; j++) {
            double sum = 0;
            for (std::size_t k = 0; k < n; k++)
                sum += double(a[i][k]) * a[k][j];
            error = std::fmax(error, std::fabs(sum - b[i][j]));
        }
    bad += worst("matrix by matrix", error, 1e-3);

    viennacl::vector<T> solved = viennacl::linalg::solve(ds, dx, viennacl::linalg::cg_tag(1e-6, 200));
    viennacl::vector<T> residual = viennacl::linalg::prod(ds, solved);
    residual -= dx;
    bad += worst("conjugate gradient", viennacl::linalg::norm_2(residual), 1e-3);
    return bad;
}
CPP
g++ -std=c++14 -O1 -w -DCL_TARGET_OPENCL_VERSION=120 -o program program.cpp -lOpenCL || exit 1
./program
