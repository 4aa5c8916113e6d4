/* What `serve.c`, `watch.c` and `folders.c` share: a slot as its parent knows it, and how a request and its reply lie in a packet. */
#pragma once
#include <stdint.h>

enum { FOLDERS = 3, GIVEN = 8 };

struct request {
    uint32_t flags, processes;
    uint64_t cpu, wall, memory, output, errors, disk, code_size, told_size;
    uint32_t mode;
    char name[128];
} __attribute__((packed));

struct reply {
    uint32_t flags;
    int32_t code, signal;
    uint64_t cpu, wall, memory, output, errors;
} __attribute__((packed));

/*
 * What the parent knows; as `zygote/native.py` has it. A descriptor that is not there is -1, and so is `uid` where boxes have the parent's: then
 * what is of folders is not set. Times are in nanoseconds, sizes in bytes.
 */
struct slot {
    /* set once */
    int32_t control, output, errors, entered, score, children, deaths, sockets, sockets_from, news, base; /* sockets_from: the last letter before the first in their list */
    int32_t limit, peak, usage, statistics, cpu; /* of the group that bounds memory, and of the one that counts CPU time */
    int32_t uid, descriptors, cpus, given_count;
    uint64_t stack_limit, hard_tasks;
    const char *own_score, *no_limit, *base_path, *folders[FOLDERS], *given[GIVEN]; /* given: files in the first folder */
    /* kept by both sides */
    uint64_t reaped, written, stack, at_rest, loaded; /* the last is of flags */
    int64_t group_base, group_limit, disk_pages; /* bytes that the group held at rest, what it is limited to (-1: not at all), what it held of files on disks */
    uint64_t seen[FOLDERS]; /* when the folders were changed last */
    int32_t watches[FOLDERS];
    char placed[256]; /* path of the program's file; empty where there is none */
    /* told at the end of a call */
    int64_t cpu_before;
    uint64_t started, output_size, errors_size;
    int32_t pid, end, output_pipe, errors_pipe, brought, size, is_dirty, is_lost; /* is_lost: the folders are no longer watched as told */
    int32_t is_fresh; /* so many cases more the group is asked after what it holds, which grows as the parent copies what boxes share with it */
    union {
        struct request request;
        char packet[256];
    };
};

/* A number that a file of the kernel's begins with; nanoseconds where it says so in microseconds. */
uint64_t number_in(int file);
/* Write a text to a file of the kernel's; not 0 where it cannot be done. */
int put(int file, const char *text);

/* Lay the program's file into the first folder, which is made anew where it has to be; not 0 where the parent is to do that. */
int place(struct slot *slot, int source);
/* Note what the group holds while no box runs. */
void rest(struct slot *slot);
/* Bring the folders back to how they were before a box changed them; not 0 where the parent is to do that. */
int tidy(struct slot *slot);

/* Nanoseconds on a clock. */
uint64_t now(int clock);
/* Wait until the box has ended; 0 where something else comes first. */
int wait_for_end(struct slot *slot);
/* Whether nothing is left of the box but what can be reaped, and nothing of it is too much; all that it wrote is taken then. */
int is_over(struct slot *slot);
/* Reap the box and tell the service how it ended; less than 0 where an error is to be raised. */
int conclude(struct slot *slot, uint64_t wall, uint64_t peak);
/* Whether sockets may be left that only sockets refer to: all are listed but ours. */
int leaves_sockets(const struct slot *slot);
