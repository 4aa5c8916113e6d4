# Says what stands behind a program whose function is called: how its arguments are made and its value is read. Reads the program with what stands
# before it (its first line names the function and the number of arguments), then the declarations of all functions, as the compiler spells them,
# then the program after macros, by statements.
NR == 1 { wanted = $2; arity = $3 + 0 }
FNR == NR { next }
RS == ";" {
    if ($0 ~ /typedef[ \t\n]/) abbreviation($0)
    next
}
# Of definitions there is one: the others are declarations.
/:[0-9]+:[NO]F \*\// {
    line = $0
    sub(/^\/\*.*:[0-9]+:[NO]F \*\/ /, "", line)
    sub(/; \/\*.*$/, "", line)
    sub(/^(extern|static) /, "", line)
    at = match(line, "(^|[ *])" wanted " \\(")
    if (at) {
        shown = line
        value = substr(line, 1, at)
        rest = substr(line, at + RLENGTH)
    }
}
END {
    if (shown == "") refuse("the program defines no function " wanted)
    split_parameters(rest)
    read_value()
    find_roles()
    for (mode = 1; mode <= 3; ++mode)
        if (given(mode) == arity) break
    if (mode > 3) refuse("it is " shown " and takes " given(1) " arguments, and the case has " arity "; the length of a list or string is given by the function's caller where a parameter such as numsSize stands behind it")
    say()
}

function refuse(reason) {
    print "the function cannot be called: " reason | "cat >&2"
    close("cat >&2")
    failed = 1
    exit 2
}

# What a typedef says of a number, a text or pointers to such. A name that stands for several things in several places stands for itself.
function abbreviation(text,    before, own) {
    gsub(/[ \t\n]+/, " ", text)
    sub(/^.*typedef /, "", text)
    gsub(/ ?\*/, " *", text)
    if (text !~ /^[A-Za-z_][A-Za-z_0-9 ]*[ *]+[A-Za-z_$][A-Za-z_0-9$]* ?$/) return
    sub(/ $/, "", text)
    match(text, /[A-Za-z_$][A-Za-z_0-9$]*$/)
    own = substr(text, RSTART)
    before = plain(substr(text, 1, RSTART - 1))
    if (own in meant && meant[own] != before) several[own] = 1
    meant[own] = before
}

# A type with what its name stands for, where that is known.
function spelled_out(type,    word, left) {
    for (left = 20; left > 0; --left) {
        match(type, /[A-Za-z_$][A-Za-z_0-9$]*/)
        word = substr(type, RSTART, RLENGTH)
        if (!(word in meant) || word in several || type !~ /^[A-Za-z_$][A-Za-z_0-9$]*[ *]*$/) break
        type = plain(meant[word] substr(type, RLENGTH + 1))
    }
    return type
}

# The parameters at the commas that stand in no parentheses.
function split_parameters(text,    at, depth, mark, part) {
    count = 0
    for (at = 1; at <= length(text); ++at) {
        mark = substr(text, at, 1)
        if (mark == "(" || mark == "[") ++depth
        if ((mark == "," || mark == ")") && depth == 0) {
            parameter(++count, part)
            part = ""
            if (mark == ")") break
            continue
        }
        if (mark == ")" || mark == "]") --depth
        part = part mark
    }
    if (count == 1 && base[1] == "void" && depth_of[1] == 0) count = 0
}

# A type without its qualifiers.
function plain(text,    words, word, n, kept) {
    gsub(/\*/, " * ", text)
    n = split(text, words, " ")
    for (word = 1; word <= n; ++word)
        if (words[word] !~ /^(const|volatile|restrict|register|__restrict|__restrict__)$/) kept = kept (kept == "" ? "" : " ") words[word]
    return kept
}

