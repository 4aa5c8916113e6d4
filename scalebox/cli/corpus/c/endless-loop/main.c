int main(void) {
    volatile int x = 0;
    for (;;) x++;
}
