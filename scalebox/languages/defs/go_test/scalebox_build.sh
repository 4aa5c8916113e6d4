# Compile a program with its test files into one that runs the tests. Arguments: what lies where of the standard library; what to make; the program.
# Status 86: the test files are at fault. What the compiler says of them is not shown, for it quotes them.
standard=$1 made=$2 program=$3
broken() { echo "$1" >&2; exit 86; }
format=$(dirname "$(readlink -f "$(command -v go)")")/gofmt
[ -x "$format" ] || format=true
cp "$standard" importcfg || exit 86

# The text of Go files without comments and strings, line by line.
code() {
  awk '
    { text = $0; out = ""
      for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1); two = substr(text, i, 2)
        if (mode == "/*") { if (two == "*/") { mode = ""; i++ } }
        else if (mode == "`") { if (c == "`") mode = "" }
        else if (mode != "") { if (c == "\\") i++; else if (c == mode) mode = "" }
        else if (two == "//") break
        else if (two == "/*") { mode = two; i++; out = out " " }
        else if (c == "`" || c == "\"" || c == "\047") { mode = c; out = out "0" }
        else out = out c
      }
      if (mode != "/*" && mode != "`") mode = ""
      print out
    }' "$@"
}

inner= outer= own=yes
for file in *_test.go; do
  [ "$file" != "$program" ] && own=no
  said=$("$format" -e "$file" 2>&1 >/dev/null) || { [ "$file" = "$program" ] && { echo "$said" >&2; exit 1; }; broken "a test file is no Go"; }
  case $(code "$file" | sed -n 's/^package[ \t][ \t]*\([A-Za-z0-9_]*\).*/\1/p' | head -n 1) in
    *_test) outer="$outer $file" ;;
    *) [ "$file" = "$program" ] || inner="$inner $file" ;;
  esac
done
[ "$own" = no ] || outer=  # a program that brings its tests has one package, whatever it is called
tests="$inner $outer"
[ "$own" = no ] || tests=$program

# What the test files bring beside them is compiled with the program, which may need it.
helpers=
for file in *.go; do
  case $file in "$program" | *_test.go) continue ;; esac
  [ "$own" = no ] || continue
  "$format" -e "$file" > /dev/null 2>&1 || broken "$file is no Go"
  helpers="$helpers $file"
done

# The names of packages are those of the test files: the program's must agree.
package=$(code $tests | sed -n 's/^package[ \t][ \t]*\([A-Za-z0-9_]*\).*/\1/p' | head -n 1)
[ -n "$package" ] || broken "a test file names no package"
[ -z "$outer" ] || package=${package%_test}

# The harness has a name that no program can know: whoever imports it could report.
harness=scalebox/unit$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
mkdir -p scalebox.d && cp scalebox_unit.go.txt scalebox.d/unit.go
go tool compile -p "$harness" -complete -trimpath "$PWD" -importcfg importcfg -pack -o harness.a scalebox.d/unit.go >&2 || exit 86
echo "packagefile $harness=harness.a" >> importcfg
# It reads the token before anything of the program is run: packages that are imported are initialised first.
printf 'package %s\n\nimport _ "%s"\n' "$package" "$harness" > scalebox.d/first.go
# In the program's package test files mean Go's own by these: a program that declares one that they use does not compile beside an import of that name.
echo 'package names; const Own = 0' > scalebox.d/names.go
go tool compile -p scalebox/names -complete -pack -o names.a scalebox.d/names.go >&2 || exit 86
echo "packagefile scalebox/names=names.a" >> importcfg
if [ -n "$inner$helpers" ]; then
  used=" $(code $inner $helpers | tr -cs 'A-Za-z0-9_' ' ') "
  for name in true false nil iota len append make panic recover string bool error byte rune int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr float32 float64; do
    case $used in *" $name "*) printf 'import %s "scalebox/names"\n' "$name" >> scalebox.d/first.go; echo "const _ = $name.Own" >> scalebox.d/uses ;; esac
  done
  [ ! -e scalebox.d/uses ] || cat scalebox.d/uses >> scalebox.d/first.go
fi

compile() { go tool compile -p "$1" -complete -trimpath "$PWD" -importcfg importcfg -pack -o "$2" $3; }

compile unit/program alone.a "$program scalebox.d/first.go $helpers" >&2 || exit 1
hidden() {
  grep -o 'undefined: [A-Za-z0-9_.]*' said | sort -u >&2
  echo "error: the test files do not compile with this program" >&2
  exit 1
}
compile unit/program program.a "$program scalebox.d/first.go $helpers $inner" > said 2>&1 || hidden
echo "packagefile unit/program=program.a" >> importcfg
if [ -n "$outer" ]; then
  for path in $(sed -n 's/^[ \t]*\(import[ \t]*\)\{0,1\}\([A-Za-z_.][A-Za-z0-9_]*[ \t][ \t]*\)\{0,1\}"\([A-Za-z0-9_.\/-]*\)"[ \t]*$/\3/p' $outer | sort -u); do
    case $path in
      "$package" | */"$package") grep -q "^packagefile $path=" importcfg || echo "importmap $path=unit/program" >> importcfg ;;
      *) grep -q "^packagefile $path=" importcfg || broken "a test file imports $path, which is not here" ;;
    esac
  done
  compile unit/program_test outer.a "$outer" > said 2>&1 || hidden
  echo "packagefile unit/program_test=outer.a" >> importcfg
