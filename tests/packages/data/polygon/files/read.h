#include <fstream>
inline bool read_number(const char *path, long long &value) {
    std::ifstream file(path);
    return static_cast<bool>(file >> value);
}
