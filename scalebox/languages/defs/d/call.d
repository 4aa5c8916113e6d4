// Read arguments from descriptor 3 by the types of the function's parameters, call it, write its value to descriptor 4. This part stands before
// the program, so that no `@safe:` or `nothrow:` of the program's is said of it; every name that it uses is its own.
import core.stdc.stdio : scalebox_snprintf = snprintf;
import core.stdc.stdlib : scalebox_exit = exit, scalebox_strtod = strtod;
import std.array : scalebox_array = array;
import std.bigint : ScaleboxBig = BigInt;
import std.conv : scalebox_to = to;
import std.range.primitives : scalebox_is_range = isInputRange;
import std.traits : ScaleboxBase = OriginalType, ScaleboxDefaults = ParameterDefaults, ScaleboxParameters = Parameters, ScaleboxPlain = Unqual;
import std.typecons : ScaleboxMaybe = Nullable, ScaleboxPair = Tuple;
import std.utf : scalebox_decode = decode, scalebox_utf = toUTF8;

pragma(mangle, "write") extern (C) private long scalebox_put(int, const(void)*, ulong);
pragma(mangle, "read") extern (C) private long scalebox_get(int, void*, ulong);

private alias ScaleboxText = immutable(char)[];

private class ScaleboxMisfit : Exception
{
    this(ScaleboxText reason) { super("the function cannot be called: " ~ reason); }
}

private struct ScaleboxReader
{
    const(char)[] text;
    ulong at;

