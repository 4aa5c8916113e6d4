int main() {
    volatile bool going = true;
    while (going) continue;
}
