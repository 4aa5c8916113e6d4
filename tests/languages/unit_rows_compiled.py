"""Test files of `go test` and JUnit, and programs with the verdicts that are due."""

from __future__ import annotations

from functools import partial
from typing import Final

from languages.unit_rows import Row

from scalebox.core.verdict import Verdict

GO_TEST: Final = """\
package solution

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	ready = true
	os.Exit(m.Run())
}

var ready bool

func TestAdd(t *testing.T) {
	t.Run("small", func(t *testing.T) {
		if !ready || Add(2, 3) != 5 {
			t.Error("no")
		}
	})
}

func TestParallel(t *testing.T) {
	t.Parallel()
	if Add(4, 5) != 9 {
		t.Error("no")
	}
}
"""
GO_OUTSIDE: Final = """\
package calc_test

import (
	"testing"

	"example.com/some/calc"
)

func TestDouble(t *testing.T) {
	if calc.Double(2) != 4 {
		t.Fatal("no")
	}
}
"""
GO_RIGHT: Final = "package solution\n\nfunc Add(a, b int) int { return a + b }\n"
GO_WRONG: Final = 'package solution\n\nimport (\n\t"os"\n\t"testing"\n)\n\nvar _ = os.Args\n\nfunc Spare(t *testing.T) {}\n\nfunc Add(a, b int) int { return 5 }\n'
GO_FORGED: Final = '{"token":"","end":"finished","message":"","tests":[["TestAdd","passed",true,""],["TestParallel","passed",true,""]]}\\n'
GO_LEAVES: Final = """\
package solution

import (
	"os"
	"runtime"
)

func Add(a, b int) int {
	go func() {
		for {
			if info, err := os.Stat("/proc/self/fd/4"); err != nil || info.Size() > 100 {
				os.Exit(0) // once the report is written, before the framework says that a test was ended
			}
		}
	}()
	runtime.Goexit()
	return 0
}
"""
GO_COLLECTS: Final = "".join(
    f"\nfunc TestCollect{n}(t *testing.T) {{\n\truntime.GC()\n\ttime.Sleep(time.Millisecond)\n\tif Add({n}, 1) != {n + 1} {{\n\t\tt.Fatal()\n\t}}\n}}\n"
    for n in range(5)
)
go = partial(Row, hardened=False, files={"solution_test.go": GO_TEST})

