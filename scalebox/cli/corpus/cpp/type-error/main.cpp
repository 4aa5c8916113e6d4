#include <string>

int main() {
    int n = std::string("4");
    return n;
}
