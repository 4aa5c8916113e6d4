#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

int main() {
    std::map<std::string, int> count;
    for (std::string word; std::cin >> word;) count[word]++;
    std::vector<std::pair<std::string, int>> words(count.begin(), count.end());
    std::stable_sort(words.begin(), words.end(), [](auto& a, auto& b) { return a.second > b.second; });
    for (auto& [word, times] : words) std::cout << word << ' ' << times << '\n';
}
