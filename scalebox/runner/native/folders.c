/*
 * The folders that a box may write, for `serve.c`: what `workdir.py` does where a box left nothing but files whose names the service gave.
 *
 * Theory of operation: everything is removed by its name, nothing is listed and no name of a program's is read; what is told of changes
 * is looked at for whose it is alone, and wiped. Where a name is left that we do not know, a folder cannot be removed: then nothing more is
 * done here, and the parent, which does all of it once more, removes the rest. Only for slots of their own file system, whose base no
 * program can write.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "slot.h"

/* As `workdir.py` and `cgroup.py` have them. */
enum {
    CHANGES = IN_MODIFY | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF,
    EVENTS = 4096,
    LOST = 1 << FOLDERS
};
static const long DAY = 86400, LONG_AGO = 18262 * 86400L;
static const int64_t DRIFT = 1 << 20;

/* When the folders were changed last; not 0 where one is gone. */
static int look(const struct slot *slot, uint64_t *times)
{
    struct stat status;
    for (int i = 0; i < FOLDERS; i++) {
        if (lstat(slot->folders[i], &status))
            return -1;
        times[i] = (uint64_t)status.st_ctim.tv_sec * 1000000000u + status.st_ctim.tv_nsec;
    }
    return 0;
}

/* Drop what was told so far; returns a bit for each folder that it was of, LOST where there was too much to tell. */
static unsigned forget_news(struct slot *slot)
{
    _Alignas(struct inotify_event) char scrap[EVENTS];
    unsigned heard = 0;
    ssize_t size;
    while ((size = read(slot->news, scrap, sizeof scrap)) > 0) {
        for (char *at = scrap; at < scrap + size; at += sizeof(struct inotify_event) + ((struct inotify_event *)at)->len) {
            int watch = ((struct inotify_event *)at)->wd;
            for (int i = 0; i < FOLDERS; i++)
                heard |= (unsigned)(watch == slot->watches[i]) << i;
            if (watch < 0)
                heard |= LOST;
        }
        explicit_bzero(scrap, (size_t)size);
    }
    return heard;
}

/* All that is there now is ours: what comes is a box's. */
static int take_stock(struct slot *slot)
{
    struct statvfs space;
    if (look(slot, slot->seen) || fstatvfs(slot->base, &space))
        return -1;
    slot->at_rest = (space.f_blocks - space.f_bfree) * space.f_frsize;
    forget_news(slot);
    return 0;
}

/* Set both times of what lies at a path, so that no later case can tell by them what was read or listed. */
static int settle_times(const char *path)
{
    struct timespec now, times[2] = {{0}, {.tv_sec = LONG_AGO}};
    clock_gettime(CLOCK_REALTIME, &now);
    times[0].tv_sec = (now.tv_sec / DAY + 1) * DAY;
    return utimensat(AT_FDCWD, path, times, 0);
}

/* Bytes that the group holds of files on disks. */
static int64_t disk_pages(const struct slot *slot)
{
    char text[8193];
    int64_t found = 0;
    ssize_t size = pread(slot->statistics, text, sizeof text - 1, 0);
    text[size < 0 ? 0 : size] = 0;
    for (char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL)
        if (!strncmp(line, "active_file ", 12) || !strncmp(line, "inactive_file ", 14))
            found += strtoll(strchr(line, ' '), NULL, 10);
    return found;
}

/* Note what the group holds while no box runs. */
void rest(struct slot *slot)
{
    if (slot->limit < 0)
        return;
    int64_t usage = (int64_t)number_in(slot->usage);
    if (llabs(usage - slot->disk_pages - slot->group_base) > DRIFT)
        slot->disk_pages = disk_pages(slot);
    slot->group_base = usage > slot->disk_pages ? usage - slot->disk_pages : 0;
}

/* Remove the folders that were changed, the first always, and make them anew. */
static int reset(struct slot *slot)
{
    unsigned heard = forget_news(slot) | 1;
    slot->is_lost = 1;
    if (*slot->placed && unlink(slot->placed) && errno != ENOENT)
        return -1;
    for (int i = 0; i < slot->given_count; i++)
        if (unlink(slot->given[i]) && errno != ENOENT)
            return -1;
    for (int i = 0; i < FOLDERS; i++)
        if ((heard & (LOST | 1u << i)) && rmdir(slot->folders[i]))
            return -1;
    for (int i = 0; i < FOLDERS; i++) {
        const char *folder = slot->folders[i];
        if ((heard & (LOST | 1u << i))
            && (mkdir(folder, 0700) || chmod(folder, i ? 01777 : 0755) || chown(folder, slot->uid, slot->uid)))
            return -1;
    }
    if (chdir(slot->folders[0]) || settle_times(slot->base_path)) /* which ends the folder that we sat in */
        return -1;
    for (int i = 0; i < FOLDERS; i++) {
        if (settle_times(slot->folders[i]))
            return -1;
        if (heard & (LOST | 1u << i))
            slot->watches[i] = inotify_add_watch(slot->news, slot->folders[i], CHANGES);
        if (slot->watches[i] < 0)
            return -1;
    }
    *slot->placed = 0;
    if (take_stock(slot))
        return -1;
    slot->is_lost = 0;
    return 0;
}

int place(struct slot *slot, int source)
{
    const char *name = slot->request.name;
    uint64_t times[FOLDERS];
    struct stat status;
    if (memchr(name, 0, sizeof slot->request.name) == NULL || strchr(name, '/'))
        return -1;
    if ((*slot->placed || look(slot, times) || memcmp(times, slot->seen, sizeof times)) && reset(slot))
        return -1;
    snprintf(slot->placed, sizeof slot->placed, "%s/%s", slot->folders[0], name);
    int target = open(slot->placed, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, slot->request.mode), failed;
    if (target < 0)
        return -1;
    failed = fstat(source, &status);
    for (off_t offset = 0; !failed && offset < status.st_size;)
        if (sendfile(target, source, &offset, status.st_size - offset) <= 0)
            failed = 1;
    failed = failed || fchmod(target, slot->request.mode) || settle_times(slot->placed);
    close(target);
    if (failed || take_stock(slot))
        return -1;
    rest(slot);
    return 0;
}

int tidy(struct slot *slot)
{
    if (slot->limit >= 0) { /* what the box left in memory must not cost us our life */
        put(slot->limit, slot->no_limit);
        slot->group_limit = -1;
    }
    if (reset(slot))
        return -1;
    rest(slot);
    return 0;
}
