/*
 * Gather what a slot's parent has in memory on huge pages, where the kernel gives them, so that forking it costs less. Called once, by the
 * parent, when all is loaded that every box inherits.
 *
 * Theory of operation: an interpreter holds some twelve hundred pages of its own, and a fork goes through them one by one: an entry, a
 * reference and a count for each, and at the box's end the same once more. Of pages that are parts of one huge page the kernel takes
 * neighbours at once (copy_present_ptes() and zap_present_ptes() in mm/memory.c). So the pages are copied to huge ones, and these put in
 * their place, at the same addresses. Who writes to one afterwards gets a copy of four kilobytes, as ever; the huge page stays whole until the
 * kernel splits it, so what we write ourselves is held twice for a while.
 *
 * Between the copy and the change of places nothing may be written to what is moved: only memcpy() and mremap() are called there, which are
 * bound when the library is loaded (-z now), and neither the stack is moved, nor what belongs to the thread, nor what is small.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "start.h"

enum { REGIONS = 32, HUGE = 2 << 20, PAGE = 4096, SMALL = 128 << 10, LARGE = 64 << 20 };

struct region {
    char *start;
    size_t size;
};

static int hex(char letter)
{
    return letter >= '0' && letter <= '9' ? letter - '0' : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

static char *address(const char **text)
{
    uintptr_t value = 0;
    for (int digit; (digit = hex(**text)) >= 0; ++*text)
        value = value * 16 + digit;
    return (char *)value;
}

/* Add the parts of a mapping whose pages are there, holes left out that are not small; how many regions there are then. */
static int add(struct region *found, int count, char *start, size_t size)
{
    static unsigned char there[LARGE / PAGE];
    if (size > LARGE || mincore(start, size, there))
        return count;
    for (size_t page = 0, pages = size / PAGE; page < pages && count < REGIONS;) {
        if (!(there[page] & 1)) {
            page++;
            continue;
        }
        size_t end = page + 1;
        for (size_t next = end; next < pages && next - end < SMALL / PAGE; next++)
            if (there[next] & 1)
                end = next + 1;
        if ((end - page) * PAGE >= SMALL)
            found[count++] = (struct region){start + page * PAGE, (end - page) * PAGE};
        page = end;
    }
    return count;
}

/* The private mappings that can be written, but for the stack and the small; how many there are. */
static int regions(struct region *found)
{
    static char text[64 << 10];
    size_t size = 0;
    ssize_t more;
    int count = 0, file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    while (size < sizeof text - 1 && (more = read(file, text + size, sizeof text - 1 - size)) > 0)
        size += more;
    close(file);
    text[size] = 0;
    for (const char *line = text, *end; count < REGIONS && (end = strchr(line, '\n')); line = end + 1) {
        const char *at = line;
        char *start = address(&at);
        at++;
        char *stop = address(&at);
        int is_ours = (char *)&errno >= start && (char *)&errno < stop; /* what belongs to the thread is written by the kernel, too */
        if (memcmp(at, " rw-p ", 6) || memmem(line, end - line, "[stack]", 7) || stop - start < SMALL || is_ours)
            continue;
        count = add(found, count, start, stop - start);
    }
    return count;
}

/* Forget the most that we held, which was for a moment; a command that borrows our memory until it is executed is charged for it. */
static void forget_peak(void)
{
    int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        ssize_t written = write(file, "5", 1);
        (void)written;
        close(file);
    }
}

/* Returns how many bytes were moved. */
__attribute__((visibility("default"))) long scalebox_gather(void)
{
    struct region found[REGIONS];
    size_t all = 0, moved = 0;
    int count = sysconf(_SC_PAGESIZE) == PAGE ? regions(found) : 0;
    for (int i = 0; i < count; i++)
        all += found[i].size;
    all = (all + HUGE - 1) & ~(size_t)(HUGE - 1);
    if (all <= HUGE)
        return 0;
    char *room = mmap(NULL, all + HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return 0;
    char *next = (char *)(((uintptr_t)room + HUGE - 1) & ~(uintptr_t)(HUGE - 1));
    if (!madvise(next, all - HUGE, MADV_HUGEPAGE)) /* the last is not filled: small pages there */
        for (int i = 0; i < count; i++)
            for (size_t done = 0, part; done < found[i].size; done += part, next += part, moved += part) {
                size_t left = HUGE - ((uintptr_t)next & (HUGE - 1)); /* one huge page after the other, so that we never hold all twice */
                part = found[i].size - done < left ? found[i].size - done : left;
                memcpy(next, found[i].start + done, part);
                if (mremap(next, part, part, MREMAP_MAYMOVE | MREMAP_FIXED, found[i].start + done) == MAP_FAILED) {
                    say("what a slot holds could not be moved\n");
                    _exit(1); /* what was there may be gone */
                }
            }
    munmap(room, all + HUGE); /* what was moved is no longer there */
    forget_peak();
    return (long)moved;
}
