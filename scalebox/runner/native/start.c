/*
 * Start a command in a box without a fork. A library for the slot's parent (`zygote/parent.py`), which calls this in place of fork(2).
 *
 * Theory of operation: the parent is an interpreter of some ten megabytes. To fork it, and to write to what the fork shares, costs more
 * than a short compiled program does, and the command drops all of it at once. So the child here is one of vfork(2): it borrows the parent's
 * memory, the parent standing still, until it has executed the command. Descriptors, limits, uid, and signal actions are its own from the
 * start. It makes system calls only (the C library's setresuid() would look for the parent's threads), and does what `child.py` does
 * for commands, in the same order. Where this cannot be compiled or loaded, that is done.
 *
 * What the box is told is mapped while the child needs it, and unmapped before the parent goes on: the parent's heap never holds it.
 * A manifest ends in a sheet (`memory_file.py`): number of arguments, arguments, number of variables, variables, each with a zero byte
 * behind it; and in the sheet's size as eight bytes, lowest first.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "start.h"

enum { WORDS = 1024, PATH_BYTES = 4096, NOT_SET_UP = 126, NOT_STARTED = 127, DOCUMENT_FD = 3, VALUE_FD = 4 };

static const char USUAL_PATH[] = "/bin:/usr/bin"; /* where there is no PATH, as for os.execvpe() */

void say(const char *text)
{
    ssize_t written = write(2, text, strlen(text));
    (void)written;
}

_Noreturn void refuse(const char *why)
{
    say(why);
    _exit(NOT_SET_UP);
}

void count(int counter)
{
    uint64_t one = 1;
    if (write(counter, &one, sizeof one) != sizeof one)
        refuse("the box cannot be counted\n");
}

void limit(int what, uint64_t most)
{
    struct rlimit both = {most, most};
    if (setrlimit(what, &both))
        refuse("a limit of the box cannot be set\n");
}

/* Why a command cannot be started that is no fault of the program, as `child.py` has it. */
static int is_not_there(int error)
{
    return error == ENOENT || error == ENOEXEC || error == EACCES || error == ENOTDIR || error == ELOOP;
}

_Noreturn static void not_started(const char *command, int error, int counter)
{
    char digits[] = "error 000";
#ifdef __GLIBC__
    const char *why = strerrordesc_np(error); /* strerror() would look for a translation */
#else
    const char *why = NULL;
#endif
    digits[6] += error / 100 % 10, digits[7] += error / 10 % 10, digits[8] += error % 10;
    say("cannot start ");
    say(command);
    say(": ");
    say(why ? why : digits);
    say("\n");
    if (is_not_there(error))
        count(counter);
    _exit(NOT_STARTED);
}

/* Become a command, which is looked for in the folders of PATH unless its name is a path; why that cannot be, as Python's os.execvpe() has it. */
static int execute(char **arguments, char **variables)
{
    const char *folders = USUAL_PATH, *name = arguments[0];
    int first = 0, last = ENOENT;
    if (strchr(name, '/')) {
        execve(name, arguments, variables);
        return errno;
    }
    for (char **variable = variables; *variable; variable++)
        if (!strncmp(*variable, "PATH=", 5))
            folders = *variable + 5;
    for (const char *end; folders; folders = *end ? end + 1 : NULL) {
        char path[PATH_BYTES];
        size_t length = (size_t)((end = strchrnul(folders, ':')) - folders);
        last = ENAMETOOLONG;
        if (length + strlen(name) + 2 <= sizeof path) {
            memcpy(path, folders, length);
            path[length] = '/';
            strcpy(path + length + !!length, name); /* an empty folder is the work folder */
            execve(path, arguments, variables);
            last = errno;
        }
        if (!first && last != ENOENT && last != ENOTDIR)
            first = last;
    }
    return first ? first : last;
}

/* Never a part of its caller, whose frame is there for the parent to come back to. */
_Noreturn __attribute__((noinline)) static void become(const struct box *box, char **arguments, char **variables, const sigset_t *mask)
{
    static const struct sigaction usual = {.sa_handler = SIG_DFL};
    limit(RLIMIT_FSIZE, box->file_bytes);
    limit(RLIMIT_NPROC, box->processes);
    if (syscall(SYS_setresuid, (uid_t)box->uid, (uid_t)box->uid, (uid_t)box->uid))
        refuse("the uid of the box cannot be changed\n");
    if (box->value >= 0 && dup2(box->value, VALUE_FD) < 0)
        refuse("a channel of the box cannot be put in its place\n");
    if (box->document >= 0 && dup2(box->document, DOCUMENT_FD) < 0)
        refuse("a channel of the box cannot be put in its place\n");
    sigaction(SIGPIPE, &usual, NULL);
    sigaction(SIGXFSZ, &usual, NULL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    count(box->counter);
    not_started(arguments[0], execute(arguments, variables), box->counter); /* every other descriptor is closed by that */
}

/* Words of the sheet into `words`; returns what follows them, or NULL where they are not as they should be. */
static char *words_of(char *text, char *end, char **words)
{
    unsigned long left = strtoul(text, NULL, 10);
    if (left >= WORDS)
        return NULL;
    for (text += strlen(text) + 1; left; left--) {
        if (text >= end)
            return NULL;
        *words++ = text;
        text += strlen(text) + 1;
    }
    *words = NULL;
    return text;
}

/* Whether one of the variables has the name of the one that is given. */
static int is_among(char **variables, const char *given)
{
    size_t length = strcspn(given, "=") + 1;
    for (; *variables; variables++)
        if (!strncmp(*variables, given, length))
            return 1;
    return 0;
}

/* The environment: what the sheet says, and what is inherited beside. */
static void add_inherited(char **variables, char **inherited)
{
    size_t told = 0;
    while (variables[told])
        told++;
    for (size_t last = told; *inherited && last < 2 * WORDS - 1; inherited++)
        if (!is_among(variables, *inherited))
            variables[last++] = *inherited, variables[last] = NULL;
}

/* Start what a box's manifest says; returns its process id, or less than 0 where nothing was started. */
int scalebox_start(const struct box *box, char **inherited)
{
    char *arguments[WORDS], *variables[2 * WORDS];
    uint64_t size;
    sigset_t all, mask;
    int pid = -1;
    char *told = mmap(NULL, box->manifest_size, PROT_READ, MAP_PRIVATE, box->manifest, 0);
    if (told == MAP_FAILED)
        return -1;
    char *end = told + box->manifest_size - sizeof size;
    memcpy(&size, end, sizeof size);
    if (size && size <= box->manifest_size - sizeof size && !end[-1]) {
        char *variable = words_of(end - size, end, arguments);
        if (variable && arguments[0] && words_of(variable, end, variables)) {
            add_inherited(variables, inherited);
            sigfillset(&all);
            sigprocmask(SIG_BLOCK, &all, &mask); /* a handler of the parent's is not to run in the child */
            pid = vfork();
            if (!pid)
                become(box, arguments, variables, &mask);
            sigprocmask(SIG_SETMASK, &mask, NULL);
        }
    }
    munmap(told, box->manifest_size);
    return pid;
}