GO_ROWS: Final = [
    go(id="right", source=GO_RIGHT, verdict=Verdict.AC),
    go(
        id="memory-collected-between-tests",
        files={
            "solution_test.go": 'package solution\n\nimport (\n\t"runtime"\n\t"testing"\n\t"time"\n)\n' + GO_COLLECTS
        },
        source=GO_RIGHT,
        verdict=Verdict.AC,
    ),
    go(
        id="wrong-in-a-parallel-test",
        source=GO_WRONG,
        verdict=Verdict.WA,
        share=1 / 2,
        tests={"TestAdd": "passed", "TestParallel": "failed"},
    ),
    go(
        id="a-package-outside",
        files={"calc_test.go": GO_OUTSIDE, "go.mod": "module example.com/some/calc\n"},
        source="package calc\n\nfunc Double(n int) int { return 2 * n }\n",
        program="calc.go",
        verdict=Verdict.AC,
    ),
    go(
        id="its-own-test-main",
        files={
            "solution_test.go": GO_TEST.replace("TestMain(m", "otherMain(m").replace(
                "var ready bool", "var ready = true"
            )
        },
        source=GO_WRONG + "\nfunc TestMain(m *testing.M) { os.Exit(0) }\n",
        verdict=Verdict.WA,
    ),
    go(id="leaves-at-once", source=GO_WRONG + "\nfunc init() { os.Exit(0) }\n", verdict=Verdict.RTE, share=0.0),
    go(
        id="forges-a-report",
        source=GO_WRONG
        + f'\nfunc init() {{\n\tos.NewFile(4, "").WriteString("{GO_FORGED.replace(chr(34), chr(92) + chr(34))}")\n\tos.Exit(0)\n}}\n',
        verdict=Verdict.RTE,
        share=0.0,
    ),
    go(
        id="runs-no-test",
        source=GO_WRONG + '\nfunc init() { os.Args = append(os.Args, "-test.run=^$") }\n',
        verdict=Verdict.WA,
    ),
    go(
        id="leaves-where-it-is-called",
        source='package solution\n\nimport "os"\n\nfunc Add(a, b int) int { os.Exit(0); return 0 }\n',
        verdict=Verdict.RTE,
    ),
    go(
        id="ends-the-test",
        source='package solution\n\nimport "runtime"\n\nfunc Add(a, b int) int { runtime.Goexit(); return 0 }\n',
        verdict=Verdict.RTE,
    ),
    go(id="panics", source="package solution\n\nfunc Add(a, b int) int { panic(1) }\n", verdict=Verdict.RTE),
    go(
        id="ends-the-test-and-leaves",
        files={
            "solution_test.go": 'package solution\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) { Add(1, 2) }\n'
        },
        source=GO_LEAVES,
        verdict=Verdict.WA,
        tests={"TestAdd": "failed"},
    ),
    go(id="build-tags", source="//go:build ignore\n\n" + GO_WRONG, verdict=Verdict.WA),
    go(
        id="a-name-that-is-missing",
        source="package solution\n\nfunc Sum(a, b int) int { return a + b }\n",
        verdict=Verdict.CE,
        hardened=True,
    ),
    go(id="another-package", source=GO_RIGHT.replace("solution", "main"), verdict=Verdict.CE, hardened=True),
    go(
        id="skips-inside-a-test",
        files={
            "solution_test.go": 'package solution\n\nimport "testing"\n\nfunc TestA(t *testing.T) {\n\tif Add(1, 1) != 2 {\n\t\tt.Skip()\n\t}\n}\n'
        },
        source=GO_WRONG,
        verdict=Verdict.WA,
        tests={"TestA": "skipped"},
    ),
    go(
        id="tests-that-do-not-compile",
        files={"solution_test.go": "package solution\n\nfunc TestA(\n"},
        source=GO_RIGHT,
        verdict=Verdict.JE,
        hardened=True,
    ),
    go(
        id="no-tests",
        files={"solution_test.go": "package solution\n"},
        source=GO_RIGHT,
        verdict=Verdict.JE,
        hardened=True,
    ),
    go(
        id="tests-that-want-what-is-not-here",
        files={
            "calc_test.go": GO_OUTSIDE.replace('"testing"\n', '"testing"\n\t"github.com/stretchr/testify/assert"\n')
        },
        source="package calc\n\nfunc Double(n int) int { return 2 * n }\n",
        program="calc.go",
        verdict=Verdict.JE,
        hardened=True,
    ),
]

