#include <bits/stdc++.h>
using namespace std;

int main() {
    map<string, int> count;
    for (string word; cin >> word;) count[word]++;
    for (auto& [word, n] : count) cout << word << ' ' << n << '\n';
}
