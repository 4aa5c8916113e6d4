/*
 * The common course of a case, from request to reply, for the slot's parent (`zygote/parent.py`): fork one box, have it watched until it has
 * ended by itself (`watch.c`), clean up after it (`folders.c`). Whatever else happens is left to the parent's own code, which can do all of it.
 *
 * Theory of operation: after a fork, parent and box pay a fault for every page that they write, and an interpreter writes more than a
 * hundred of them to make a dozen system calls: counts of references, frames, caches. So what the parent does while a box lives is done
 * here, where it writes its stack and `struct slot`. Nothing is decided here that is not decided alike in `parent.py` and `watch.py`:
 * a request that is not simple is handed over before its box was started (REQUEST), a box that has not ended by itself, within its limits
 * and alone, before it was reaped (WATCH), and what a box leaves to be cleaned away, once the reply is sent (LEFT).
 *
 * The interpreter forks as it always does, with what it does before and after; these three functions are part of its stable interface.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "slot.h"
#include "start.h"

/* Of the interpreter that loads this. */
void PyOS_BeforeFork(void);
void PyOS_AfterFork_Parent(void);
void PyOS_AfterFork_Child(void);
int PyErr_CheckSignals(void);
void *PyErr_Occurred(void);
void *PyErr_SetFromErrno(void *type);
void *PyBytes_FromStringAndSize(const char *text, ssize_t size);
char *PyBytes_AsString(void *bytes);
void *PyLong_FromLong(long number);
extern void *PyExc_OSError;

/* What became of it; as `zygote/native.py` has it. */
enum { GONE, REQUEST, BOX, WATCH, LEFT, FAILED, SERVED };

/* As `protocol.py` has them. */
enum {
    STDIN = 1 << 0,
    CODE = 1 << 1,
    MANIFEST = 1 << 2,
    VALUE = 1 << 3,
    CHANNEL = 1 << 4,
    DOCUMENT = 1 << 10,
    PLACE = 1 << 11,
    COMMAND = 1 << 15,
    FIRST = 3,
    MOST = 10 /* descriptors that a request may bring */
};

static const uint64_t KEPT_OUTPUT = 1 << 16;

uint64_t number_in(int file)
{
    char text[257];
    ssize_t size = pread(file, text, sizeof text - 1, 0);
    text[size < 0 ? 0 : size] = 0;
    if (!strncmp(text, "usage_usec ", 11))
        return strtoull(text + 11, NULL, 10) * 1000;
    return strtoull(text, NULL, 10);
}

int put(int file, const char *text)
{
    return pwrite(file, text, strlen(text), 0) < 0;
}

/* The next request, and what came with it; less than 0 where an error is to be raised, 0 where the service hung up. */
static int receive(struct slot *slot)
{
    char space[CMSG_SPACE(sizeof(int) * MOST)];
    struct iovec part = {slot->packet, sizeof slot->packet};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = space};
    ssize_t size;
    do {
        message.msg_controllen = sizeof space;
        size = recvmsg(slot->control, &message, MSG_CMSG_CLOEXEC);
        if (size < 0 && (errno != EINTR || PyErr_CheckSignals()))
            return -1;
    } while (size < 0 || (size == 6 && !memcmp(slot->packet, "cancel", 6))); /* one that crossed the reply it wanted to hurry */
    slot->size = (int)size;
    slot->brought = 0;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (size && head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS) {
        int count = (int)((head->cmsg_len - CMSG_LEN(0)) / sizeof(int)), given[MOST];
        memcpy(given, CMSG_DATA(head), count * sizeof(int));
        for (int i = 0; i < count; i++)
            if (given[i] != FIRST + i)
                return slot->brought = -1, 1; /* for the parent to refuse */
        slot->brought = count;
    }
    return size > 0;
}

