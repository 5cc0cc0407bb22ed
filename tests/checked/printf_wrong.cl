// Conversions that printf does not have, and arguments that do not go with theirs.
// RUN: heddle check %s bad --global 1 --arg i64[1]=7 --arg i8[2]=65,0
// EXIT: 1
// CHECK: error: there is no argument for the conversion %d [check.printf]
// CHECK: hint: pass an argument for each conversion
// CHECK: error: the argument of the conversion %-5d is a 64-bit integer [check.printf]
// CHECK: hint: change the conversion, or cast the argument
// CHECK: error: the argument of the conversion %f is a 32-bit integer [check.printf]
// CHECK: error: the argument of the conversion %v4hlf is a vector of 2 times 32-bit float [check.printf]
// CHECK: error: the argument of %s is not a literal string [check.printf]
// CHECK: note: the conversion %lld is not defined [check.printf]
// CHECK: hint: the lengths ll, j and L are C's: write l for 64 bits, and none for floats
// CHECK: note: the conversion %*d is not defined [check.printf]
// CHECK: hint: a * is C's: write the width and the precision as numbers
// CHECK: error: printf has no conversion %n [check.printf]
// CHECK: note: the conversion %v2f is not defined [check.printf]
// CHECK: hint: a vector needs a length: hh, h, hl or l
// CHECK: note: the conversion %lf is not defined [check.printf]
// CHECK: note: the conversion %#d is not defined [check.printf]
// CHECK: note: the conversion %05s is not defined [check.printf]
// CHECK: note: the conversion %.2c is not defined [check.printf]
// CHECK: error: the argument of the conversion %.*f is a 64-bit float [check.printf]
// CHECK: error: there is no argument for the conversion %*u [check.printf]
// CHECK: 8 errors, 9 notes

kernel void bad(global long *n, global char *s)
{
    printf("%d %d\n", 1);
    printf("%-5d\n", n[0]);
    printf("%f\n", 1);
    printf("%v4hlf\n", (float2)(1, 2));
    printf("%s\n", s);
    printf("%lld\n", n[0]);
    printf("%*d\n", 5, 1);
    printf("%n\n", s);
    printf("%v2f\n", (float2)(1, 2));
    printf("%lf\n", 1.0f);
    printf("%#d\n", 1);
    printf("%05s\n", "x");
    printf("%.2c\n", 'x');
    printf("%.*f\n", 1.0f, 2.0f);
    printf("%*u\n");
}