GO_TABLE: Final = """\
/*
package other is not what this is

func TestOld(t *testing.T) {
*/
package solution

import "testing"

const text = `
func TestText(t *testing.T) {
`

func TestPrime(t *testing.T) {
	for _, row := range []struct {
		n   int
		due bool
	}{{2, true}, {4, false}} {
		t.Run("row", func(t *testing.T) {
			if IsPrime(row.n) != row.due {
				t.Error("no")
			}
		})
	}
}
"""
GO_DATA: Final = """\
package solution

import (
	"os"
	"testing"
)

func TestData(t *testing.T) {
	if data, err := os.ReadFile("testdata/x.txt"); err != nil || Add(len(data), 0) != 2 {
		t.Fatal(err)
	}
}
"""
GO_SHAPES: Final = "package solution\n\ntype Shape int\n"
GO_FALSE: Final = 'package solution\n\nimport (\n\t"flag"\n\t"os"\n\t"testing"\n)\n\nvar _, _, _ = os.Args, flag.Parse, testing.Short\n\nfunc IsPrime(n int) bool { return false }\n'
table = partial(Row, hardened=False, files={"solution_test.go": GO_TABLE})
GO_MORE: Final = """\
package solution

import (
	"fmt"
	"testing"
)

const text = `
func ExampleText() {
	// Output: 5
}
`

func TestAdd(t *testing.T) {
	if Add(1, 2) != 3 {
		t.Error("no")
	}
}

func FuzzAdd(f *testing.F) {
	f.Add(20, 22)
	f.Fuzz(func(t *testing.T, a, b int) {
		if Add(a, b) != a+b {
			t.Error("no")
		}
	})
}

func ExampleAdd() {
	// It says:
	fmt.Println(Add(40, 2))
	fmt.Println(`a "b" \\n`)

	// Output:
	// 42
	// a "b" \\n
}

func ExampleAdd_unordered() {
	for i := 2; i >= 0; i-- {
		fmt.Println("no", Add(i, 0))
	}
	// Unordered output: no 0
	// no 1
	// no 2
}

func ExampleAdd_silent() {
	panic(Add(1, 1))
}
"""
GO_UNCLEAR: Final = GO_MORE.replace("	// Output:\n	// 42", "	/* Output:\n	42 */")
GO_SOWN: Final = {"solution_test.go": GO_MORE, "testdata/fuzz/FuzzAdd/x": "go test fuzz v1\nint(7)\nint(8)\n"}
GO_ONLY: Final = 'package solution_test\n\nimport (\n\t"fmt"\n\n\t"solution"\n)\n\nfunc ExampleAdd() {\n\tfmt.Println(solution.Add(1, 1))\n\t// Output: 2\n}\n'
more = partial(Row, hardened=False, files=GO_SOWN)
GO_EXAMPLES: Final = [
    more(
        id="fuzz-seeds-and-examples",
        source=GO_RIGHT,
        verdict=Verdict.AC,
        tests={"TestAdd": "passed", "FuzzAdd": "passed", "ExampleAdd": "passed", "ExampleAdd_unordered": "passed"},
    ),
    more(
        id="a-seed-fails",
        source="package solution\n\nfunc Add(a, b int) int {\n\tif a == 20 {\n\t\treturn 0\n\t}\n\treturn a + b\n}\n",
        verdict=Verdict.WA,
        tests={"TestAdd": "passed", "FuzzAdd": "failed", "ExampleAdd": "passed"},
    ),
    more(
        id="a-kept-seed-fails",
        source="package solution\n\nfunc Add(a, b int) int {\n\tif a == 7 {\n\t\treturn 0\n\t}\n\treturn a + b\n}\n",
        verdict=Verdict.WA,
        share=3 / 4,
        tests={"TestAdd": "passed", "FuzzAdd": "failed", "ExampleAdd": "passed"},
    ),
    more(
        id="an-example-fails",
        source="package solution\n\nfunc Add(a, b int) int {\n\tif a == 40 {\n\t\treturn 0\n\t}\n\treturn a + b\n}\n",
        verdict=Verdict.WA,
        tests={"FuzzAdd": "passed", "ExampleAdd": "failed", "ExampleAdd_unordered": "passed"},
    ),
    more(
        id="leaves-in-an-example",
        source='package solution\n\nimport "os"\n\nfunc Add(a, b int) int {\n\tif a == 40 {\n\t\tos.Exit(0)\n\t}\n\treturn a + b\n}\n',
        verdict=Verdict.RTE,
    ),
    more(
        id="its-own-examples",
        source=GO_WRONG + "\nfunc ExampleOwn() {\n\t// Output:\n}\n",
        verdict=Verdict.WA,
        tests={"TestAdd": "failed", "FuzzAdd": "failed", "ExampleAdd": "failed"},
    ),
    more(
        id="an-example-that-is-unclear",
        files={"solution_test.go": GO_UNCLEAR},
        source=GO_RIGHT,
        verdict=Verdict.JE,
        hardened=True,
    ),
    more(id="an-example-alone", files={"solution_test.go": GO_ONLY}, source=GO_RIGHT, verdict=Verdict.AC),
    more(id="an-example-alone-fails", files={"solution_test.go": GO_ONLY}, source=GO_WRONG, verdict=Verdict.WA),
]
GO: Final = [
    *GO_ROWS,
    *GO_EXAMPLES,
    table(
        id="names-in-comments-and-texts-are-no-tests",
        source="package solution\n\nfunc max(a, b int) int { return a }\n\nfunc IsPrime(n int) bool { return max(n, 0) == 2 }\n",
        verdict=Verdict.AC,
        tests={"TestPrime": "passed"},
    ),
    table(id="no-prime", source=GO_FALSE, verdict=Verdict.WA),
    *(
        table(id=f"runs-no-subtest-{name}", source=f"{GO_FALSE}\nfunc init() {{ {attack} }}\n", verdict=Verdict.WA)
        for name, attack in (
            ("by-words", 'os.Args = append(os.Args, "-test.run=./^$")'),
            ("by-a-skip", 'os.Args = append(os.Args, "-test.skip=./.")'),
            ("by-a-flag", 'testing.Init(); flag.Set("test.run", "./^$")'),
            (
                "by-other-flags",
                'testing.Init(); flag.Set("test.run", "./^$"); flag.CommandLine = flag.NewFlagSet("", flag.ExitOnError)',
            ),
        )
    ),
    table(id="another-true", source=GO_FALSE + "\nconst true = false\n", verdict=Verdict.CE, hardened=True),
    *(
        go(id=name, files={"solution_test.go": GO_TEST, "shapes.go": GO_SHAPES}, source=source, verdict=verdict)
        for name, source, verdict in (
            ("uses-what-the-tests-bring", GO_RIGHT.replace("a + b", "int(Shape(a)) + b"), Verdict.AC),
            ("wrong-beside-what-the-tests-bring", GO_WRONG, Verdict.WA),
        )
    ),
    go(
        id="reads-data",
        files={"solution_test.go": GO_DATA, "testdata/x.txt": "hi"},
        source=GO_RIGHT,
        verdict=Verdict.AC,
    ),
]

