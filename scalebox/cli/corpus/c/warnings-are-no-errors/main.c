#include <stdio.h>

int main(void) {
    int unused;
    char small = 300;
    puts("done");
    return 0;
}