fi

# What is run: every test of the test files, named here and not by what the program says it holds.
names() { code $1 | sed -n "s/^func[ \t][ \t]*\($2\)[ \t]*([A-Za-z_][A-Za-z0-9_]*[ \t][ \t]*\*testing\.$3).*/\1/p"; }
listed() { for name in $(names "$1" "$3[^a-z(\t ][A-Za-z0-9_]*\|$3" "$4"); do [ "$name" = TestMain ] || echo "	{\"$name\", $2.$name},"; done; }

# An example is run where its last comment says what it prints: here that is what ends it, once it is formatted.
examples() {
  for file in $1; do
    [ -f "$file" ] || continue
    real=" $(code "$file" | sed -n 's/^func[ \t][ \t]*\(Example[A-Za-z0-9_]*\)[ \t]*().*/\1/p' | tr '\n' ' ')"
    if [ "$format" = true ]; then cat "$file"; else "$format" "$file"; fi | awk -v space="$2" -v real="$real" '
      function quoted(text,  i, c, made) {
        for (i = 1; i <= length(text); i++) {
          c = substr(text, i, 1)
          made = made (c == "\\" ? "\\\\" : c == "\"" ? "\\\"" : c == "\t" ? "\\t" : c == "\n" ? "\\n" : c)
        }
        return "\"" made "\""
      }
      function told(text) { text = tolower(text); sub(/^[ \t\n]*/, "", text); return text ~ /^(unordered )?output:/ }
      !name && /^func Example[A-Za-z0-9_]*\(\) \{$/ {
        name = $2; sub(/\(.*/, "", name); said = ""; seen = 0
        if (!index(real, " " name " ")) name = ""
        next
      }
      !name { next }
      /^\t\/\// { text = $0; sub(/^\t\/\/ ?/, "", text); said = said text "\n"; next }
      /^}/ {
        if (told(said)) {
          unordered = tolower(said) ~ /^[ \t\n]*unordered/ ? "true" : "false"
          sub(/^[^:]*:/, "", said)
          print "\t{\"" name "\", " space "." name ", " quoted(said) ", " unordered "},"
        } else if (seen) print "unclear " name
        name = ""; next
      }
      { if (told(said) || tolower($0) ~ /(\/\/|\/\*)[ \t]*(unordered )?output:/) seen = 1; said = "" }'
  done
}
if [ "$own" = yes ]; then inner=$program; fi
first=$(listed "$inner /dev/null" program Test T) second=$(listed "$outer /dev/null" outer Test T) setup=nil
fuzzed=$(listed "$inner /dev/null" program Fuzz F) sown=$(listed "$outer /dev/null" outer Fuzz F)
shown=$(examples "$inner" program) told=$(examples "$outer" outer)
unclear=$(printf '%s\n%s\n' "$shown" "$told" | sed -n 's/^unclear //p' | head -n 1)
[ -z "$unclear" ] || broken "what an example prints must be said by the comment that ends it: $unclear"
[ -z "$(names "$outer /dev/null" TestMain M)" ] || setup=outer.TestMain
[ -z "$(names "$inner /dev/null" TestMain M)" ] || setup=program.TestMain
if [ -z "$first$second$fuzzed$sown$shown$told" ]; then
  [ "$own" = no ] || { echo "there is no test" >&2; exit 1; }
  broken "the test files hold no test"
fi
{
  printf 'package main\n\nimport harness "%s"\n' "$harness"
  case "$first$fuzzed$shown$setup" in "" | nil | outer.TestMain) ;; *) echo 'import program "unit/program"' ;; esac
  case "$second$sown$told$setup" in "" | nil | program.TestMain) ;; *) echo 'import outer "unit/program_test"' ;; esac
  printf '\nfunc main() {\n\tharness.Run([]harness.Test{\n%s\n%s\n\t}, []harness.Fuzz{\n%s\n%s\n\t}, []harness.Example{\n' "$first" "$second" "$fuzzed" "$sown"
  printf '%s\n%s\n\t}, %s)\n}\n' "$shown" "$told" "$setup"
} > scalebox.d/main.go
compile main main.a scalebox.d/main.go >&2 || exit 86
grep -v "^importmap" importcfg > linkcfg
exec go tool link -importcfg linkcfg -s -w -o "$made" main.a