function parameter(i, text) {
    whole[i] = text
    sub(/^ /, "", whole[i])
    text = plain(text)
    strange[i] = text ~ /[(\[.]/
    name[i] = ""
    if (text != "void" && match(text, /[A-Za-z_$][A-Za-z_0-9$]*$/)) {
        name[i] = substr(text, RSTART)
        text = substr(text, 1, RSTART - 1)
    }
    text = spelled_out(plain(text))
    depth_of[i] = gsub(/\*/, "", text)
    base[i] = plain(text)
    key[i] = tolower(name[i])
    gsub(/_/, "", key[i])
}

function read_value(    text) {
    text = spelled_out(plain(value))
    value_depth = gsub(/\*/, "", text)
    value_base = plain(text)
}

function is_whole(i) {
    return !strange[i] && base[i] ~ /^((unsigned|signed|short|long|int)( (unsigned|signed|short|long|int))*|size_t|ssize_t|u?int(8|16|32|64)_t)$/
}

# What is said of another parameter by its name: strongly where it has that one's name, weakly where any length is called so.
function find_roles(    i, j, ends) {
    ends = "(size|sizes|len|lens|length|lengths|count|num|n|sz|rows|row|rowsize)$"
    for (i = 1; i <= count; ++i) {
        role[i] = "given"
        if (value_depth && depth_of[i] == 1 && is_whole(i) && key[i] ~ /^(ret|return|returned|res|result|out|output)(size|sizes|len|length|count|num|n)$/) role[i] = "returned"
        else if (value_depth > 1 && depth_of[i] == 2 && base[i] == "int" && key[i] ~ /^(ret|return|returned|res|result|out|output)(col|column|row)s?(size|len|length|count)s?$/) role[i] = "rows"
    }
    for (i = 1; i <= count; ++i) {
        if (role[i] != "given" || !depth_of[i]) continue
        for (j = 1; j <= count; ++j)
            if (role[j] == "given" && !depth_of[j] && is_whole(j) && index(key[j], key[i]) == 1 && substr(key[j], length(key[i]) + 1) ~ ("^" ends)) break
        if (j <= count) strong[j] = 1
        else {
            j = i + 1
            if (j > count || role[j] != "given" || depth_of[j] || !is_whole(j) || (key[j] !~ ends && key[j] !~ /^(m|h|height)$/)) continue
        }
        role[j] = "count"
        of[j] = i
        j = j + 1
        if (depth_of[i] < 2 || j > count || role[j] != "given" || !is_whole(j)) continue
        if (depth_of[j] == 1 && base[j] == "int" && key[j] ~ /(col|size|len)/) {
            role[j] = "columns"
            strong[j] = 1
        } else if (depth_of[j] == 0 && key[j] ~ /^(n|m|w|width)$|col/) role[j] = "width"
        of[j] = i
    }
}

# Whether a parameter has an argument of its own: where the strong say what others are it is none; where the weak do too; where none does.
function is_given(i, mode) {
    if (role[i] == "given") return 1
    if (role[i] == "returned" || role[i] == "rows") return 0
    return mode == 3 || (mode == 1 && !strong[i])
}

function given(mode,    i, found) {
    for (i = 1; i <= count; ++i) found += is_given(i, mode)
    return found + 0
}

# The kind of a scalar type; 0 of what is none.
function kind(type) {
    return "_Generic(*(" type "*)0, _Bool: 'b', char: 'c', signed char: 'i', short: 'i', int: 'i', long: 'i', long long: 'i', unsigned char: 'u', unsigned short: 'u', unsigned: 'u', unsigned long: 'u', unsigned long long: 'u', float: 'f', double: 'f', long double: 'f', default: 0)"
}

function type_of(base, depth,    stars) {
    for (stars = ""; depth > 0; --depth) stars = stars "*"
    return base stars
}

function demand(base, what) {
    print "    _Static_assert(" kind(base) ", \"the function cannot be called: " what "; possible are bool, char, integers, float and double, pointers to them for lists, and char* for strings\");"
}

function say(    i, next_arg, names, call, told) {
    if (value_depth && !(value_base == "char" && value_depth == 1) && !has("returned"))
        refuse("it returns " type_of(value_base, value_depth) ", and no parameter `int* returnSize` says how many values that are")
    if (value_depth > (value_base == "char" ? 2 : 1) && !has("rows"))
        refuse("it returns " type_of(value_base, value_depth) ", and no parameter `int** returnColumnSizes` says how long its rows are")
    if (value_depth > (value_base == "char" ? 3 : 2)) refuse("it returns " type_of(value_base, value_depth) ", which is too deep")
    for (i = 1; i <= count; ++i) {
        if (strange[i] || name[i] == "" || (base[i] == "void")) refuse("its parameter " i " (" whole[i] ") is of a type that plain data cannot become; possible are bool, char, integers, float and double, pointers to them for lists, and char* for strings")
    }
    print "# 1 \"call.c\""
    print "int main(void) {\n    long scalebox_mutated;\n    const struct scalebox_tree* scalebox_args = scalebox_request(" arity ", &scalebox_mutated);"
    next_arg = 0
    for (i = 1; i <= count; ++i) if (is_given(i, mode)) {
        number[i] = next_arg++
        demand(base[i], "its parameter " i " (" whole[i] ") is of a type that plain data cannot become")
    }
    for (i = 1; i <= count; ++i) {
        names = "scalebox_" i
        call = call (i > 1 ? ", " : "") (role[i] == "returned" || role[i] == "rows" ? "&" : depth_of[i] ? "(void*)" : "") names
        if (is_given(i, mode)) {
            tree = "&scalebox_args[" number[i] "], "
            if (depth_of[i]) print "    " type_of(base[i], depth_of[i]) " " names " = scalebox_pointer(" tree kind(base[i]) ", sizeof(" base[i] "), " depth_of[i] ");"
            else print "    " base[i] " " names ";\n    scalebox_scalar(" tree kind(base[i]) ", sizeof(" base[i] "), &" names ");"
            continue
        }
        if (role[i] == "returned") print "    " base[i] " " names " = -1;"
        else if (role[i] == "rows") print "    " base[i] "* " names " = 0;"
        else if (role[i] == "columns") print "    int* " names " = scalebox_columns(&scalebox_args[" number[of[i]] "]);"
        else print "    " base[i] " " names " = scalebox_" role[i] "(&scalebox_args[" number[of[i]] "]);"
    }
    if (value_base == "void" && value_depth == 0) {
        print "    " wanted "(" call ");"
        print "    if (scalebox_mutated < 0) scalebox_say(\"null\");"
    } else {
        demand(value_base, "its value is of the type " type_of(value_base, value_depth) ", which cannot become plain data")
        print "    __typeof__(" wanted "(" call ")) scalebox_value_made = " wanted "(" call ");"
        told = (has("returned") ? "scalebox_" has("returned") : "-1") ", " (has("rows") ? "scalebox_" has("rows") : "0")
        print "    if (scalebox_mutated < 0) scalebox_told(" (value_depth ? "" : "&") "scalebox_value_made, " kind(value_base) ", sizeof(" value_base "), " value_depth ", " told ");"
    }
    for (i = 1; i <= count; ++i) if (is_given(i, mode))
        print "    if (scalebox_mutated == " number[i] ") scalebox_again(&scalebox_args[" number[i] "], " (depth_of[i] ? "" : "&") "scalebox_" i ", " kind(base[i]) ", sizeof(" base[i] "), " depth_of[i] ");"
    print "    scalebox_respond();\n    return 0;\n}"
}

function has(wanted_role,    i) {
    for (i = 1; i <= count; ++i) if (role[i] == wanted_role) return i
    return 0
}
