// C++ for OpenCL in its three spellings; the extension has no macro of its own.
// RUN: heddle run %s k --cl=-cl-std=CLC++ --global 5 --arg i32[5] --expect 0=38,50,62,74,86
// RUN: heddle run %s k --cl=-cl-std=CLC++1.0 --global 5 --arg i32[5] --expect 0=38,50,62,74,86
// RUN: heddle run %s k --cl=-cl-std=CLC++2021 --global 5 --arg i32[5] --expect 0=38,50,62,74,86
#ifdef cl_ext_cxx_for_opencl
#error "a macro that the extension excludes"
#endif
template <typename T> struct Pair {
    T a, b;
    T sum() const { return a + b; }
};

template <typename T> T twice(T x) { return x + x; }

class Counter {
    int n;

public:
    Counter(int start) : n(start) {}
    int next() { return n++; }
};

kernel void k(global int *out)
{
    Pair<int> p{(int)get_global_id(0), 3};
    Counter c(p.sum());
    auto by_ten = [](int x) { return x * 10; };
    int first = by_ten(c.next());

    out[get_global_id(0)] = first + twice(c.next());
}
