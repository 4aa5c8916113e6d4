/* @name@ @arity@ */
#line 3 "call.c"
#include <sys/syscall.h>
/* Reads arguments from descriptor 3 by the types of the function's parameters, calls it and writes its value to descriptor 4. This part stands
   before the program and includes macros alone, for what a header declares would be in the program's way; what `scalebox_call.awk` says behind the
   program, from the declaration that the compiler found, comes when the program's macros are gone. */
extern void* scalebox_realloc(void*, unsigned long) __asm__("realloc");
extern double scalebox_strtod(const char*, char**) __asm__("strtod");
extern int scalebox_snprintf(char*, unsigned long, const char*, ...) __asm__("snprintf");
extern long scalebox_system(long, ...) __asm__("syscall");

/* A value as it came. Of a list `size` counts the items, of a text the bytes; a number's text ends where its digits do. */
struct scalebox_tree {
    enum { SCALEBOX_NULL, SCALEBOX_TRUTH, SCALEBOX_NUMBER, SCALEBOX_TEXT, SCALEBOX_LIST, SCALEBOX_NAMED } kind;
    long size;
    union {
        char* text;
        struct scalebox_tree* items;
    };
    char* name;
};

static void __attribute__((noreturn)) scalebox_end(void) {
    for (;;) scalebox_system(SYS_exit_group, 2);
}

static void scalebox_all(int descriptor, const char* text, long size) {
    while (size > 0) {
        long count = scalebox_system(SYS_write, descriptor, text, size);
        if (count <= 0) scalebox_end();
        text += count;
        size -= count;
    }
}

static void __attribute__((noreturn)) scalebox_misfit(const char* reason) {
    scalebox_all(2, "the function cannot be called: ", 31);
    scalebox_all(2, reason, __builtin_strlen(reason));
    scalebox_all(2, "\n", 1);
    scalebox_end();
}

static void* scalebox_room(void* before, unsigned long size) {
    void* room = scalebox_realloc(before, size + 1);
    if (!room) scalebox_misfit("out of memory");
    return room;
}

static char* scalebox_at;

static char scalebox_peek(void) {
    while (*scalebox_at == ' ' || *scalebox_at == '\n' || *scalebox_at == '\t' || *scalebox_at == '\r') ++scalebox_at;
    return *scalebox_at;
}

static _Bool scalebox_take(char wanted) {
    if (scalebox_peek() != wanted) return 0;
    ++scalebox_at;
    return 1;
}

static void scalebox_need(char wanted) {
    if (!scalebox_take(wanted)) scalebox_misfit("the arguments are malformed");
}

static unsigned scalebox_unit(void) {
    unsigned code = 0;
    for (int i = 0; i < 4; ++i) {
        char digit = *scalebox_at++;
        code *= 16;
        if (digit >= '0' && digit <= '9') code += digit - '0';
        else if (digit >= 'a' && digit <= 'f') code += digit - 'a' + 10;
        else if (digit >= 'A' && digit <= 'F') code += digit - 'A' + 10;
        else scalebox_misfit("the arguments are malformed");
    }
    return code;
}

/* A text, decoded where it stands: it never grows. */
static char* scalebox_letters(long* size) {
    scalebox_need('"');
    char *start = scalebox_at, *end = start;
    while (*scalebox_at != '"') {
        char mark = *scalebox_at++;
        if (!mark) scalebox_misfit("the arguments are malformed");
        if (mark != '\\') {
            *end++ = mark;
            continue;
        }
        mark = *scalebox_at++;
        if (mark != 'u') {
            *end++ = mark == 'n' ? '\n' : mark == 't' ? '\t' : mark == 'r' ? '\r' : mark == 'b' ? '\b' : mark == 'f' ? '\f' : mark;
            continue;
        }
        unsigned code = scalebox_unit();
        if (code >> 10 == 0x36 && scalebox_at[0] == '\\' && scalebox_at[1] == 'u') {
            scalebox_at += 2;
            code = 0x10000 + ((code - 0xD800) << 10) + (scalebox_unit() - 0xDC00);
        }
        if (code >> 11 == 0x1B) scalebox_misfit("an argument holds half a character");
        if (!code) scalebox_misfit("an argument holds the character 0, which ends strings of C");
        if (code < 0x80) *end++ = code;
        else if (code < 0x800) *end++ = 0xC0 | code >> 6, *end++ = 0x80 | (code & 63);
        else if (code < 0x10000) *end++ = 0xE0 | code >> 12, *end++ = 0x80 | (code >> 6 & 63), *end++ = 0x80 | (code & 63);
        else *end++ = 0xF0 | code >> 18, *end++ = 0x80 | (code >> 12 & 63), *end++ = 0x80 | (code >> 6 & 63), *end++ = 0x80 | (code & 63);
    }
    ++scalebox_at;
    *end = 0;
    *size = end - start;
    return start;
}

