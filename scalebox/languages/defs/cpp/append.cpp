#line 2 "harness.cpp"
// Run the test code that follows the program and prove that it came to its end.
// The program may choose the type of what it returns, so a comparison in an assertion is made here: standard
// types by their content, whatever operators the program defines for them; a type of the program's own by its
// operator, but only if that does not also call other values equal. No program holds the names, and its macros end where it does;
// what the library calls so is the library's again. The token is taken before anything of the program runs, its globals
// included, so that there is none left on the descriptor.
// Tests name standard types whether or not the program includes their headers; a program that does pays nothing.
#include <sys/syscall.h>

#include <algorithm>
#include <any>
#include <cassert>
#include <climits>
#include <cmath>
#include <iostream>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

extern "C" {
#if defined __x86_64__
static long @entry@_call(long number, long first, const void* second, long third) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(first), "S"(second), "d"(third) : "rcx", "r11", "memory");
    return result;
}
#elif defined __aarch64__
static long @entry@_call(long number, long first, const void* second, long third) {
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = first, x2 __asm__("x2") = third;
    register const void* x1 __asm__("x1") = second;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
}
#else
long @entry@_call(long, ...) __asm__("syscall");
#endif

static char @entry@_token[257];
static long @entry@_size;

__attribute__((used)) static void @entry@_take() {
    long count = @entry@_call(SYS_read, 3, @entry@_token, 256);
    while (@entry@_size < count && @entry@_token[@entry@_size] != '\n') ++@entry@_size;
    @entry@_token[@entry@_size++] = '\n';
}
}
// Not as a variable, which the compiler could place behind one of the program's.
__asm__(".pushsection .preinit_array, \"aw\", %preinit_array\n\t.balign 8\n\t.dc.a @entry@_take\n\t.popsection");