JUNIT_TEST: Final = """\
import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SolutionTest {
    @Test
    void adds() {
        assertEquals(5, new Solution().add(2, 3));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void doubles(int n) {
        assertEquals(2 * n, new Solution().add(n, n));
    }

    @Nested
    class Inside {
        @Test
        void thrown() {
            assertThrows(ArithmeticException.class, () -> new Solution().add(Integer.MAX_VALUE, 1));
        }
    }

    @Test
    @Disabled("not yet")
    void later() {
        fail();
    }
}
"""
JUNIT_4: Final = """\
import static org.junit.Assert.assertEquals;

import org.junit.Before;
import org.junit.Test;

public class OldTest {
    private Solution solution;

    @Before
    public void setUp() {
        solution = new Solution();
    }

    @Test
    public void adds() {
        assertEquals(5, solution.add(2, 3));
    }
}
"""
JAVA_RIGHT: Final = (
    "public class Solution {\n    public int add(int a, int b) {\n        return Math.addExact(a, b);\n    }\n}\n"
)
JAVA_WRONG: Final = "public class Solution {\n    public int add(int a, int b) {\n        return 5;\n    }\n}\n"
JAVA_FORGED: Final = '{\\"token\\":\\"\\",\\"end\\":\\"finished\\",\\"message\\":\\"\\",\\"tests\\":[[\\"SolutionTest#adds\\",\\"passed\\",true,\\"\\"]]}\\n'
FORGES: Final = f"""
    static {{
        try (java.io.FileOutputStream out = new java.io.FileOutputStream("/dev/fd/4", true)) {{
            out.write("{JAVA_FORGED}".getBytes());
        }} catch (java.io.IOException error) {{
        }}
        Runtime.getRuntime().halt(0);
    }}
"""
java = partial(Row, hardened=False, files={"SolutionTest.java": JUNIT_TEST})


def with_member(text: str) -> str:
    """A wrong program with something more in its class."""
    return JAVA_WRONG.replace("Solution {", "Solution {" + text)


