/*
 * Watch one box for `serve.c` until it has ended by itself, and tell the service how: what `watch.py` does in the common case. Whatever else
 * comes first is left to it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "slot.h"

/* Of a reply, as `protocol.py` has them. */
enum {
    ENTERED = 1 << 0,
    OVER_CPU = 1 << 1,
    OVER_MEMORY = 1 << 3,
    LOST_PLACE = 1 << 9
};

static const uint64_t LOOK = 100000000, FIRST_WATCH = 5000000, UNCOUNTED = 2000000;
static const size_t CHUNK = 1 << 20;
enum { SETTLE = 1 };

uint64_t now(int clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + time.tv_nsec;
}

static uint64_t reaped_ns(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return ((uint64_t)used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000u
        + ((uint64_t)used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000u;
}

/* Move what a pipe holds to its file; more than 0 where it may hold more, less where that is more than it may be. */
static int drain(int pipe, int file, uint64_t *size, uint64_t most)
{
    loff_t at = (loff_t)*size;
    if (*size >= most)
        return -1;
    size_t room = most - *size < CHUNK ? most - *size : CHUNK;
    ssize_t moved = splice(pipe, NULL, file, &at, room, SPLICE_F_NONBLOCK);
    if (moved <= 0)
        return moved < 0 && errno != EAGAIN ? -1 : 0;
    *size += moved;
    return (size_t)moved == room;
}

static int drain_output(struct slot *slot)
{
    return drain(slot->output_pipe, slot->output, &slot->output_size, slot->request.output);
}

static int drain_errors(struct slot *slot)
{
    return drain(slot->errors_pipe, slot->errors, &slot->errors_size, slot->request.errors);
}

/* Wait until the box has ended; 0 where something else comes first. */
int wait_for_end(struct slot *slot)
{
    const struct request *request = &slot->request;
    uint64_t first = request->cpu / (uint64_t)slot->cpus, most = slot->limit < 0 ? FIRST_WATCH : LOOK;
    first = first < request->wall ? first : request->wall;
    uint64_t look = slot->started + (first < most ? first : most);
    struct pollfd heard[] = {
        {.fd = slot->end, .events = POLLIN},
        {.fd = slot->output_pipe, .events = POLLIN},
        {.fd = slot->errors_pipe, .events = POLLIN},
        {.fd = slot->control, .events = POLLIN},
        {.fd = slot->deaths, .events = POLLIN},
    };
    for (;;) {
        uint64_t time = now(CLOCK_MONOTONIC);
        if (time >= look)
            return 0;
        struct timespec left = {(time_t)((look - time) / 1000000000u), (long)((look - time) % 1000000000u)};
        int count = ppoll(heard, 5, &left, NULL);
        if (heard[0].revents && count > 0)
            return 1;
        if (count < 0 || (count > 0 && (heard[3].revents || heard[4].revents)))
            return 0;
        if (count > 0) { /* let output come together, then take it */
            if (poll(heard, 1, SETTLE) > 0)
                return 1;
            if ((heard[1].revents && drain_output(slot) < 0) || (heard[2].revents && drain_errors(slot) < 0))
                return 0;
        }
    }
}

/* Whether nothing is left of the box but what can be reaped, and nothing of it is too much; all that it wrote is taken then. */
int is_over(struct slot *slot)
{
    char text[64], alone[16];
    ssize_t size = pread(slot->children, text, sizeof text, 0);
    int length = snprintf(alone, sizeof alone, "%d ", slot->pid), more;
    if (size != length || memcmp(text, alone, length))
        return 0;
    struct pollfd left[] = {
        {.fd = slot->output_pipe, .events = POLLIN}, {.fd = slot->errors_pipe, .events = POLLIN}, {.fd = slot->news, .events = POLLIN}};
    if (poll(left, 3, 0) < 0)
        return 0;
    while (left[0].revents && (more = drain_output(slot)))
        if (more < 0)
            return 0;
    while (left[1].revents && (more = drain_errors(slot)))
        if (more < 0)
            return 0;
    slot->is_dirty = left[2].revents != 0;
    if (slot->is_dirty) {
        struct statvfs space;
        if (fstatvfs(slot->base, &space) || (space.f_blocks - space.f_bfree) * space.f_frsize > slot->at_rest + slot->request.disk)
            return 0;
    }
    return 1;
}

/* Reap the box and tell the service how it ended; less than 0 where an error is to be raised. */
int conclude(struct slot *slot, uint64_t wall, uint64_t peak)
{
    const struct request *request = &slot->request;
    struct reply reply = {.wall = wall, .output = slot->output_size, .errors = slot->errors_size};
    struct rusage used;
    int status;
    uint64_t entered = 0;
    while (wait4(slot->pid, &status, 0, &used) < 0)
        if (errno != EINTR)
            return -1;
    if (slot->limit < 0)
        peak = (uint64_t)used.ru_maxrss * 1024;
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) { /* perhaps for memory, and what it left in files is still charged to us */
        put(slot->limit, slot->no_limit);
        slot->group_limit = -1;
    }
    uint64_t reaped = reaped_ns();
    reply.cpu = reaped - slot->reaped;
    slot->reaped = reaped;
    if (slot->cpu >= 0) {
        uint64_t own = now(CLOCK_PROCESS_CPUTIME_ID); /* asked first: the kernel then brings the group's account up to date as well */
        int64_t counted = (int64_t)(number_in(slot->cpu) - own) - slot->cpu_before;
        if (counted > (int64_t)(reply.cpu + UNCOUNTED))
            reply.cpu = (uint64_t)counted;
    }
    if (read(slot->entered, &entered, sizeof entered) == sizeof entered && entered == 1)
        reply.flags |= ENTERED;
    if (peak > request->memory)
        reply.flags |= OVER_MEMORY;
    if (reply.cpu > request->cpu)
        reply.flags |= OVER_CPU;
    if (slot->is_dirty)
        reply.flags |= LOST_PLACE;
    reply.memory = peak;
    reply.code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    reply.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    slot->written = slot->output_size + slot->errors_size;
    return send(slot->control, &reply, sizeof reply, 0) < 0 ? -1 : 0;
}

/* Whether sockets may be left that only sockets refer to: all are listed but ours. Their names, which programs chose, are not read. */
int leaves_sockets(const struct slot *slot)
{
    char text[2]; /* the end of the line that names the columns, and a letter behind it */
    return pread(slot->sockets, text, sizeof text, slot->sockets_from) == sizeof text;
}
