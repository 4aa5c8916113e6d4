#include "read.h"
int main(int, char **argv) {
    long long output, answer;
    if (!read_number(argv[3], answer)) return 3;
    return read_number(argv[2], output) && output == answer ? 0 : 1;
}
