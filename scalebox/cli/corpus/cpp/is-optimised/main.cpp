#include <cstdio>

int main() {
    unsigned long long sum = 0;
    for (unsigned long long i = 0; i < 10000000000ULL; i++) sum += 3;
    std::printf("%llu\n", sum);
}
