int main() { int x = "five"; }
