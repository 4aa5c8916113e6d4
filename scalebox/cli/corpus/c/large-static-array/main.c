#include <stdio.h>

static char area[512 << 20];

int main(void) {
    area[1000] = 1;
    puts(area[1000] ? "done" : "lost");
    return 0;
}
