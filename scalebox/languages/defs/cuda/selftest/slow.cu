int main() {
    volatile unsigned x = 1;
    while (x) x = x * 3 | 1;
}
