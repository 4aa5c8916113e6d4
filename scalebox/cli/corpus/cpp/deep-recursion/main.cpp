#include <cstdio>

int depth(int n) {
    volatile char frame[1024];
    frame[0] = static_cast<char>(n);
    return n == 0 ? 0 : 1 + depth(n - 1) + (frame[0] - frame[0]);
}

int main() {
    std::puts(depth(50000) == 50000 ? "done" : "lost");
}