static int is_simple(const struct slot *slot)
{
    const struct request *request = &slot->request;
    if (slot->uid < 0 && (request->flags & (PLACE | COMMAND)))
        return 0;
    return slot->size == sizeof *request && slot->brought > 0 && slot->written <= KEPT_OUTPUT
        && !(request->flags & ~((uint32_t)(STDIN | CODE | MANIFEST | VALUE | CHANNEL | DOCUMENT | COMMAND | PLACE) | slot->loaded));
}

/* Bound the group that the box is born in; less than 0 where that cannot be done. */
static int bound(struct slot *slot)
{
    const struct request *request = &slot->request;
    if (slot->limit >= 0) {
        int64_t limit = slot->group_base + (int64_t)(request->memory + request->output);
        if (limit != slot->group_limit) {
            char text[24];
            snprintf(text, sizeof text, "%lld", (long long)limit);
            if (put(slot->limit, text))
                return -1;
            slot->group_limit = limit;
        }
        if (put(slot->peak, "0"))
            return -1;
        if (slot->cpu >= 0) {
            uint64_t own = now(CLOCK_PROCESS_CPUTIME_ID);
            slot->cpu_before = (int64_t)(number_in(slot->cpu) - own);
        }
    }
    uint64_t stack = request->memory < slot->stack_limit ? request->memory : slot->stack_limit;
    if (stack != slot->stack) {
        struct rlimit both;
        if (getrlimit(RLIMIT_STACK, &both))
            return -1;
        both.rlim_cur = stack < both.rlim_max ? stack : both.rlim_max;
        if (setrlimit(RLIMIT_STACK, &both))
            return -1;
        slot->stack = stack;
    }
    return 0;
}

/* Put the next box's input and output on our own 0-2. */
static int connect_streams(struct slot *slot)
{
    int output[2], errors[2];
    if (dup2(FIRST, 0) < 0 || pipe2(output, O_CLOEXEC))
        return -1;
    if (pipe2(errors, O_CLOEXEC))
        return -1;
    /* so that programs may open /dev/stdout anew */
    if (slot->uid >= 0 && (fchown(output[1], slot->uid, -1) || fchown(errors[1], slot->uid, -1)))
        return -1;
    if (dup2(output[1], 1) < 0 || dup2(errors[1], 2) < 0)
        return -1;
    close(output[1]);
    close(errors[1]);
    slot->output_pipe = output[0];
    slot->errors_pipe = errors[0];
    return 0;
}

/* As `shut` in `child.py`: take the program's code, put up the box's own walls. */
static void *shut(const struct slot *slot)
{
    const struct request *request = &slot->request;
    void *code = PyBytes_FromStringAndSize(NULL, (ssize_t)request->code_size);
    uint64_t tasks = request->processes < slot->hard_tasks ? request->processes : slot->hard_tasks;
    if (!code)
        refuse("the program's code does not fit\n");
    char *text = PyBytes_AsString(code);
    for (uint64_t read = 0; read < request->code_size;) {
        ssize_t size = pread(FIRST + 1, text + read, request->code_size - read, (off_t)read);
        if (size <= 0)
            refuse("the program's code cannot be read\n");
        read += size;
    }
    limit(RLIMIT_FSIZE, request->disk);
    limit(RLIMIT_NPROC, tasks);
    if (syscall(SYS_setresuid, slot->uid, slot->uid, slot->uid))
        refuse("the uid of the box cannot be changed\n");
    /* Changing the uid made /proc/self root's; programs read /proc/self/fd through /dev/stdin. */
    if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0))
        refuse("the box cannot be made dumpable\n");
    count(slot->entered);
    if (syscall(SYS_close_range, FIRST, slot->descriptors - 1, 0))
        for (int file = FIRST; file < slot->descriptors; file++)
            close(file);
    return code;
}

