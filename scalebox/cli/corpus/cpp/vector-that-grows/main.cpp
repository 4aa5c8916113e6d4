#include <vector>

int main() {
    std::vector<std::vector<int>> rows;
    for (;;) rows.emplace_back(1 << 18, 1);
}
