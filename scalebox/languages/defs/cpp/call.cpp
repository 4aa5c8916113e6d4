#line 2 "harness.cpp"
// Read arguments from descriptor 3, call the program's function, write its value to descriptor 4.
// This part precedes the program so that no macro of the program can change it. It includes little: every
// header costs compile time and puts names in the program's way. For the same reason system calls are made
// through one renamed symbol instead of <unistd.h>.
#include <sys/syscall.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

extern "C" long scalebox_syscall(long, ...) __asm__("syscall");

// Optimising the harness less saves a third of the time that compiling it costs, and costs no time when it runs.
#pragma GCC push_options
#pragma GCC optimize("O1")

namespace scalebox_harness {

using Text = std::string;

inline void put(int descriptor, const Text& text) {
    const char* data = text.data();
    std::size_t left = text.size();
    while (left > 0) {
        long written = scalebox_syscall(SYS_write, descriptor, data, left);
        if (written <= 0) scalebox_syscall(SYS_exit_group, 3);
        data += written;
        left -= static_cast<std::size_t>(written);
    }
}

[[noreturn]] inline void fail(const char* reason) {
    put(2, Text("the function cannot be called: ") + reason + "\n");
    for (;;) scalebox_syscall(SYS_exit_group, 3);
}

inline Text get(int descriptor) {
    Text text;
    for (;;) {
        std::size_t used = text.size();
        text.resize(used + (1 << 16) + used / 2);
        long count = scalebox_syscall(SYS_read, descriptor, &text[used], text.size() - used);
        if (count < 0) fail("the arguments cannot be read");
        text.resize(used + static_cast<std::size_t>(count));
        if (count == 0) return text;
    }
}

template <class T, class = void> struct MapShape : std::false_type {};
template <class T> struct MapShape<T, std::void_t<typename T::key_type, typename T::mapped_type>> : std::true_type {};
template <class T, class = void> struct SetShape : std::false_type {};
template <class T> struct SetShape<T, std::void_t<typename T::key_type>> : std::bool_constant<!MapShape<T>::value> {};
// Of a set or map that holds equals, which is no set: it is a list.
template <class T, class = void> struct MultiShape : std::false_type {};
template <class T>
struct MultiShape<T, std::void_t<typename T::key_type>>
    : std::is_same<decltype(std::declval<T&>().insert(std::declval<const typename T::value_type&>())), typename T::iterator> {};
template <class T, class = void> struct ListShape : std::false_type {};
template <class T>
struct ListShape<T, std::void_t<decltype(std::declval<T&>().emplace_back(std::declval<typename T::value_type>()))>>
    : std::true_type {};
template <class T, class = void> struct AdapterShape : std::false_type {};
template <class T> struct AdapterShape<T, std::void_t<typename T::container_type>> : std::true_type {};
template <class T, class = void> struct HeapShape : std::false_type {};
template <class T> struct HeapShape<T, std::void_t<typename T::value_compare>> : std::true_type {};
template <class T, class = void> struct MaybeShape : std::false_type {};
template <class T> struct MaybeShape<T, std::void_t<decltype(std::declval<T&>().has_value()), typename T::value_type>>
    : std::true_type {};
template <class T, class = void> struct TupleShape : std::false_type {};
template <class T> struct TupleShape<T, std::void_t<decltype(std::tuple_size<T>::value)>> : std::true_type {};
template <class T> constexpr bool unknown = false;

struct Reader {
    const char* at;
    const char* end;

