#line 2 "harness.c"
/* Run the test code that follows the program and prove that it came to its end. System calls are made through one
   renamed symbol, because the headers that declare them would put names in the program's way. */
#include <assert.h>
#include <sys/syscall.h>
long scalebox_syscall(long, ...) __asm__("syscall");
static void scalebox_put(int descriptor, const char* text, long size) {
    while (size > 0) {
        long written = scalebox_syscall(SYS_write, descriptor, text, size);
        if (written <= 0) scalebox_syscall(SYS_exit_group, 3);
        text += written;
        size -= written;
    }
}
static void scalebox_failed(const char* text) {
    scalebox_put(2, "assertion failed: ", 18);
    scalebox_put(2, text, (long)__builtin_strlen(text));
    scalebox_put(2, "\n", 1);
    scalebox_put(4, "failed\n", 7);
    for (;;) scalebox_syscall(SYS_exit_group, 1);
}
static void scalebox_finish(void) {
    char token[257];
    long size = 0;
    long count = scalebox_syscall(SYS_read, 3, token, 256);
    while (size < count && token[size] != '\n') ++size;
    token[size++] = '\n';
    scalebox_put(4, token, size);
}
#define main scalebox_program_main
#line 1 "program.c"
@program@
#undef main
#undef assert
#undef candidate
#define assert(...) ((__VA_ARGS__) ? (void)0 : scalebox_failed(#__VA_ARGS__))
#define main scalebox_tests_main
@close@
#line 1 "tests.c"
@tests@
#undef main
#undef int
#undef void
#undef return
int main(void) {
    scalebox_tests_main();
    scalebox_finish();
    return 0;
}