/* Start a command; less than 0 where that takes a fork. */
static int start(const struct slot *slot)
{
    const struct request *request = &slot->request;
    struct box box = {.manifest = FIRST + 1, .counter = slot->entered, .value = -1, .document = -1};
    int next = FIRST + 2;
    if (request->flags & VALUE)
        box.value = next++;
    if (request->flags & DOCUMENT)
        box.document = next++;
    box.manifest_size = request->told_size;
    box.uid = slot->uid;
    box.file_bytes = request->disk;
    box.processes = request->processes < slot->hard_tasks ? request->processes : slot->hard_tasks;
    return scalebox_start(&box, environ);
}

/* One case; what became of it. The code of a plain program where this has become its box. */
static int serve_one(struct slot *slot, void **code)
{
    sigset_t deaths;
    const struct request *request = &slot->request;
    switch (receive(slot)) {
    case -1:
        return FAILED;
    case 0:
        return GONE;
    }
    if (!is_simple(slot))
        return REQUEST;
    if (request->flags & PLACE) {
        if (place(slot, FIRST + slot->brought - 1))
            return REQUEST;
        close(FIRST + --slot->brought);
    }
    if (bound(slot) || connect_streams(slot))
        return FAILED;
    slot->output_size = slot->errors_size = 0;
    slot->is_dirty = 0;
    slot->pid = -1;
    slot->started = now(CLOCK_MONOTONIC);
    /* A box is born as the out-of-memory killer's first choice; it cannot write what would change that. */
    if (put(slot->score, "1000"))
        return FAILED;
    if (request->flags & COMMAND)
        slot->pid = start(slot);
    if (slot->pid < 0) {
        PyOS_BeforeFork();
        slot->pid = fork();
        if (!slot->pid) {
            PyOS_AfterFork_Child();
            if (slot->uid >= 0 && (request->flags & (CODE | MANIFEST)) == CODE)
                *code = shut(slot);
            return BOX;
        }
        int error = errno;
        PyOS_AfterFork_Parent();
        errno = error;
        if (slot->pid < 0)
            return FAILED;
    }
    if (put(slot->score, slot->own_score))
        return FAILED;
    for (int file = FIRST; file < FIRST + slot->brought; file++)
        close(file);
    /* Only now, as a box would inherit it; what ended before is reaped with the next, and taking it back drops what waits. */
    sigemptyset(&deaths);
    sigaddset(&deaths, SIGCHLD);
    sigprocmask(SIG_BLOCK, &deaths, NULL);
    slot->end = (int)syscall(SYS_pidfd_open, slot->pid, 0);
    if (slot->end < 0)
        return FAILED;
    if (!wait_for_end(slot))
        return WATCH;
    uint64_t wall = now(CLOCK_MONOTONIC) - slot->started, peak = 0;
    if (!is_over(slot))
        return WATCH;
    if (slot->limit >= 0) {
        peak = number_in(slot->peak);
        uint64_t ours = (uint64_t)(slot->group_base > 0 ? slot->group_base : 0) + slot->output_size + slot->errors_size;
        peak = peak > ours ? peak - ours : 0;
        if (peak >= request->memory)
            return WATCH;
    }
    close(slot->end);
    if (conclude(slot, wall, peak))
        return FAILED;
    sigprocmask(SIG_UNBLOCK, &deaths, NULL);
    close(slot->output_pipe);
    close(slot->errors_pipe);
    if (leaves_sockets(slot))
        return LEFT;
    if (!slot->is_dirty && slot->is_fresh > 0) {
        slot->is_fresh--;
        rest(slot);
    }
    return !slot->is_dirty || (slot->uid >= 0 && !tidy(slot)) ? SERVED : LEFT;
}

/* Serve until the parent is needed, or a box was forked, which this then returns in: the code of its program, or what is to be done. */
__attribute__((visibility("default"))) void *scalebox_serve(struct slot *slot)
{
    void *code = NULL;
    int done;
    while ((done = serve_one(slot, &code)) == SERVED)
        ;
    if (done == FAILED)
        return PyErr_Occurred() ? NULL : PyErr_SetFromErrno(PyExc_OSError);
    return code ? code : PyLong_FromLong(done);
}