    char peek() {
        while (at < end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')) ++at;
        return at < end ? *at : '\0';
    }
    bool take(char wanted) {
        if (peek() != wanted) return false;
        ++at;
        return true;
    }
    void need(char wanted) {
        if (!take(wanted)) fail("an argument has another type than its parameter");
    }
    bool word(const char* wanted) {
        peek();
        const char* here = at;
        while (*wanted != '\0') {
            if (here == end || *here++ != *wanted++) return false;
        }
        at = here;
        return true;
    }
    unsigned hex() {
        unsigned code = 0;
        for (int i = 0; i < 4; ++i) {
            char c = at < end ? *at++ : '\0';
            if (c >= '0' && c <= '9') code = code * 16 + static_cast<unsigned>(c - '0');
            else if (c >= 'a' && c <= 'f') code = code * 16 + static_cast<unsigned>(c - 'a' + 10);
            else if (c >= 'A' && c <= 'F') code = code * 16 + static_cast<unsigned>(c - 'A' + 10);
            else fail("the arguments are malformed");
        }
        return code;
    }
    void escape(Text& out) {
        char c = at < end ? *at++ : '\0';
        switch (c) {
            case 'n': out += '\n'; return;
            case 't': out += '\t'; return;
            case 'r': out += '\r'; return;
            case 'b': out += '\b'; return;
            case 'f': out += '\f'; return;
            case 'u': break;
            default: out += c; return;
        }
        unsigned code = hex();
        if (code >= 0xD800 && code < 0xDC00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
            at += 2;
            code = 0x10000 + ((code - 0xD800) << 10) + (hex() - 0xDC00);
        }
        utf8(out, code);
    }
    static void utf8(Text& out, unsigned code) {
        auto byte = [&out](unsigned value) { out += static_cast<char>(value); };
        if (code < 0x80) return byte(code);
        if (code < 0x800) {
            byte(0xC0 | (code >> 6));
        } else {
            if (code < 0x10000) {
                byte(0xE0 | (code >> 12));
            } else {
                byte(0xF0 | (code >> 18));
                byte(0x80 | ((code >> 12) & 63));
            }
            byte(0x80 | ((code >> 6) & 63));
        }
        byte(0x80 | (code & 63));
    }
    Text string() {
        Text out;
        need('"');
        while (at < end && *at != '"') {
            const char* start = at;
            while (at < end && *at != '"' && *at != '\\') ++at;
            out.append(start, static_cast<std::size_t>(at - start));
            if (at < end && *at == '\\') {
                ++at;
                escape(out);
            }
        }
        need('"');
        return out;
    }
    Text number() {
        peek();
        const char* start = at;
        while (at < end && ((*at >= '0' && *at <= '9') || *at == '-' || *at == '+' || *at == '.' || *at == 'e' || *at == 'E')) ++at;
        if (at == start) fail("an argument is no number but its parameter is one");
        return Text(start, static_cast<std::size_t>(at - start));
    }
    void skip() {
        int depth = 0;
        do {
            char c = peek();
            if (c == '"') string();
            else if (c == '[' || c == '{') ++depth, ++at;
            else if (c == ']' || c == '}') --depth, ++at;
            else if (c == '\0') fail("the arguments are malformed");
            else if (c == ',' || c == ':') ++at;
            else while (at < end && *at != ',' && *at != ']' && *at != '}') ++at;
        } while (depth > 0);
    }
};

inline Text unbase64(const Text& text) {
    Text out;
    unsigned bits = 0;
    int count = 0;
    for (char c : text) {
        unsigned digit = c >= 'A' && c <= 'Z' ? static_cast<unsigned>(c - 'A')
                       : c >= 'a' && c <= 'z' ? static_cast<unsigned>(c - 'a' + 26)
                       : c >= '0' && c <= '9' ? static_cast<unsigned>(c - '0' + 52)
                       : c == '+' ? 62u : c == '/' ? 63u : 64u;
        if (digit == 64) break;
        bits = (bits << 6 | digit) & 0xFFFFFF;
        count += 6;
        if (count >= 8) out += static_cast<char>(bits >> (count -= 8));
    }
    return out;
}

inline Text base64(const Text& text) {
    const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    Text out;
    for (std::size_t i = 0; i < text.size(); i += 3) {
        unsigned bits = 0;
        for (std::size_t j = i; j < i + 3; ++j) bits = bits << 8 | (j < text.size() ? static_cast<unsigned char>(text[j]) : 0u);
        for (int j = 0; j < 4; ++j) out += i + static_cast<std::size_t>(j) > text.size() ? '=' : digits[bits >> (18 - 6 * j) & 63];
    }
    return out;
}

template <class T> void decode(Reader& in, T& out);

template <class T> T integer(Reader& in) {
    if (in.word("true")) return T(1);
    if (in.word("false")) return T(0);
    Text digits = in.number();
    if (digits.find_first_of(".eE") != Text::npos) {
        double value = std::strtod(digits.c_str(), nullptr);
        if (!(value > -9e18 && value < 9e18) || value != static_cast<double>(static_cast<long long>(value)) ||
            static_cast<long long>(static_cast<T>(value)) != static_cast<long long>(value))
            fail("an argument does not fit its integer parameter");
        return static_cast<T>(value);
    }
    bool negative = digits[0] == '-';
    T value = 0;
    for (std::size_t i = negative ? 1 : 0; i < digits.size(); ++i) {
        int digit = digits[i] - '0';
        if (__builtin_mul_overflow(value, 10, &value) ||
            (negative ? __builtin_sub_overflow(value, digit, &value) : __builtin_add_overflow(value, digit, &value)))
            fail("an argument does not fit its integer parameter");
    }
    return value;
}

template <class T> T real(Reader& in) {
    if (in.word("true")) return T(1);
    if (in.word("false")) return T(0);
    if (in.peek() != '{') return static_cast<T>(std::strtold(in.number().c_str(), nullptr));
    in.need('{');
    if (in.string() != "$float") fail("an argument is no number but its parameter is one");
    in.need(':');
    T value = static_cast<T>(std::strtold(in.string().c_str(), nullptr));
    in.need('}');
    return value;
}

inline Text string(Reader& in) {
    if (in.peek() != '{') return in.string();
    in.need('{');
    if (in.string() != "$bytes") fail("an argument is no string but its parameter is one");
    in.need(':');
    Text value = unbase64(in.string());
    in.need('}');
    return value;
}

// A list, tuple or set: calls item() with the reader before each entry.
template <class Item> void each(Reader& in, Item item) {
    bool tagged = in.take('{');
    if (tagged) {
        Text tag = in.string();
        if (tag != "$tuple" && tag != "$set" && tag != "$dict") fail("an argument is no list but its parameter is one");
        in.need(':');
    }
    in.need('[');
    if (!in.take(']')) {
        do item();
        while (in.take(','));
        in.need(']');
    }
    if (tagged) in.need('}');
}

template <class T> void insert(T& out, typename T::key_type key, Reader& in) {
    typename T::mapped_type value{};
    decode(in, value);
    out.emplace(std::move(key), std::move(value));
}

template <class T> void mapping(Reader& in, T& out) {
    Reader ahead = in;
    ahead.need('{');
    if (ahead.peek() == '"' && ahead.string() == "$dict") {
        each(in, [&] {
            typename T::key_type key{};
            in.need('[');
            decode(in, key);
            in.need(',');
            insert(out, std::move(key), in);
            in.need(']');
        });
        return;
    }
    in.need('{');
    if (in.take('}')) return;
    do {
        Text name = in.string();
        in.need(':');
        if constexpr (std::is_same_v<typename T::key_type, Text>) {
            insert(out, std::move(name), in);
        } else if constexpr (std::is_same_v<typename T::key_type, char>) {
            if (name.size() != 1) fail("a key of an argument is no single byte but a char is wanted");
            insert(out, name[0], in);
        } else {
            Reader inner{name.data(), name.data() + name.size()};
            typename T::key_type key{};
            decode(inner, key);
            insert(out, std::move(key), in);
        }
    } while (in.take(','));
    in.need('}');
}

template <class T, std::size_t... I> void entries(Reader& in, T& out, std::index_sequence<I...>) {
    std::size_t next = 0;
    each(in, [&] {
        std::size_t wanted = next++;
        if (wanted >= sizeof...(I)) fail("an argument has more entries than its parameter");
        ((I == wanted ? decode(in, std::get<I>(out)) : void()), ...);
    });
    if (next != sizeof...(I)) fail("an argument has fewer entries than its parameter");
}

template <class T> void decode(Reader& in, T& out) {
    if constexpr (std::is_same_v<T, char>) {
        Text text = string(in);
        if (text.size() != 1) fail("an argument is no single byte but its parameter is a char");
        out = text[0];
    } else if constexpr (std::is_same_v<T, bool>) {
        out = integer<long long>(in) != 0;
    } else if constexpr (std::is_integral_v<T>) {
        out = integer<T>(in);
    } else if constexpr (std::is_floating_point_v<T>) {
        out = real<T>(in);
    } else if constexpr (std::is_same_v<T, Text>) {
        out = string(in);
    } else if constexpr (MaybeShape<T>::value) {
        if (in.word("null")) return out.reset();
        decode(in, out.emplace());
    } else if constexpr (MapShape<T>::value) {
        mapping(in, out);
    } else if constexpr (SetShape<T>::value) {
        each(in, [&] {
            typename T::key_type key{};
            decode(in, key);
            out.emplace(std::move(key));
        });
    } else if constexpr (ListShape<T>::value) {
        each(in, [&] {
            typename T::value_type value{};
            decode(in, value);
            out.emplace_back(std::move(value));
        });
    } else if constexpr (AdapterShape<T>::value) {
        each(in, [&] {
            typename T::value_type value{};
            decode(in, value);
            out.push(std::move(value));
        });
    } else if constexpr (TupleShape<T>::value) {
        entries(in, out, std::make_index_sequence<std::tuple_size<T>::value>());
    } else {
        static_assert(unknown<T>, "the function has a parameter of a type that plain data cannot become");
    }
}

inline bool is_utf8(const Text& text) {
    for (std::size_t i = 0; i < text.size();) {
        auto at = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
        unsigned c = at(i), next = at(i + 1);
        std::size_t more = c < 0x80 ? 0 : c >= 0xC2 && c < 0xE0 ? 1 : c >= 0xE0 && c < 0xF0 ? 2 : c >= 0xF0 && c < 0xF5 ? 3 : 9;
        if (more == 9 || (c == 0xE0 && next < 0xA0) || (c == 0xED && next > 0x9F) || (c == 0xF0 && next < 0x90) ||
            (c == 0xF4 && next > 0x8F))
            return false;
        for (std::size_t k = 1; k <= more; ++k)
            if (at(i + k) >> 6 != 2) return false;
        i += more + 1;
    }
    return true;
}

inline void quote(Text& out, const Text& text) {
    if (!is_utf8(text)) {
        out += "{\"$bytes\":\"" + base64(text) + "\"}";
        return;
    }
    out += '"';
    for (char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (static_cast<unsigned char>(c) >= 0x20) {
            out += c;
            continue;
        }
        char code[8];
        std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
        out += code;
    }
    out += '"';
}

template <class T> void digits(Text& out, T value) {
    char reversed[48];
    int count = 0;
    bool negative = value < 0;
    do {
        int digit = static_cast<int>(value % 10);
        reversed[count++] = static_cast<char>('0' + (digit < 0 ? -digit : digit));
        value = static_cast<T>(value / 10);
    } while (value != 0);
    if (negative) out += '-';
    while (count > 0) out += reversed[--count];
}

// The fewest digits that name the value among those of its type, never fewer than its type surely keeps.
template <class T> void real(Text& out, T value) {
    if (value != value || value - value != 0) {
        out += value != value ? "{\"$float\":\"nan\"}" : value > 0 ? "{\"$float\":\"inf\"}" : "{\"$float\":\"-inf\"}";
        return;
    }
    char text[64];
    for (int precision = sizeof(T) == 4 ? 6 : 15; precision <= 21; ++precision) {
        std::snprintf(text, sizeof text, "%.*Lg", precision, static_cast<long double>(value));
        if (static_cast<T>(std::strtold(text, nullptr)) == value) break;
    }
    out += text;
    if (Text(text).find_first_of(".e") == Text::npos) out += ".0";
}

template <class T> void encode(Text& out, const T& value);

template <class T> void list(Text& out, const T& values) {
    const char* before = "[";
    for (const auto& value : values) {
        out += before;
        encode<typename T::value_type>(out, value);
        before = ",";
    }
    out += *before == '[' ? "[]" : "]";
}

template <class T, std::size_t... I> void entries(Text& out, const T& value, std::index_sequence<I...>) {
    out += '[';
    ((out += I == 0 ? "" : ",", encode(out, std::get<I>(value))), ...);
    out += ']';
}

// A queue from its front, a heap from its top, a stack from its bottom: as an argument becomes one.
template <class T> void adapter(Text& out, T rest) {
    struct Open : T {
        using T::c;
    };
    if constexpr (!HeapShape<T>::value) {
        list(out, rest.*(&Open::c));
    } else {
        typename T::container_type values;
        for (; !rest.empty(); rest.pop()) values.emplace_back(rest.top());
        list(out, values);
    }
}

template <class T> void encode(Text& out, const T& value) {
    if constexpr (std::is_same_v<T, char>) {
        quote(out, Text(1, value));
    } else if constexpr (std::is_same_v<T, bool>) {
        out += value ? "true" : "false";
    } else if constexpr (std::is_integral_v<T>) {
        digits(out, value);
    } else if constexpr (std::is_enum_v<T>) {
        encode(out, static_cast<std::underlying_type_t<T>>(value));
    } else if constexpr (std::is_floating_point_v<T>) {
        real(out, value);
    } else if constexpr (std::is_same_v<T, Text>) {
        quote(out, value);
    } else if constexpr (std::is_convertible_v<const T&, const char*> || std::is_same_v<T, std::string_view>) {
        quote(out, Text(value));
    } else if constexpr (std::is_same_v<T, std::nullptr_t>) {
        out += "null";
    } else if constexpr (MaybeShape<T>::value) {
        if (!value.has_value()) out += "null";
        else encode<typename T::value_type>(out, *value);
    } else if constexpr (MultiShape<T>::value) {
        list(out, value);
    } else if constexpr (MapShape<T>::value) {
        out += "{\"$dict\":[";
        const char* before = "";
        for (const auto& entry : value) {
            out += before;
            entries(out, entry, std::make_index_sequence<2>());
            before = ",";
        }
        out += "]}";
    } else if constexpr (SetShape<T>::value) {
        out += "{\"$set\":";
        list(out, value);
        out += '}';
    } else if constexpr (ListShape<T>::value) {
        list(out, value);
    } else if constexpr (AdapterShape<T>::value) {
        adapter(out, value);
    } else if constexpr (TupleShape<T>::value) {
        out += "{\"$tuple\":";
        entries(out, value, std::make_index_sequence<std::tuple_size<T>::value>());
        out += '}';
    } else {
        static_assert(unknown<T>, "the function returns a value of a type that cannot become plain data");
    }
}

template <class R, class... A> struct Signature {};
template <int N> struct Rank : Rank<N - 1> {};
template <> struct Rank<0> {};

// The signature behind an address: of a function, a method, or an object that can be called.
template <class R, class... A> Signature<R, A...> pick(Rank<0>, R (*)(A...));
template <class R, class C, class... A> Signature<R, A...> pick(Rank<0>, R (C::*)(A...));
template <class R, class C, class... A> Signature<R, A...> pick(Rank<0>, R (C::*)(A...) const);
template <class F> auto pick(Rank<0> rank, F*) -> decltype(pick(rank, &F::operator()));

// What a pointer points to: as many as the argument has. It is never freed, for the program may keep the pointer.
template <class T> struct Row {
    using value_type = T;
    T* items = nullptr;
    std::size_t count = 0, room = 0;

    void emplace_back(T&& item) {
        if (count == room) {
            T* wider = new T[room = 2 * room + 1]();
            for (std::size_t i = 0; i < count; ++i) wider[i] = std::move(items[i]);
            items = wider;
        }
        items[count++] = std::move(item);
    }
    T* data() { return items; }
    const T* begin() const { return items; }
    const T* end() const { return items + count; }
};

// What holds the argument for a parameter of type P.
template <class P> struct Hold {
    using Plain = std::remove_cv_t<std::remove_reference_t<P>>;
    using Behind = std::remove_cv_t<std::remove_pointer_t<Plain>>;
    static constexpr bool text = std::is_same_v<Plain, const char*> || std::is_same_v<Plain, char*> || std::is_same_v<Plain, std::string_view>;
    static constexpr bool row = !text && std::is_pointer_v<Plain> && !std::is_void_v<Behind> && !std::is_function_v<Behind>;
    static Row<std::conditional_t<row, Behind, int>> made();
    using Type = std::conditional_t<text, Text, std::conditional_t<row, decltype(made()), Plain>>;
};

template <class P, class S> decltype(auto) pass(S& held, bool keep) {
    if constexpr (Hold<P>::text || Hold<P>::row) {
        return static_cast<typename Hold<P>::Plain>(held.data());
    } else if constexpr (std::is_lvalue_reference_v<P>) {
        return static_cast<S&>(held);
    } else if constexpr (std::is_rvalue_reference_v<P>) {
        return static_cast<S&&>(held);
    } else {
        return keep ? S(held) : S(std::move(held));
    }
}

struct Request {
    Text document = get(3);
    Reader args{nullptr, nullptr};
    long mutated = -1;

