#line 2 "harness.c"
/* Run the test code that follows the program and prove that it came to its end. System calls are made here, because
   headers that declare them would put names in the program's way, and the library's functions could be the program's. No
   program holds the names, and its macros end where it does; what the library calls so is the library's again. The token is
   taken before anything of the program runs, its constructors included, so that there is none left on the descriptor. */
#include <assert.h>
#include <sys/syscall.h>
#if defined __x86_64__
static long @entry@_call(long number, long first, const void* second, long third) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(first), "S"(second), "d"(third) : "rcx", "r11", "memory");
    return result;
}
#elif defined __aarch64__
static long @entry@_call(long number, long first, const void* second, long third) {
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = first, x2 __asm__("x2") = third;
    register const void* x1 __asm__("x1") = second;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
}
#else
long @entry@_call(long, ...) __asm__("syscall");
#endif
static void @entry@_put(int descriptor, const char* text, long size) {
    while (size > 0) {
        long written = @entry@_call(SYS_write, descriptor, text, size);
        if (written <= 0) @entry@_call(SYS_exit_group, 3, 0, 0);
        text += written;
        size -= written;
    }
}
static void @entry@_failed(const char* text) {
    @entry@_put(2, "assertion failed: ", 18);
    @entry@_put(2, text, (long)__builtin_strlen(text));
    @entry@_put(2, "\n", 1);
    @entry@_put(4, "failed\n", 7);
    for (;;) @entry@_call(SYS_exit_group, 1, 0, 0);
}
static char @entry@_token[257];
static long @entry@_size;
__attribute__((used)) static void @entry@_take(void) {
    long count = @entry@_call(SYS_read, 3, @entry@_token, 256);
    while (@entry@_size < count && @entry@_token[@entry@_size] != '\n') ++@entry@_size;
    @entry@_token[@entry@_size++] = '\n';
}
/* Not as a variable, which the compiler could place behind one of the program's. */
__asm__(".pushsection .preinit_array, \"aw\", %preinit_array\n\t.balign 8\n\t.dc.a @entry@_take\n\t.popsection");
#define main @entry@_program_main
#line 1 "program.c"
@program@
@found@#if defined @entry@_was_bool && !defined bool
#define bool _Bool
#endif
#if defined @entry@_was_true && !defined true
#define true 1
#endif
#if defined @entry@_was_false && !defined false
#define false 0
#endif
#if defined @entry@_was_NULL && !defined NULL
#define NULL ((void*)0)
#endif
#if defined @entry@_was_EOF && !defined EOF
#define EOF (-1)
#endif
#if defined @entry@_was_INT_MAX && !defined INT_MAX
#define INT_MAX __INT_MAX__
#endif
#if defined @entry@_was_INT_MIN && !defined INT_MIN
#define INT_MIN (-__INT_MAX__ - 1)
#endif
#if defined @entry@_was_UINT_MAX && !defined UINT_MAX
#define UINT_MAX (__INT_MAX__ * 2U + 1U)
#endif
#if defined @entry@_was_LONG_MAX && !defined LONG_MAX
#define LONG_MAX __LONG_MAX__
#endif
#if defined @entry@_was_LONG_MIN && !defined LONG_MIN
#define LONG_MIN (-__LONG_MAX__ - 1L)
#endif
#if defined @entry@_was_LLONG_MAX && !defined LLONG_MAX
#define LLONG_MAX __LONG_LONG_MAX__
#endif
#if defined @entry@_was_LLONG_MIN && !defined LLONG_MIN
#define LLONG_MIN (-__LONG_LONG_MAX__ - 1LL)
#endif
#if defined @entry@_was_M_PI && !defined M_PI
#define M_PI 3.14159265358979323846
#endif
#undef main
#undef assert
#undef candidate
#define assert(...) ((__VA_ARGS__) ? (void)0 : @entry@_failed(#__VA_ARGS__))
#define main @entry@_tests_main
@close@
#line 1 "tests.c"
@tests@
#undef main
#undef int
#undef void
#undef return
int main(void) {
    @entry@_tests_main();
    if (!@entry@_size) @entry@_take(); /* a loader that knows no .preinit_array */
    @entry@_put(4, @entry@_token, @entry@_size);
    return 0;
}
