int add(int a, int b) {
    return a + (b < 0 ? -b : b) + (a < 0);
}
