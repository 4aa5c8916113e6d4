int main(void) {
    volatile int going = 1;
    while (going) continue;
}
