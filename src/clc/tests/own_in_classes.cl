// C++ for OpenCL: members, functions in namespaces, and lambdas with the names of built-ins that Heddle replaces.
// RUN: heddle run %s k --cl=-cl-std=CLC++2021 --global 1 --arg i32[6]=zeros --expect 0=71,72,73,74,75,1
// CHECK-NOT: {{warning|redefined|prelude}}
struct Flags {
    int bits;
    int any(int v) const { return bits + v; }
    int atomic_fetch_add(int v) { return bits + v; }
};
namespace mine
{
int vloada_half(int v) { return v; }
template <typename T> T atomic_load_explicit(T v) { return v; }
} // namespace mine

kernel void k(global int *o)
{
    Flags f = {70};
    auto vstorea_half = [](int v) { return v; };

    o[0] = f.any(1);
    o[1] = f.atomic_fetch_add(2);
    o[2] = mine::vloada_half(73);
    o[3] = mine::atomic_load_explicit(74);
    o[4] = vstorea_half(75);
    o[5] = any((int4)(-1, 1, 1, 1)) + any((int4)(1, 1, 1, 1)); // the built-in
}