namespace @entry@_harness {

inline void put(int descriptor, std::string_view text) {
    while (!text.empty()) {
        long written = @entry@_call(SYS_write, descriptor, text.data(), static_cast<long>(text.size()));
        if (written <= 0) @entry@_call(SYS_exit_group, 3, nullptr, 0);
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

[[noreturn]] inline void failed(const char* text) {
    put(2, "assertion failed: ");
    put(2, text);
    put(2, "\n");
    put(4, "failed\n");
    for (;;) @entry@_call(SYS_exit_group, 1, nullptr, 0);
}

struct Stranger {};

template <class T> constexpr bool is_text = std::is_convertible_v<const T&, std::string_view>;
template <class T> constexpr bool is_std_text = std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>;
template <class T> constexpr bool is_own = std::is_class_v<T> || std::is_union_v<T> || std::is_enum_v<T>;

template <class T> struct IsTuple : std::false_type {};
template <class... T> struct IsTuple<std::tuple<T...>> : std::true_type {};
template <class A, class B> struct IsTuple<std::pair<A, B>> : std::true_type {};

template <class T> concept Range = requires(T& value) {
    value.begin();
    value.end();
    value.size();
};
// Containers whose order is their own affair.
template <class T> concept Hashed = requires { typename T::hasher; };
template <class T> concept Maybe = requires(T& value) {
    value.has_value();
    *value;
};

template <class A, class B> bool same(A& a, B& b);

template <class A, class B, std::size_t... I> bool same_entries(A& a, B& b, std::index_sequence<I...>) {
    return (same(std::get<I>(a), std::get<I>(b)) && ...);
}

template <class A, class B> bool same_ranges(A& a, B& b) {
    auto left = a.begin();
    auto right = b.begin();
    while (!(left == a.end()) && !(right == b.end())) {
        const auto& x = *left;
        const auto& y = *right;
        if (!same(x, y)) return false;
        ++left;
        ++right;
    }
    return left == a.end() && right == b.end();
}

template <class A> bool same_members(A& a, A& b) {
    std::vector<bool> taken(a.size() == b.size() ? b.size() : 0);
    for (const auto& x : a) {
        std::size_t at = 0;
        for (const auto& y : b) {
            if (at >= taken.size()) return false;
            if (!taken[at] && same(x, y)) break;
            ++at;
        }
        if (at >= taken.size()) return false;
        taken[at] = true;
    }
    return taken.size() == b.size();
}

template <class A, class B> bool claims(A& a, const B& b) {
    if constexpr (requires { a == b; }) return static_cast<bool>(a == b);
    return false;
}

// Whether `a`, which says that it equals `b`, says so of values that are not `b` too.
template <class A, class B> bool lies(A& a, B& b) {
    using Other = std::remove_cv_t<B>;
    if (claims(a, Stranger{})) return true;
    if constexpr (std::is_array_v<Other>) {
        Other other;
        for (auto& entry : other) entry = 1;
        return claims(a, other) || claims(a, static_cast<const char*>(other));
    } else if constexpr (is_text<Other>) {
        return claims(a, std::string(std::string_view(b)) + '\1') || claims(a, "\1\2");
    } else if constexpr (std::is_same_v<Other, bool>) {
        return claims(a, !b);
    } else if constexpr (std::is_arithmetic_v<Other>) {
        return claims(a, static_cast<Other>(b < 1 ? b + 2 : b / 2));
    } else if constexpr (Range<Other> && std::is_default_constructible_v<Other>) {
        Other other{};
        if constexpr (requires { other.resize(b.size() + 1); }) other.resize(b.size() + 1);
        return other.size() != b.size() && claims(a, other);
    } else {
        return false;
    }
}

template <class A, class B> bool same(A& a, B& b) {
    using Left = std::remove_cv_t<A>;
    using Right = std::remove_cv_t<B>;
    if constexpr ((is_std_text<Left> && is_text<Right>) || (is_text<Left> && is_std_text<Right>)) {
        return std::string_view(a) == std::string_view(b);
    } else if constexpr (IsTuple<Left>::value && IsTuple<Right>::value) {
        static_assert(std::tuple_size<Left>::value == std::tuple_size<Right>::value, "tuples of different sizes are compared");
        return same_entries(a, b, std::make_index_sequence<std::tuple_size<Left>::value>());
    } else if constexpr (std::is_same_v<Left, Right> && Range<A> && !Hashed<A>) {
        return same_ranges(a, b);
    } else if constexpr (std::is_same_v<Left, Right> && Hashed<A>) {
        // By their operator, which a program may have replaced, only where there are too many members to look at each pair.
        return a.size() > 10000 ? a == b : same_members(a, b);
    } else if constexpr (std::is_same_v<Left, Right> && Maybe<A>) {
        return a.has_value() == b.has_value() && (!a.has_value() || same(*a, *b));
    } else if constexpr (is_own<Left> && !std::is_same_v<Left, Right>) {
        return static_cast<bool>(a == b) && !lies(a, b);
    } else if constexpr (is_own<Right> && !std::is_same_v<Left, Right>) {
        return static_cast<bool>(a == b) && !lies(b, a);
    } else {
        return static_cast<bool>(a == b);
    }
}

// The left side of a comparison, taken apart from the right side by `Left() <= left == right`.
template <class T> struct Captured {
    T&& value;

    template <class U> bool operator==(U&& other) && { return same(value, other); }
    template <class U> bool operator!=(U&& other) && { return !same(value, other); }
    template <class U> decltype(auto) operator<(U&& other) && { return value < other; }
    template <class U> decltype(auto) operator>(U&& other) && { return value > other; }
    template <class U> decltype(auto) operator<=(U&& other) && { return value <= other; }
    template <class U> decltype(auto) operator>=(U&& other) && { return value >= other; }
    template <class U> decltype(auto) operator&(U&& other) && { return value & other; }
    template <class U> decltype(auto) operator|(U&& other) && { return value | other; }
    template <class U> decltype(auto) operator^(U&& other) && { return value ^ other; }
    explicit operator bool() && { return static_cast<bool>(value); }
};

struct Left {
    template <class T> Captured<T> operator<=(T&& value) && { return {static_cast<T&&>(value)}; }
};

template <class T> bool holds(T&& value) { return static_cast<bool>(static_cast<T&&>(value)); }

template <class R> void start(R (*tests)(), int, char**) { tests(); }
template <class R> void start(R (*tests)(int, char**), int count, char** words) { tests(count, words); }

inline void finish() {
    if (!@entry@_size) @entry@_take();  // a loader that knows no .preinit_array
    put(4, std::string_view(@entry@_token, static_cast<std::size_t>(@entry@_size)));
}

}  // namespace @entry@_harness

#define main @entry@_program_main
#line 1 "program.cpp"
@program@
@found@#if defined @entry@_was_NULL && !defined NULL
#define NULL __null
#endif
#if defined @entry@_was_EOF && !defined EOF
#define EOF (-1)
#endif
#if defined @entry@_was_INT_MAX && !defined INT_MAX
#define INT_MAX __INT_MAX__
#endif
#if defined @entry@_was_INT_MIN && !defined INT_MIN
#define INT_MIN (-__INT_MAX__ - 1)
#endif
#if defined @entry@_was_UINT_MAX && !defined UINT_MAX
#define UINT_MAX (__INT_MAX__ * 2U + 1U)
#endif
#if defined @entry@_was_LONG_MAX && !defined LONG_MAX
#define LONG_MAX __LONG_MAX__
#endif
#if defined @entry@_was_LONG_MIN && !defined LONG_MIN
#define LONG_MIN (-__LONG_MAX__ - 1L)
#endif
#if defined @entry@_was_LLONG_MAX && !defined LLONG_MAX
#define LLONG_MAX __LONG_LONG_MAX__
#endif
#if defined @entry@_was_LLONG_MIN && !defined LLONG_MIN
#define LLONG_MIN (-__LONG_LONG_MAX__ - 1LL)
#endif
#if defined @entry@_was_M_PI && !defined M_PI
#define M_PI 3.14159265358979323846
#endif
#undef main
#undef assert
#undef candidate
#define assert(...) \
    (::@entry@_harness::holds(::@entry@_harness::Left() <= __VA_ARGS__) ? (void)0 : ::@entry@_harness::failed(#__VA_ARGS__))
// A main may end without a return; the function it becomes here may not, unless it is not optimised and, since GCC 13, not trapped.
#if defined(__GNUC__) && __GNUC__ >= 13
#define main __attribute__((__optimize__("O0", "no-unreachable-traps"))) @entry@_tests_main
#else
#define main __attribute__((__optimize__("O0"))) @entry@_tests_main
#endif
@close@
#line 1 "tests.cpp"
@tests@
#undef main
#undef int
#undef char
int main(int scalebox_count, char** scalebox_words) {
    @entry@_harness::start(&@entry@_tests_main, scalebox_count, scalebox_words);
    @entry@_harness::finish();
}