JUNIT_ALL: Final = """\
import java.util.*;
import org.junit.jupiter.api.*;

class SolutionTest {
    @Test
    void adds() {
        Assertions.assertEquals(List.of(5), List.of(new Solution().add(2, 3)));
    }

    @Test
    void overflows() {
        Assertions.assertEquals(Integer.valueOf(9), (Object) new Solution().add(4, 5));
    }
}
"""
JUNIT_MACHINE: Final = """\
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.condition.*;

class SolutionTest {
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void here() {
        Assertions.assertEquals(6, new Solution().add(2, 4));
    }

    @Test
    @EnabledOnOs(OS.WINDOWS)
    void elsewhere() {
        Assertions.fail();
    }
}
"""
JUNIT_DATA: Final = """\
package it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Scanner;
import org.junit.jupiter.api.Test;

class SolutionTest {
    @Test
    void reads() throws Exception {
        int due = new Scanner(getClass().getResourceAsStream("data.txt")).nextInt();
        assertEquals(due, new Solution().add(2, due - 2));
        assertEquals(due, new Scanner(ClassLoader.getSystemResourceAsStream("it/data.txt")).nextInt());
    }
}
"""
wild = partial(Row, files={"SolutionTest.java": JUNIT_ALL})
JUNIT: Final = [
    wild(id="on-demand", source=JAVA_RIGHT, verdict=Verdict.AC, hardened=False),
    *(
        wild(id=f"another-{name}", source=f"{JAVA_WRONG}{text}\n", verdict=Verdict.CE)
        for name, text in (
            ("assertions", "class Assertions { static void assertEquals(Object a, Object b) { } }"),
            ("test", "@interface Test { }"),
            ("integer", "class Integer { static Object valueOf(int n) { return 5; } }"),
            ("list", "class List { static int of(int n) { return 0; } }"),
        )
    ),
    *(
        java(
            id=f"data-{name}-{verdict.value}",
            files={"it/SolutionTest.java": JUNIT_DATA, path: "6"},
            source=f"package it;\n\n{source}",
            verdict=verdict,
            reason=reason,
        )
        for name, path in (
            ("beside", "it/data.txt"),
            ("as-maven-has-it", "src/test/resources/it/data.txt"),
        )
        for source, verdict, reason in ((JAVA_RIGHT, Verdict.AC, ""), (JAVA_WRONG, Verdict.WA, "SolutionTest"))
    ),
    java(
        id="names-that-the-tests-do-not-need",
        files={"SolutionTest.java": JUNIT_ALL.replace("import java.util.*", "import java.util.List")},
        source=JAVA_RIGHT + "class Assert { }\nclass Node { }\nclass Set { }\nclass List { }\n",
        verdict=Verdict.AC,
    ),
    java(
        id="skips-by-the-machine",
        files={"SolutionTest.java": JUNIT_MACHINE},
        source=JAVA_RIGHT,
        verdict=Verdict.AC,
        tests={"SolutionTest#elsewhere": "skipped"},
    ),
    java(
        id="another-machine",
        files={"SolutionTest.java": JUNIT_MACHINE},
        source=with_member('\n    static { System.setProperty("os.name", "Windows"); }'),
        verdict=Verdict.WA,
        tests={"SolutionTest#here": "failed"},
    ),
    java(
        id="a-skip-that-the-program-decides",
        files={"SolutionTest.java": JUNIT_MACHINE.replace("@DisabledOnOs(OS.WINDOWS)", '@EnabledIf("Solution#ready")')},
        source=with_member("\n    static boolean ready() { return false; }"),
        verdict=Verdict.WA,
        tests={"SolutionTest#here": "skipped"},
    ),
    java(
        id="right",
        source=JAVA_RIGHT,
        verdict=Verdict.AC,
        tests={"SolutionTest#adds": "passed", "SolutionTest#later": "skipped", "SolutionTest$Inside#thrown": "passed"},
    ),
    java(
        id="wrong",
        source=JAVA_WRONG,
        verdict=Verdict.WA,
        share=1 / 4,
        tests={"SolutionTest#adds": "passed", "SolutionTest#doubles[1]": "failed"},
    ),
    java(id="junit-4", files={"OldTest.java": JUNIT_4}, source=JAVA_RIGHT, verdict=Verdict.AC),
    java(
        id="junit-4-wrong", files={"OldTest.java": JUNIT_4.replace("5,", "6,")}, source=JAVA_RIGHT, verdict=Verdict.WA
    ),
    java(
        id="a-package",
        files={
            "calc/CalcTest.java": "package calc;\n" + JUNIT_4.replace("OldTest", "CalcTest").replace("Solution", "Calc")
        },
        source="package calc;\n" + JAVA_RIGHT.replace("Solution", "Calc"),
        verdict=Verdict.AC,
    ),
    java(
        id="halts-when-loaded",
        source=with_member("\n    static { Runtime.getRuntime().halt(0); }"),
        verdict=Verdict.RTE,
        share=0.0,
    ),
    java(
        id="exits-when-loaded", source=with_member("\n    static { System.exit(0); }"), verdict=Verdict.RTE, share=0.0
    ),
    java(id="forges-a-report", source=with_member(FORGES), verdict=Verdict.RTE, share=0.0),
    java(
        id="exits-at-the-end",
        source=with_member(
            "\n    static { Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0))); }"
        ),
        verdict=Verdict.WA,
    ),
    java(
        id="aborts-the-tests",
        source=JAVA_WRONG.replace("return 5", "throw new org.opentest4j.TestAbortedException()"),
        verdict=Verdict.WA,
        tests={"SolutionTest#adds": "skipped"},
    ),
    java(
        id="brings-the-test-class",
        source=JAVA_WRONG + "class SolutionTest {\n    void adds() {\n    }\n}\n",
        verdict=Verdict.WA,
    ),
    java(
        id="brings-the-assertions",
        source="package org.junit.jupiter.api;\npublic class Assertions {\n    public static void assertEquals(int a, int b) {\n    }\n}\n",
        verdict=Verdict.CE,
        hardened=True,
    ),
    java(id="a-name-that-is-missing", source=JAVA_RIGHT.replace("add(", "sum("), verdict=Verdict.CE, hardened=True),
    java(
        id="tests-that-do-not-compile",
        files={"SolutionTest.java": "class SolutionTest {\n"},
        source=JAVA_RIGHT,
        verdict=Verdict.JE,
        hardened=True,
    ),
    java(
        id="tests-that-want-what-is-not-here",
        files={"SolutionTest.java": "import org.mockito.Mockito;\n" + JUNIT_TEST},
        source=JAVA_RIGHT,
        verdict=Verdict.JE,
        hardened=True,
    ),
    java(
        id="no-tests", files={"SolutionTest.java": "class SolutionTest {\n}\n"}, source=JAVA_RIGHT, verdict=Verdict.JE
    ),
]