    char peek()
    {
        while (at < text.length && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r'))
            ++at;
        return at < text.length ? text[at] : '\0';
    }

    bool take(char wanted)
    {
        if (peek() != wanted)
            return false;
        ++at;
        return true;
    }

    void need(char wanted)
    {
        if (!take(wanted))
            throw new ScaleboxMisfit("an argument has another type than its parameter");
    }

    bool word(ScaleboxText wanted)
    {
        peek();
        if (text.length - at < wanted.length || text[at .. at + wanted.length] != wanted)
            return false;
        at += wanted.length;
        return true;
    }

    private uint unit()
    {
        if (text.length - at < 4)
            throw new ScaleboxMisfit("the arguments are malformed");
        at += 4;
        auto digits = text[at - 4 .. at];
        return scalebox_to!uint(digits, 16);
    }

    ScaleboxText letters()
    {
        char[] made;
        need('"');
        while (at < text.length && text[at] != '"')
        {
            char mark = text[at++];
            if (mark != '\\')
            {
                made ~= mark;
                continue;
            }
            mark = at < text.length ? text[at++] : '\0';
            if (mark == 'u')
            {
                uint code = unit();
                if (code >> 10 == 0x36 && text.length - at >= 6 && text[at] == '\\' && text[at + 1] == 'u')
                {
                    at += 2;
                    code = 0x10000 + ((code - 0xD800) << 10) + (unit() - 0xDC00);
                }
                if (code >> 11 == 0x1B)
                    throw new ScaleboxMisfit("an argument holds half a character");
                made ~= cast(dchar) code;
            }
            else
                made ~= mark == 'n' ? '\n' : mark == 't' ? '\t' : mark == 'r' ? '\r' : mark == 'b' ? '\b' : mark == 'f' ? '\f' : mark;
        }
        need('"');
        return cast(ScaleboxText) made;
    }

    const(char)[] number()
    {
        peek();
        ulong start = at;
        while (at < text.length && (text[at] >= '0' && text[at] <= '9' || text[at] == '-' || text[at] == '+' || text[at] == '.' || text[at] == 'e' || text[at] == 'E'))
            ++at;
        if (at == start)
            throw new ScaleboxMisfit("an argument is no number but its parameter is one");
        return text[start .. at];
    }

    void skip()
    {
        long depth = 0;
        do
        {
            char mark = peek();
            if (mark == '"')
                letters();
            else if (mark == '[' || mark == '{')
                ++depth, ++at;
            else if (mark == ']' || mark == '}')
                --depth, ++at;
            else if (mark == ',' || mark == ':')
                ++at;
            else if (mark == '\0')
                throw new ScaleboxMisfit("the arguments are malformed");
            else
                while (at < text.length && text[at] != ',' && text[at] != ']' && text[at] != '}')
                    ++at;
        }
        while (depth > 0);
    }

    // The tag of an object that stands for a value JSON has not; the reader is then behind its colon.
    ScaleboxText tag()
    {
        ulong before = at;
        if (take('{') && peek() == '"')
        {
            ScaleboxText name = letters();
            if (name.length && name[0] == '$')
            {
                need(':');
                return name;
            }
        }
        at = before;
        return null;
    }

    // A list, tuple or set: calls item() before each entry.
    void each(scope void delegate() item)
    {
        ScaleboxText name = tag();
        if (name.length && name != "$tuple" && name != "$set" && name != "$frozenset" && name != "$dict")
            throw new ScaleboxMisfit("an argument is no list but its parameter is one");
        need('[');
        if (!take(']'))
        {
            do
                item();
            while (take(','));
            need(']');
        }
        if (name.length)
            need('}');
    }
}

private T scalebox_read(T)(ref ScaleboxReader from)
{
    alias P = ScaleboxPlain!T;
    static if (is(P == enum))
        return cast(T) scalebox_read!(ScaleboxBase!P)(from);
    else static if (is(P == bool))
    {
        if (from.word("true"))
            return true;
        if (!from.word("false"))
            throw new ScaleboxMisfit("an argument is no truth value but its parameter is one");
        return false;
    }
    else static if (is(P == char) || is(P == wchar) || is(P == dchar))
    {
        ScaleboxText letters = from.letters();
        ulong used = 0;
        if (!letters.length)
            throw new ScaleboxMisfit("an argument is no single character but its parameter is one");
        dchar letter = scalebox_decode(letters, used);
        if (used != letters.length || letter > P.max)
            throw new ScaleboxMisfit("an argument is no single character but its parameter is one");
        return cast(T) letter;
    }
    else static if (__traits(isIntegral, P))
        return cast(T) scalebox_whole!P(from);
    else static if (__traits(isFloating, P))
    {
        if (from.peek() != '{')
            return cast(T) scalebox_strtod((from.number() ~ '\0').ptr, null);
        if (from.tag() != "$float")
            throw new ScaleboxMisfit("an argument is no number but its parameter is one");
        ScaleboxText name = from.letters();
        from.need('}');
        return cast(T) scalebox_strtod((name ~ '\0').ptr, null);
    }
    else static if (is(P == ScaleboxBig))
        return ScaleboxBig(scalebox_digits(from));
    else static if (is(P == ScaleboxMaybe!V, V))
        return from.word("null") ? P.init : P(scalebox_read!V(from));
    else static if (is(P == ScaleboxPair!Parts, Parts...))
    {
        P made;
        ulong next = 0;
        from.each({
            ulong wanted = next++;
            static foreach (i; 0 .. P.Types.length)
                if (i == wanted)
                {
                    made[i] = scalebox_read!(P.Types[i])(from);
                    return;
                }
            throw new ScaleboxMisfit("an argument has more entries than its parameter");
        });
        if (next != P.Types.length)
            throw new ScaleboxMisfit("an argument has fewer entries than its parameter");
        return made;
    }
    else static if (ScaleboxItem!T.text && !__traits(isStaticArray, T))
        return from.peek() == '"' ? cast(T) scalebox_to!(ScaleboxItem!T.Plain[])(from.letters()) : cast(T) scalebox_list!(ScaleboxItem!T.Plain)(from);
    else static if (__traits(isStaticArray, T))
    {
        auto items = scalebox_list!(ScaleboxItem!T.Plain)(from);
        if (items.length != T.length)
            throw new ScaleboxMisfit("an argument has another number of entries than its parameter");
        ScaleboxItem!T.Plain[T.length] made = items;
        return cast(T) made;
    }
    else static if (is(T : const(Item)[], Item))
        return cast(T) scalebox_list!(ScaleboxItem!T.Plain)(from);
    else static if (__traits(isAssociativeArray, T))
        return scalebox_named!T(from);
    else
        static assert(false, "the function has a parameter of a type that plain data cannot become: " ~ T.stringof);
}

// What an array is of; whether it is a text.
private template ScaleboxItem(T)
{
    static if (is(typeof(T.init[0])) && is(T : const(Item)[], Item))
    {
        alias Plain = ScaleboxPlain!(typeof(T.init[0]));
        enum text = is(Plain == char) || is(Plain == wchar) || is(Plain == dchar);
    }
    else
        enum text = false;
}

private auto scalebox_list(E)(ref ScaleboxReader from)
{
    E[] made;
    from.each({ made ~= scalebox_read!E(from); });
    return made;
}

private T scalebox_named(T : V[K], V, K)(ref ScaleboxReader from)
{
    ScaleboxPlain!V[K] made;
    ScaleboxReader ahead = from;
    if (ahead.tag().length)
    {
        from.each({
            from.need('[');
            K key = scalebox_read!K(from);
            from.need(',');
            made[key] = scalebox_read!(ScaleboxPlain!V)(from);
            from.need(']');
        });
        return cast(T) made;
    }
    from.need('{');
    if (from.take('}'))
        return cast(T) made;
    do
    {
        ScaleboxText name = from.letters();
        from.need(':');
        static if (is(K : const(char)[]))
            K key = cast(K) name.dup;
        else static if (is(K : dchar) && !__traits(isIntegral, K))
        {
            ScaleboxReader inner = ScaleboxReader('"' ~ name ~ '"');
            K key = scalebox_read!K(inner);
        }
        else
        {
            ScaleboxReader inner = ScaleboxReader(name);
            K key = scalebox_read!K(inner);
        }
        made[key] = scalebox_read!(ScaleboxPlain!V)(from);
    }
    while (from.take(','));
    from.need('}');
    return cast(T) made;
}

// The digits of a whole number of any length.
private const(char)[] scalebox_digits(ref ScaleboxReader from)
{
    if (from.peek() == '{')
    {
        if (from.tag() != "$int")
            throw new ScaleboxMisfit("an argument is no number but its parameter is one");
        ScaleboxText digits = from.letters();
        from.need('}');
        return digits;
    }
    const(char)[] digits = from.number();
    foreach (digit; digits)
        if (digit == '.' || digit == 'e' || digit == 'E')
        {
            double value = scalebox_strtod((digits ~ '\0').ptr, null);
            if (!(value >= -9007199254740992.0 && value <= 9007199254740992.0) || value != cast(long) value)
                throw new ScaleboxMisfit("an argument does not fit its integer parameter");
            return scalebox_to!(char[])(cast(long) value);
        }
    return digits;
}

private T scalebox_whole(T)(ref ScaleboxReader from)
{
    const(char)[] digits = scalebox_digits(from);
    ScaleboxBig whole = ScaleboxBig(digits);
    if (whole < ScaleboxBig(T.min) || whole > ScaleboxBig(T.max))
        throw new ScaleboxMisfit("an argument does not fit its integer parameter");
    static if (T.min < 0)
        return cast(T) whole.toLong();
    else
        return scalebox_to!T(digits);
}

private void scalebox_write(T)(ref char[] line, T value, int depth)
{
    if (depth == 0)
        throw new ScaleboxMisfit("the value is nested too deeply");
    alias P = ScaleboxPlain!T;
    static if (is(P == enum))
        scalebox_write(line, cast(ScaleboxBase!P) value, depth);
    else static if (is(P == typeof(null)))
        line ~= "null";
    else static if (is(P == bool))
        line ~= value ? "true" : "false";
    else static if (is(P == char) || is(P == wchar) || is(P == dchar))
        scalebox_quote(line, [cast(dchar) value]);
    else static if (__traits(isIntegral, P))
        line ~= scalebox_to!ScaleboxText(value);
    else static if (is(P == ScaleboxBig))
        line ~= value.toDecimalString();
    else static if (__traits(isFloating, P))
        scalebox_real!P(line, value);
    else static if (is(P == ScaleboxMaybe!V, V))
    {
        if (value.isNull)
            line ~= "null";
        else
            scalebox_write(line, value.get, depth - 1);
    }
    else static if (is(P == ScaleboxPair!Parts, Parts...))
    {
        line ~= "{\"$tuple\":[";
        static foreach (i; 0 .. P.Types.length)
        {
            line ~= i == 0 ? "" : ",";
            scalebox_write(line, value[i], depth - 1);
        }
        line ~= "]}";
    }
    else static if (is(T : const(char)[]) || is(T : const(wchar)[]) || is(T : const(dchar)[]))
        scalebox_quote(line, scalebox_to!(dchar[])(value[]));
    else static if (__traits(isAssociativeArray, T))
    {
        line ~= "{\"$dict\":[";
        ScaleboxText before = "[";
        foreach (key, item; value)
        {
            line ~= before;
            scalebox_write(line, key, depth - 1);
            line ~= ",";
            scalebox_write(line, item, depth - 1);
            line ~= "]";
            before = ",[";
        }
        line ~= "]}";
    }
    else static if (is(T : const(Item)[], Item) || scalebox_is_range!P)
    {
        line ~= "[";
        ScaleboxText before = "";
        foreach (item; value)
        {
            line ~= before;
            scalebox_write(line, item, depth - 1);
            before = ",";
        }
        line ~= "]";
    }
    else static if (scalebox_is_range!(typeof(value[])))
        scalebox_write(line, value[], depth);
    else
        static assert(false, "the function returns a value of a type that cannot become plain data: " ~ T.stringof);
}

// The fewest digits that name the value among those of its type.
private void scalebox_real(T)(ref char[] line, double value)
{
    if (value != value || value - value != 0)
    {
        line ~= value != value ? "{\"$float\":\"nan\"}" : value > 0 ? "{\"$float\":\"inf\"}" : "{\"$float\":\"-inf\"}";
        return;
    }
    char[64] text;
    int size;
    for (int precision = T.sizeof == 4 ? 6 : 15; precision <= 17; ++precision)
    {
        size = scalebox_snprintf(text.ptr, text.length, "%.*g", precision, value);
        double back = scalebox_strtod(text.ptr, null);
        if (T.sizeof == 4 ? cast(float) back == cast(float) value : back == value)
            break;
    }
    line ~= text[0 .. size];
    foreach (letter; text[0 .. size])
        if (letter == '.' || letter == 'e')
            return;
    line ~= ".0";
}

private void scalebox_quote(ref char[] line, const(dchar)[] letters)
{
    line ~= '"';
    foreach (letter; letters)
    {
        if (letter >= 0x20 && letter != '"' && letter != '\\')
        {
            line ~= letter;
            continue;
        }
        char[8] code;
        line ~= code[0 .. scalebox_snprintf(code.ptr, code.length, "\\u%04x", cast(uint) letter)];
    }
    line ~= '"';
}

// Among overloads the one with as many parameters as the case has arguments is meant, else one whose further parameters have defaults.
private template ScaleboxMeant(ulong arity, Overloads...)
{
    static foreach (i; 0 .. Overloads.length)
        static if (!is(typeof(found)) && ScaleboxParameters!(Overloads[i]).length == arity)
            enum ulong found = i;
    static foreach (i; 0 .. Overloads.length)
        static if (!is(typeof(found)) && ScaleboxParameters!(Overloads[i]).length > arity)
            static if (!is(ScaleboxDefaults!(Overloads[i])[arity] == void))
                enum ulong found = i;
    static assert(is(typeof(found)), "the function has other parameters than the case has arguments");
    alias ScaleboxMeant = Overloads[found];
}

private char[] scalebox_called(const(char)[] document)
{
    ScaleboxReader whole = ScaleboxReader(document), args;
    long mutated = -1;
    whole.need('{');
    do
    {
        ScaleboxText name = whole.letters();
        whole.need(':');
        ScaleboxReader ahead = whole;
        if (name == "args")
            args = whole;
        else if (name == "kwargs" && !(ahead.take('{') && ahead.take('}')))
            throw new ScaleboxMisfit("functions of D are given no arguments by name here");
        else if (name == "mutated" && whole.peek() != 'n')
            mutated = scalebox_read!long(ahead);
        whole.skip();
    }
    while (whole.take(','));
    static if ("@owner@".length)
        alias Parent = mixin(".@owner@");
    else
        alias Parent = __traits(parent, ScaleboxReader);
    alias Meant = ScaleboxMeant!(@arity@, __traits(getOverloads, Parent, "@name@"));
    alias Types = ScaleboxParameters!Meant;
    args.need('[');
    @each{if (# > 0) args.need(','); ScaleboxPlain!(Types[#]) held# = cast(ScaleboxPlain!(Types[#])) scalebox_read!(Types[#])(args); }
    args.need(']');
    if (mutated < -1 || mutated >= cast(long) @arity@)
        throw new ScaleboxMisfit("there is no argument of that number");
    static if ((is(Parent == class) || is(Parent == struct)) && !__traits(isStaticFunction, Meant))
    {
        static if (is(Parent == class))
            auto self = new Parent();
        else
            Parent self;
        auto ref called() { return __traits(child, self, Meant)(@list{held#}); }
    }
    else
        auto ref called() { return Meant(@list{held#}); }
    char[] line;
    static if (is(typeof(called()) == void))
    {
        called();
        if (mutated < 0)
            line ~= "null";
    }
    else
    {
        auto value = called();
        if (mutated < 0)
            scalebox_write(line, value, 200);
    }
    @each{if (mutated == #) scalebox_write(line, held#, 200); }
    return line ~ '\n';
}

// Runs before any main, and ends the process.
extern (C) private void scalebox_run() nothrow
{
    try
    {
        char[] document;
        for (;;)
        {
            char[65536] part;
            long count = scalebox_get(3, part.ptr, part.length);
            if (count < 0)
                throw new ScaleboxMisfit("the arguments cannot be read");
            if (count == 0)
                break;
            document ~= part[0 .. count];
        }
        char[] line = scalebox_called(document);
        while (line.length)
        {
            long count = scalebox_put(4, line.ptr, line.length);
            if (count <= 0)
                throw new ScaleboxMisfit("the value cannot be written");
            line = line[count .. $];
        }
        scalebox_exit(0);
    }
    catch (Throwable error)
    {
        try
        {
            auto told = error.toString() ~ "\n";
            scalebox_put(2, told.ptr, told.length);
        }
        catch (Throwable)
        {
        }
        scalebox_exit(1);
    }
}

@prelude@
@program@

static this() @trusted
{
    (cast(void function() nothrow @nogc @safe) &scalebox_run)();
}

static if (!__traits(hasMember, __traits(parent, ScaleboxReader), "main"))
    void main() {}