static struct scalebox_tree scalebox_value(void) {
    struct scalebox_tree made = {SCALEBOX_NULL, 0, {0}, 0};
    char opening = scalebox_peek();
    if (opening == '"') {
        made.kind = SCALEBOX_TEXT;
        made.text = scalebox_letters(&made.size);
        return made;
    }
    if (opening == '[' || opening == '{') {
        char closing = opening == '[' ? ']' : '}';
        long room = 0;
        made.kind = opening == '[' ? SCALEBOX_LIST : SCALEBOX_NAMED;
        ++scalebox_at;
        if (scalebox_take(closing)) return made;
        do {
            long size;
            char* name = 0;
            if (opening == '{') {
                name = scalebox_letters(&size);
                scalebox_need(':');
            }
            struct scalebox_tree item = scalebox_value();
            item.name = name;
            if (made.size == room) made.items = scalebox_room(made.items, (room = 2 * room + 4) * sizeof item);
            made.items[made.size++] = item;
        } while (scalebox_take(','));
        scalebox_need(closing);
        if (opening == '[' || made.size != 1 || made.items[0].name[0] != '$') return made;
        /* A tuple or a set is a list here. A number that JSON has not keeps its tag. */
        char* tag = made.items[0].name;
        made = made.items[0];
        if (!__builtin_strcmp(tag, "$tuple") || !__builtin_strcmp(tag, "$set") || !__builtin_strcmp(tag, "$frozenset")) return made;
        if (__builtin_strcmp(tag, "$float") && __builtin_strcmp(tag, "$int")) scalebox_misfit("an argument is of a kind that C has not");
        made.kind = SCALEBOX_NUMBER;
        return made;
    }
    char* start = scalebox_at;
    while (*scalebox_at && *scalebox_at != ',' && *scalebox_at != ']' && *scalebox_at != '}' && *scalebox_at != ' ' && *scalebox_at != '\n') ++scalebox_at;
    made.text = start;
    made.kind = *start == 't' || *start == 'f' ? SCALEBOX_TRUTH : *start == 'n' ? SCALEBOX_NULL : SCALEBOX_NUMBER;
    return made;
}

static __int128 scalebox_whole(const struct scalebox_tree* from) {
    const char* digit = from->text;
    _Bool negative = *digit == '-';
    __int128 value = 0;
    if (from->kind == SCALEBOX_TRUTH) return *digit == 't';
    if (from->kind != SCALEBOX_NUMBER) scalebox_misfit("an argument is no number but its parameter is one");
    for (digit += negative; *digit >= '0' && *digit <= '9'; ++digit)
        if ((value = value * 10 + (*digit - '0')) >> 65) scalebox_misfit("an argument does not fit its integer parameter");
    if (*digit == '.' || *digit == 'e' || *digit == 'E' || *digit == 'x' || digit == from->text + negative) {
        double real = scalebox_strtod(from->text, 0);
        if (*digit == 'x' || !(real >= -9007199254740992.0 && real <= 9007199254740992.0) || real != (double)(long)real)
            scalebox_misfit("an argument does not fit its integer parameter");
        return (long)real;
    }
    return negative ? -value : value;
}

/* Kinds: b truth, c character, i and u integers, f number. The lowest byte of an integer comes first. */
static void scalebox_scalar(const struct scalebox_tree* from, char kind, int size, void* into) {
    if (kind == 'b') {
        if (from->kind != SCALEBOX_TRUTH) scalebox_misfit("an argument is no truth value but its parameter is one");
        *(_Bool*)into = *from->text == 't';
    } else if (kind == 'c') {
        if (from->kind != SCALEBOX_TEXT || from->size != 1) scalebox_misfit("an argument is no character of one byte but its parameter is one");
        *(char*)into = *from->text;
    } else if (kind == 'f') {
        if (from->kind != SCALEBOX_NUMBER) scalebox_misfit("an argument is no number but its parameter is one");
        double real = scalebox_strtod(from->text, 0);
        if (size == sizeof(float)) *(float*)into = real;
        else if (size == sizeof(double)) *(double*)into = real;
        else *(long double*)into = real;
    } else {
        __int128 value = scalebox_whole(from), one = 1;
        __int128 least = kind == 'i' ? -(one << (8 * size - 1)) : 0, most = (one << (8 * size - (kind == 'i'))) - 1;
        if (value < least || value > most) scalebox_misfit("an argument does not fit its integer parameter");
        __builtin_memcpy(into, &value, size);
    }
}