JEST_TEST: Final = """\
const { add } = require("./solution");
const assert = require("node:assert");

describe("add", () => {
    test("five", () => expect(add(2, 3)).toBe(5));
    test("nine", () => expect({ sum: add(4, 5) }).toEqual({ sum: 9 }));
});
test("later", async () => assert.deepStrictEqual([await add(1, 1)], [2]));
test.skip("not yet", () => expect(1).toBe(2));
test.todo("more");
"""
JEST_MODULE: Final = """\
import { add, Sum } from "./solution";

it("adds", () => {
    const sum: Sum = { value: add(2, 3) };
    expect(sum.value).toBe(5);
});
"""
JS_RIGHT: Final = "module.exports.add = (a, b) => a + b;\n"
JS_WRONG: Final = "module.exports.add = (a, b) => 5;\n"
JS_FORGED: Final = (
    '{"token":"","end":"finished","message":"","tests":[["solution.test.js > add > five","passed",true,""]]}\\n'
)
JEST_VALUES: Final = """\
const { point, text } = require("./solution");

test("point", () => expect(point()).toEqual({ x: 1, ys: [2, 3] }));
test("text", () => {
    expect(text()).toContain("needle");
    expect(text()).toMatch(/ne+dle/);
});
"""
JEST_OWN: Final = """\
expect.extend({ toBeOdd: (n) => ({ pass: n % 2 === 1, message: () => "even" }) });
const near = (a, b) => (typeof a === "number" && typeof b === "number" ? Math.abs(a - b) < 1 : undefined);

test("own", async () => {
    expect(3).toBeOdd();
    expect.addEqualityTesters([near]);
    expect(point()).toEqual({ x: 1.5, ys: [2, 3] });
    expect(point()).toEqual({ x: expect.any(Number), ys: expect.arrayContaining([2]) });
    await expect(Promise.resolve(point())).resolves.toMatchObject({ x: 1 });
    const told = jest.fn();
    told(1, point());
    expect(told).toHaveBeenCalledWith(1, expect.objectContaining({ x: 1 }));
    const round = {};
    round.round = round;
    expect(round).toEqual(round);
});
"""
JS_KINDS: Final = """\
class Own extends Array { indexOf(x) { return 1; } }
function Old() {}
Old.prototype = Object.create(Array.prototype);
Old.prototype.push = function (x) { return 7; };
if (new Old().push(1) !== 7 || new Own().indexOf(1) !== 1) throw new Error("no kinds of its own");
Array.prototype.last = function () { return this[this.length - 1]; };
for (let i = 0; i < 20000; i++) console.log(i);
exports.point = () => ({ x: 1, ys: [2, [3].last()] });
exports.text = () => "a needle";
"""
jest = partial(Row, hardened=False, files={"solution.test.js": JEST_TEST})

