#include <iostream>
#include <vector>
int main() {
    int a, b;
    std::cin >> a >> b;
    std::vector<int> sums{a + b};
    for (const int& sum : sums) std::cout << sum << '\n';
}
