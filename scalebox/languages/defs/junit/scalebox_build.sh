# Compile a program, then the test files that lie beside it. Arguments: the tool folder; the jars of JUnit; the program.
# Status 86: the test files are at fault. What the compiler says of them is not shown, for it quotes them.
jars=$2 program=$3
compile() {
  javac -J-XX:+UseSerialGC -J-XX:-UsePerfData -J-XX:TieredStopAtLevel=1 -J-Xmx768m -J-Xss64m -encoding UTF-8 -proc:none -nowarn -Xlint:none -Xmaxerrs 20 "$@"
}
compile -cp "$jars" -d classes "$program" >&2 || exit 1

# Names that test files mean the library's by, and that a class of the program in their package would stand for: what they do not import one by one.
LANGUAGE='org java javax Object String Integer Long Short Byte Character Boolean Double Float Number Math StrictMath StringBuilder System Iterable Comparable Enum Record Throwable Exception RuntimeException Error AssertionError Thread Override'
UTIL='Arrays Objects Collections List ArrayList LinkedList Map HashMap LinkedHashMap TreeMap Set HashSet LinkedHashSet TreeSet Optional OptionalInt'
FRAMEWORK='Test ParameterizedTest RepeatedTest TestFactory TestTemplate TestInstance TestMethodOrder Order Nested Disabled Ignore DisplayName Tag Timeout BeforeEach AfterEach BeforeAll AfterAll Before After BeforeClass AfterClass Assertions Assumptions Assert Assume Executable DynamicTest DynamicNode DynamicContainer ValueSource CsvSource CsvFileSource MethodSource EnumSource ArgumentsSource Arguments NullSource EmptySource NullAndEmptySource ExtendWith RunWith Parameterized Parameters Rule ClassRule ExpectedException TempDir MatcherAssert Matchers Matcher CoreMatchers'
taken() {
  for file in "$@"; do
    folder=$(sed -n 's/^[ \t]*package[ \t][ \t]*\([A-Za-z0-9_.]*\).*/\1/p' "$file" | head -n 1 | tr . /)
    meant=" $LANGUAGE "
    grep -q '^[ \t]*import[ \t][ \t]*java\.util\.\*' "$file" && meant="$meant$UTIL "
    grep -q '^[ \t]*import[ \t][ \t]*org\.[a-z0-9.]*\.\*' "$file" && meant="$meant$FRAMEWORK "
    for class in classes/${folder:+$folder/}*.class; do
      name=$(basename "$class" .class)
      case $meant in *" $name "*) ;; *) continue ;; esac
      if ! grep -q "^[ \t]*import[ \t].*\.$name[ \t]*;" "$file" && grep -q "\(^\|[^A-Za-z0-9_\$.]\)$name\($\|[^A-Za-z0-9_\$]\)" "$file"; then
        echo "error: $name is a name that the test files need" >&2
        exit 1
      fi
    done
  done
}
tests=$(find . -name '*.java' ! -path "./$program")
if [ -z "$tests" ]; then
  from=classes
else
  from=tests
  taken $tests
  # Jars first: a program that brings its own Assertions is not what the tests are compiled with.
  compile -XDrawDiagnostics -cp "$jars:classes" -d tests $tests > said 2>&1 || {
    if grep -q 'compiler\.err\.\(expected\|illegal\|premature\|unclosed\|not\.stmt\|invalid\|orphaned\|else\.without\|catch\.without\|try\.without\)' said; then
      echo "a test file is no Java" >&2
      exit 86
    fi
    if grep -q 'compiler\.err\.doesnt\.exist: \(org\|com\|net\|io\)\.\(junit\|mockito\|assertj\|hamcrest\|google\|apache\|testng\|jmock\|easymock\)' said; then
      echo "a test file uses a library that is not here" >&2
      exit 86
    fi
    sed -n 's/.*compiler\.err\.cant\.resolve[a-z.]*: kindname\.\([a-z]*\), \([A-Za-z0-9_$]*\),.*/error: cannot find \1 \2/p' said | sort -u >&2
    echo "error: the test files do not compile with this program" >&2
    exit 1
  }
fi
(cd "$from" && find . -name '*.class' ! -name '*$*' | sed 's|^\./||; s|\.class$||; s|/|.|g' | sort) > list
[ "$from" = classes ] || cp -r tests/. classes/
# What the test files read: on the class path as it lies here, and as Maven and Gradle have it.
if [ "$from" = tests ]; then
  for root in . src/main/resources src/test/resources; do
    [ ! -d "$root" ] || (cd "$root" && find . -type f ! -name '*.java' ! -name '*.class' ! -path './classes/*' ! -path './tests/*' ! -path ./said ! -path ./list ! -path ./scalebox_build.sh) | sed 's|^\./||' |
      while IFS= read -r file; do
        mkdir -p "$(dirname "classes/$file")" && cp "$root/$file" "classes/$file" || exit 86
      done || exit 86
  done
fi
mv list classes/scalebox-tests