static const struct scalebox_tree* scalebox_list(const struct scalebox_tree* from) {
    if (from->kind != SCALEBOX_LIST) scalebox_misfit("an argument is no list but its parameter is one");
    return from;
}

/* What a pointer points to, as deep as it is: lists, and a string where characters are deepest. */
static void* scalebox_pointer(const struct scalebox_tree* from, char kind, int size, int depth) {
    if (kind == 'c' && depth == 1 && from->kind != SCALEBOX_LIST) {
        if (from->kind != SCALEBOX_TEXT) scalebox_misfit("an argument is no string but its parameter is one");
        char* text = scalebox_room(0, from->size);
        __builtin_memcpy(text, from->text, from->size + 1);
        return text;
    }
    long each = depth > 1 ? (long)sizeof(void*) : size;
    char* made = scalebox_room(0, scalebox_list(from)->size * each);
    made[from->size * each] = 0;
    for (long i = 0; i < from->size; ++i)
        if (depth > 1) ((void**)made)[i] = scalebox_pointer(&from->items[i], kind, size, depth - 1);
        else scalebox_scalar(&from->items[i], kind, size, made + i * each);
    return made;
}

static long scalebox_count(const struct scalebox_tree* from) {
    return from->kind == SCALEBOX_TEXT ? from->size : scalebox_list(from)->size;
}

static int* scalebox_columns(const struct scalebox_tree* from) {
    int* made = scalebox_room(0, scalebox_list(from)->size * sizeof(int));
    for (long i = 0; i < from->size; ++i) made[i] = scalebox_count(&from->items[i]);
    return made;
}

static long scalebox_width(const struct scalebox_tree* from) {
    int* columns = scalebox_columns(from);
    for (long i = 1; i < from->size; ++i)
        if (columns[i] != columns[0]) scalebox_misfit("an argument has rows of several lengths, but its parameters have one");
    return from->size ? columns[0] : 0;
}

static char* scalebox_line;
static long scalebox_size, scalebox_space;

static void scalebox_put(const char* text, long size) {
    if (scalebox_size + size > scalebox_space) scalebox_line = scalebox_room(scalebox_line, scalebox_space = 2 * (scalebox_size + size));
    __builtin_memcpy(scalebox_line + scalebox_size, text, size);
    scalebox_size += size;
}

static void scalebox_say(const char* text) {
    scalebox_put(text, __builtin_strlen(text));
}

/* Whether bytes are UTF-8. */
static _Bool scalebox_sound(const unsigned char* text, long size) {
    for (long i = 0; i < size;) {
        unsigned first = text[i], more = first < 0x80 ? 0 : first < 0xC2 ? 9 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : first < 0xF5 ? 3 : 9;
        if (i + (long)more >= size) return 0;
        unsigned code = more ? first & (0x3F >> more) : first;
        for (unsigned k = 1; k <= more; ++k) {
            if (text[i + k] >> 6 != 2) return 0;
            code = code << 6 | (text[i + k] & 63);
        }
        if ((more == 2 && (code < 0x800 || code >> 11 == 0x1B)) || (more == 3 && (code < 0x10000 || code > 0x10FFFF))) return 0;
        i += more + 1;
    }
    return 1;
}

/* Bytes that are no text keep their value. */
static void scalebox_quote(const char* text, long size) {
    const char* signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char* bytes = (const unsigned char*)text;
    if (scalebox_sound(bytes, size)) {
        scalebox_say("\"");
        for (long i = 0; i < size; ++i) {
            char code[8];
            if (bytes[i] >= 0x20 && bytes[i] != '"' && bytes[i] != '\\') scalebox_put(text + i, 1);
            else scalebox_put(code, scalebox_snprintf(code, sizeof code, "\\u%04x", bytes[i]));
        }
        scalebox_say("\"");
        return;
    }
    scalebox_say("{\"$bytes\":\"");
    for (long i = 0; i < size; i += 3) {
        unsigned bits = bytes[i] << 16 | (i + 1 < size ? bytes[i + 1] << 8 : 0) | (i + 2 < size ? bytes[i + 2] : 0);
        for (int k = 0; k < 4; ++k) scalebox_put(i + k > size ? "=" : signs + (bits >> (18 - 6 * k) & 63), 1);
    }
    scalebox_say("\"}");
}

