// C++ for OpenCL: objects at program scope that have to be constructed and destroyed, start values that have to be computed.
// They are there when the first kernel begins, in order, those of templates first.
// RUN: heddle run %s k --cl -cl-std=CLC++2021 --global 2 --arg i32[8]
// RUN: heddle run %s k --cl -cl-std=CLC++2021 --cl -cl-opt-disable --global 2 --arg i32[8]
// RUN: heddle run %s k --cl -cl-std=CLC++ --cl -g --global 2 --arg i32[8]
// CHECK: make 50
// CHECK-NEXT: make 1
// CHECK-NEXT: make 7
// CHECK-NEXT: make 8
// CHECK-NEXT: make 30
// CHECK-NEXT: make 31
// CHECK-NEXT: make 40
// CHECK-NEXT: kernel
// CHECK-NEXT: make 105
// CHECK-NEXT: drop 105
// CHECK-NEXT: drop 40
// CHECK-NEXT: drop 31
// CHECK-NEXT: drop 30
// CHECK-NEXT: plain 6
// CHECK-NEXT: drop 8
// CHECK-NEXT: drop 7
// CHECK-NEXT: drop 1
// CHECK-NEXT: drop 50
// CHECK-NOT: {{byte [0-9]|warning}}
// CHECK: arg 0: i32[8] = 6, 814, 151, 105, 904, 12, 3162, 110026
struct Log {
    int id;
    Log(int i) : id(i) { printf("make %d\n", id); }
    ~Log() { printf("drop %d\n", id); }
};

struct Plain { // without a constructor
    int a;
    ~Plain() { printf("plain %d\n", a); }
};

Log a(1);
int order = 7;
int next() { return order++; }
int x = next();
Log arr[2] = {Log(x), Log(next())};
Plain p = {5};
namespace n {
Log inner(30);
static Log hidden(31);
}
struct S {
    static Log member;
    static int v;
};
Log S::member(40);
int S::v = next() * 100;
template <typename T> struct V {
    static Log t;
};
template <typename T> Log V<T>::t(50);
int *ptr = &x;
int &ref = order;
float fl = sqrt((float)next());
float4 make(float x) { return (float4)(x, 2, 3, 4) * 2.0f; }
float4 vec = make(next());
const int c = (int)get_global_size(0) * 11;

Log &in_function(int i)
{
    static Log l(100 + i);
    return l;
}

kernel void k(global int *o)
{
    int i = get_global_id(0);

    if (i == 0) {
        printf("kernel\n");
        o[3] = in_function(5).id;
    } else {
        o[0] = p.a + a.id;
        o[1] = x + arr[1].id * 100 + *ptr;
        o[2] = n::inner.id + n::hidden.id + S::member.id + V<char>::t.id;
        o[4] = S::v + 4;
        o[5] = ref;
        o[6] = fl * 1000;
        o[7] = vec.x + vec.y + c * 10000;
        p.a++;
    }
}
