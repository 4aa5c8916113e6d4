static_assert(sizeof(int) == 3, "never");

int main() {}