JEST: Final = [
    jest(
        id="right",
        source=JS_RIGHT,
        verdict=Verdict.AC,
        tests={"solution.test.js > not yet": "skipped", "solution.test.js > more": "skipped"},
    ),
    jest(
        id="wrong",
        source=JS_WRONG,
        verdict=Verdict.WA,
        share=1 / 3,
        tests={"solution.test.js > add > five": "passed", "solution.test.js > add > nine": "failed"},
        reason="1 of 3 tests passed; solution.test.js failed",
    ),
    jest(
        id="types-and-modules",
        files={"solution.test.ts": JEST_MODULE},
        source="export interface Sum { value: number }\nexport function add(a: number, b: number): number { return a + b; }\n",
        language="typescript",
        verdict=Verdict.AC,
    ),
    jest(
        id="names-of-its-own-by-assignment",
        source='"use strict";\n'
        + JS_RIGHT
        + "const own = {};\nown.hasOwnProperty = () => 7;\nfunction told() {}\ntold.toString = () => 'mine';\nclass Own extends Array {}\nOwn.from = () => 8;\n"
        "const list = new Own();\nlist.find = () => 9;\n"
        "if (own.hasOwnProperty() + Own.from() + list.find() !== 24 || String(told) !== 'mine') throw new Error('not its own');\n",
        verdict=Verdict.AC,
    ),
    jest(id="a-name-that-is-missing", source="module.exports.sum = 1;\n", verdict=Verdict.WA, share=0.0),
    jest(id="throws-when-loaded", source="throw new Error('no');\n", verdict=Verdict.WA, share=0.0),
    jest(id="leaves-when-loaded", source="process.exit(0);\n", verdict=Verdict.RTE, share=0.0),
    jest(id="really-leaves", source="process.reallyExit(0);\n", verdict=Verdict.RTE, share=0.0),
    jest(id="ends-itself", source="process.kill(process.pid, 'SIGKILL');\n", verdict=Verdict.RTE, share=0.0),
    jest(
        id="forges-a-report",
        source=f"require('fs').writeSync(4, '{JS_FORGED}');\nprocess.reallyExit(0);\n",
        verdict=Verdict.RTE,
        share=0.0,
    ),
    *(
        jest(id=name, source=attack + JS_WRONG, verdict=Verdict.WA)
        for name, attack in (
            ("another-test", "globalThis.test = global.it = () => {};\n"),
            ("another-expect", "globalThis.expect = () => new Proxy({}, { get: () => () => {} });\n"),
            (
                "another-matcher",
                "try { expect.extend({ toBe: () => ({ pass: true }), toEqual: () => ({ pass: true }) }); } catch { }\n",
            ),
            ("another-comparison", "Object.is = () => true;\n"),
            ("another-assert", "require('assert').deepStrictEqual = () => {};\n"),
            ("a-test-of-its-own", "test.only('mine', () => {});\n"),
            ("a-skip", "describe.skip('x', () => {});\ntry { test.skip.each = 1; } catch { }\n"),
            (
                "another-configuration",
                "require('fs').writeFileSync('jest.config.js', 'module.exports = { testMatch: [] }');\n",
            ),
            ("an-exit-code", "process.on('exit', () => { process.exitCode = 0; });\n"),
        )
    ),
    jest(
        id="writes-over-the-next-file",
        files={"a.test.js": JEST_TEST, "b.test.js": JEST_TEST},
        source="const fs = require('fs');\nfor (const f of ['a.test.js', 'b.test.js']) fs.writeFileSync(f, 'test(\"x\", () => {});');\n"
        + JS_WRONG,
        verdict=Verdict.WA,
        tests={"b.test.js > add > nine": "failed"},
    ),
    jest(
        id="a-matcher-is-no-value",
        files={"solution.test.js": JEST_VALUES},
        source="exports.point = () => expect.anything();\nexports.text = () => 'needle';\n",
        verdict=Verdict.WA,
        tests={"solution.test.js > point": "failed", "solution.test.js > text": "passed"},
    ),
    *(
        jest(
            id=f"values-{name}",
            files={"solution.test.js": JEST_VALUES},
            source=f"{attack}\nexports.point ??= () => ({{ x: 2 }});\nexports.text = () => 'no';\n",
            verdict=Verdict.WA,
            tests={"solution.test.js > text": "failed"},
        )
        for name, attack in (
            ("that-say-they-are-equal", "exports.point = () => ({ asymmetricMatch: () => true });"),
            (
                "deep-inside",
                "exports.point = () => ({ x: { asymmetricMatch: () => true }, ys: { asymmetricMatch: () => true } });",
            ),
            (
                "by-another-store",
                "const m = globalThis[Symbol.for('$$jest-matchers-object')].matchers;\nfor (const k of Object.keys(m)) m[k] = () => ({ pass: true });",
            ),
            ("by-another-method", "String.prototype.includes = String.prototype.indexOf = () => 1;"),
            ("by-another-expression", "RegExp.prototype.test = RegExp.prototype.exec = () => [1];"),
            (
                "by-other-tests",
                "for (const s of Object.getOwnPropertySymbols(globalThis)) {\n  const v = globalThis[s];\n  if (v && v.rootDescribeBlock) Promise.resolve().then(() => v.rootDescribeBlock.children.forEach((c) => { c.fn = () => {}; }));\n"
                "  if (Array.isArray(v)) try { v.unshift((e) => { if (e.test) e.test.errors.length = 0; }); } catch { }\n}",
            ),
            (
                "by-another-report",
                "require('fs').readFile.constructor(\"const m = Array.prototype.map; Array.prototype.map = function (f) { const r = m.call(this, f); for (const x of r) if (Array.isArray(x) && typeof x[2] === 'boolean') x[1] = 'passed'; return r; }; const x = process.reallyExit; process.reallyExit = () => x.call(process, 0)\")();",
            ),
        )
    ),
    jest(
        id="testers-of-the-programs",
        files={"solution.test.js": JEST_VALUES},
        source="try { expect.addEqualityTesters([() => true]); } catch { }\nexports.point = () => 5;\nexports.text = () => 'needle';\n",
        verdict=Verdict.WA,
        tests={"solution.test.js > point": "failed"},
    ),
    jest(
        id="matchers-and-testers-of-the-tests",
        files={"solution.test.js": JEST_VALUES + JEST_OWN},
        source=JS_KINDS,
        verdict=Verdict.AC,
    ),
    jest(id="no-tests", files={"solution.test.js": "require('./solution');\n"}, source=JS_RIGHT, verdict=Verdict.JE),
    jest(
        id="tests-that-do-not-compile",
        files={"solution.test.js": "test('x', () => {\n"},
        source=JS_RIGHT,
        verdict=Verdict.JE,
    ),
]
