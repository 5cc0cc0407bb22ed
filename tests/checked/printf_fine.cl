// Strings of one printf are variables of their own; each is read to its end, whatever the format's length.
// RUN: heddle check %s fine --global 2 --local 2 --arg i32=1
// CHECK: {{^}}  foo|b|long string that is longer than the format
// CHECK-NEXT: {{^}}  foo|b|long string that is longer than the format
// CHECK-NOT: check.

kernel void fine(int n)
{
    printf("%5s|%.1s|%s\n", "foo", "bar", n ? "long string that is longer than the format" : "short");
}