/* The fewest digits that name the value among those of its type. */
static void scalebox_real(double value, _Bool is_float) {
    char text[64];
    if (value != value || value - value != 0) {
        scalebox_say(value != value ? "{\"$float\":\"nan\"}" : value > 0 ? "{\"$float\":\"inf\"}" : "{\"$float\":\"-inf\"}");
        return;
    }
    for (int precision = is_float ? 6 : 15; precision <= 17; ++precision) {
        scalebox_snprintf(text, sizeof text, "%.*g", precision, value);
        double back = scalebox_strtod(text, 0);
        if (is_float ? (float)back == (float)value : back == value) break;
    }
    scalebox_say(text);
    for (const char* mark = text; *mark; ++mark)
        if (*mark == '.' || *mark == 'e') return;
    scalebox_say(".0");
}

static void scalebox_tell(const void* value, char kind, int size) {
    char text[32];
    long whole = 0;
    if (kind == 'b') scalebox_say(*(const unsigned char*)value ? "true" : "false");
    else if (kind == 'c') scalebox_quote(value, 1);
    else if (kind == 'f')
        scalebox_real(size == sizeof(float) ? *(const float*)value : size == sizeof(double) ? *(const double*)value : *(const long double*)value, size == sizeof(float));
    else {
        __builtin_memcpy(&whole, value, size);
        if (kind == 'i' && size < 8) whole = (long)((unsigned long)whole << (64 - 8 * size)) >> (64 - 8 * size);
        scalebox_put(text, scalebox_snprintf(text, sizeof text, kind == 'i' ? "%ld" : "%lu", whole));
    }
}

static void scalebox_string(const char* text) {
    if (text) scalebox_quote(text, __builtin_strlen(text));
    else scalebox_say("null");
}

/* What a function returns: `depth` lists, of `count` items the outermost and of `columns` the next. */
static void scalebox_told(const void* value, char kind, int size, int depth, long count, const int* columns) {
    if (depth == 0) {
        scalebox_tell(value, kind, size);
        return;
    }
    if (kind == 'c' && depth == 1 && count < 0) {
        scalebox_string(value);
        return;
    }
    if (count < 0) scalebox_misfit("the function did not say how many values it returns");
    if (!value && count) scalebox_misfit("the function returned a null pointer, but a number of values that is not 0");
    if (depth > 1 && count && !columns && !(kind == 'c' && depth == 2)) scalebox_misfit("the function did not say how long the rows are that it returns");
    scalebox_say("[");
    for (long i = 0; i < count; ++i) {
        if (i) scalebox_say(",");
        if (depth == 1) scalebox_tell((const char*)value + i * size, kind, size);
        else scalebox_told(((void* const*)value)[i], kind, size, depth - 1, columns ? columns[i] : -1, 0);
    }
    scalebox_say("]");
}

/* An argument after the call, in the shape in which it came. */
static void scalebox_again(const struct scalebox_tree* from, const void* value, char kind, int size, int depth) {
    if (depth == 0) {
        scalebox_tell(value, kind, size);
        return;
    }
    if (from->kind == SCALEBOX_TEXT) {
        scalebox_string(value);
        return;
    }
    scalebox_say("[");
    for (long i = 0; i < from->size; ++i) {
        if (i) scalebox_say(",");
        scalebox_again(&from->items[i], depth > 1 ? ((void* const*)value)[i] : (const char*)value + i * size, kind, size, depth - 1);
    }
    scalebox_say("]");
}

/* The arguments, and which of them is the value, or -1. */
static const struct scalebox_tree* scalebox_request(long arity, long* mutated) {
    static struct scalebox_tree nothing;
    const struct scalebox_tree* args = &nothing;
    long size = 0, count, room = 65536;
    char* text = scalebox_room(0, room);
    while ((count = scalebox_system(SYS_read, 3, text + size, room - size)) > 0)
        if ((size += count) == room) text = scalebox_room(text, room *= 2);
    text[size] = 0;
    scalebox_at = text;
    struct scalebox_tree whole = scalebox_value();
    *mutated = -1;
    for (long i = 0; i < whole.size; ++i) {
        struct scalebox_tree* item = &whole.items[i];
        if (!__builtin_strcmp(item->name, "args")) args = item;
        else if (!__builtin_strcmp(item->name, "kwargs") && item->size) scalebox_misfit("functions of C take no arguments by name");
        else if (!__builtin_strcmp(item->name, "mutated") && item->kind == SCALEBOX_NUMBER) *mutated = scalebox_whole(item);
    }
    if (scalebox_list(args)->size != arity || *mutated >= arity) scalebox_misfit("the arguments are malformed");
    return args->items;
}

static void scalebox_respond(void) {
    scalebox_say("\n");
    scalebox_all(4, scalebox_line, scalebox_size);
}
@prelude@
#define main scalebox_program_main
#line 1 "program.c"
@program@
