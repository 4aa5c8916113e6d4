/* What `start.c` and `serve.c` share. */
#pragma once
#include <stdint.h>

/* What a box is started with; as `zygote/native.py` has it. A descriptor that is not there is -1. */
struct box {
    int32_t manifest, counter, value, document;
    uint64_t manifest_size, uid, file_bytes, processes;
};

__attribute__((visibility("default"))) int scalebox_start(const struct box *box, char **inherited);

/* Write to standard error. */
void say(const char *text);
/* End the box, as a wall of it could not be put up. */
_Noreturn void refuse(const char *why);
/* Tell the parent that the box is complete. */
void count(int counter);
/* Set a limit of the box. */
void limit(int what, uint64_t most);
