#include <stdio.h>

int main(void) {
    unsigned a, b;
    if (scanf("%u %u", &a, &b) != 2) return 1;
    printf("%u\n", a + b);
    return 0;
}
