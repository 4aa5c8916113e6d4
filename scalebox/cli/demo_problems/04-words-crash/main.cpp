#include <iostream>
#include <string>
#include <vector>

int main() {
    std::vector<std::string> words;
    for (std::string word; std::cin >> word;) words.push_back(word);
    for (std::size_t i = 0; i <= words.size(); i++) std::cout << words.at(i) << " 1\n";
}