    Request() {
        Reader in{document.data(), document.data() + document.size()};
        in.need('{');
        do {
            Text key = in.string();
            in.need(':');
            if (key == "args") args = in;
            if (key == "kwargs" && (in.peek() != '{' || Reader{in.at + 1, in.end}.peek() != '}'))
                fail("functions of this language take no arguments by name");
            if (key == "mutated" && in.peek() != 'n') mutated = integer<long>(in);
            else in.skip();
        } while (in.take(','));
        if (args.at == nullptr) fail("the arguments are missing");
    }
};

template <std::size_t... I, class R, class... A, class Call>
void enter(std::index_sequence<I...>, Signature<R, A...>, Call call) {
    static_assert(sizeof...(I) <= sizeof...(A), "the function has fewer parameters than the case has arguments");
    Request request;
    using Parameters = std::tuple<A...>;
    std::tuple<typename Hold<std::tuple_element_t<I, Parameters>>::Type...> held{};
    Reader& in = request.args;
    in.need('[');
    ((I > 0 ? in.need(',') : void(), decode(in, std::get<I>(held))), ...);
    in.need(']');
    if (request.mutated >= static_cast<long>(sizeof...(I)) || request.mutated < -1) fail("there is no argument of that number");
    auto run = [&] { return call(pass<std::tuple_element_t<I, Parameters>>(std::get<I>(held), request.mutated == static_cast<long>(I))...); };
    Text value;
    if constexpr (std::is_void_v<decltype(run())>) {
        run();
        if (request.mutated < 0) value = "null";
    } else if (request.mutated >= 0) {
        run();
    } else {
        encode(value, run());
    }
    if (request.mutated >= 0) ((request.mutated == static_cast<long>(I) ? encode(value, std::get<I>(held)) : void()), ...);
    put(4, value + "\n");
}

}  // namespace scalebox_harness

#pragma GCC pop_options

@prelude@
#define main scalebox_program_main
#line 1 "program.cpp"
@program@
#line 1 "harness.cpp"
#undef main
#undef auto
#undef class
#undef const
#undef decltype
#undef int
#undef namespace
#undef return
#undef static_cast
#undef std
#undef template
// Among overloads the one with as many parameters as the case has arguments is meant.
namespace scalebox_harness {
template <class ScaleboxR@each{, class ScaleboxA#}>
Signature<ScaleboxR@each{, ScaleboxA#}> pick(Rank<1>, ScaleboxR (*)(@list{ScaleboxA#}));
template <class ScaleboxR, class ScaleboxC@each{, class ScaleboxA#}>
Signature<ScaleboxR@each{, ScaleboxA#}> pick(Rank<1>, ScaleboxR (ScaleboxC::*)(@list{ScaleboxA#}));
template <class ScaleboxR, class ScaleboxC@each{, class ScaleboxA#}>
Signature<ScaleboxR@each{, ScaleboxA#}> pick(Rank<1>, ScaleboxR (ScaleboxC::*)(@list{ScaleboxA#}) const);
}
int main() {
    scalebox_harness::enter(
        std::make_index_sequence<@arity@>(), decltype(scalebox_harness::pick(scalebox_harness::Rank<1>(), @address@))(),
        [](auto&&... scalebox_arguments) { return @call@(static_cast<decltype(scalebox_arguments)&&>(scalebox_arguments)...); });
}
