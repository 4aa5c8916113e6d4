"""Kotlin."""

from __future__ import annotations

from typing import Final

from languages.typed_rows import MANY, VALUES, Programs, Row

_EVERYTHING: Final = """
import java.util.TreeMap
fun f(ints: MutableList<Int>, grid: Array<IntArray>, big: Long, x: Double, words: List<String>, truth: Boolean, none: Int?,
      named: Map<String, List<Int>>, numbered: TreeMap<Long, String>): List<Any?> {
    ints.reverse()
    return listOf(ints, grid + intArrayOf(9), big, doubleArrayOf(x, 1e300, 1e-9, 3.0, Double.NaN, -1 / 0.0), words.reversed(), !truth, none, named, numbered)
}
"""

_FUNCTIONS: Final = [
    Row(
        language="kotlin",
        source="class Solution {\n    fun twoSum(nums: IntArray, target: Int): IntArray = intArrayOf(nums[0], target)\n}",
        function="twoSum",
        args=[[1], 2],
        answer=[1, 2],
    ),
    Row(
        language="kotlin",
        source="package a.b\nobject Solution { fun f(s: String): Int = f(s, 1)\n    private fun f(s: String, n: Int): Int = s.length + n }\nfun main() { System.exit(0) }",
        args=["abc"],
        answer=4,
    ),
    Row(
        language="kotlin",
        source="class Solution { fun f(): Int = 1 }\nfun <T : Comparable<T>> g(x: T): T = x\n"
        "fun f(s: Set<Char>, p: Pair<Int, Char?>, t: ULong, b: UByte, memo: MutableMap<Int, Int> = mutableMapOf()): Triple<Int, Char?, List<ULong>> =\n"
        "    Triple(s.size, p.second, listOf(t, t - b))",
        args=[{"$set": ["a", "b"]}, {"$tuple": [1, None]}, 2**64 - 1, 255],
        answer=[2, None, [2**64 - 1, 2**64 - 256]],
    ),
    Row(
        language="kotlin",
        source='import java.math.*\nfun f(x: BigInteger, d: BigDecimal, q: ArrayDeque<Float>): Sequence<Any> = sequenceOf(x * x, d + BigDecimal("0.5"), q.removeLast(), 1u, 1..3)',
        args=[-(2**70), 0.5, [1, 0.1]],
        answer=[2**140, 1, 0.1, 1, [1, 2, 3]],
    ),
    Row(
        language="kotlin",
        source="fun f(x: Any?): Any? = x",
        args=[[1, "a", None, [True, 2.5], 2**40, {"k": 1}]],
        answer=[1, "a", None, [True, 2.5], 2**40, {"k": 1}],
    ),
    Row(
        language="kotlin",
        source="fun f(m: Map<Int, Set<Pair<Int, Int>>>): Set<Int> = m.values.flatten().map { it.first }.toSet()",
        args=[{"3": [[5, 6]]}],
        answer={"$set": [5]},
    ),
    Row(language="kotlin", source='fun f(): String = ""', args=[], answer=""),
    Row(language="kotlin", source="fun f(v: IntArray) { v[0] = 4 }", args=[[1]], answer=[4], mutated=0),
    Row(
        language="kotlin",
        source='class Solution { fun f(k: Int, v: MutableList<MutableList<String>>): Unit { v[0].add("x") } }',
        args=[1, [["a"]]],
        answer=[["a", "x"]],
        mutated=1,
    ),
]

_NAMES: Final = [
    Row(
        language="kotlin",
        source="""@file:Suppress("UNUSED")
@file:JvmName("ScaleBox")
/* Comments nest: /* this */ is { still one. */
class String; class Int; class Any; class Array<T>; class List<T>; class Pair<A, B>; class Iterable<T>; class Unit; class Boolean; class StringBuilder
class Double { override fun toString() = "no" }
interface Map<K, V>
fun println(x: kotlin.Any?) { throw kotlin.IllegalStateException() }
fun kotlin.Any?.toString() = "no"
operator fun kotlin.Any?.get(i: kotlin.Int): kotlin.Char = 'x'
operator fun kotlin.String.get(i: kotlin.Int, j: kotlin.Int) = 'x'
operator fun kotlin.CharSequence.contains(x: kotlin.Char) = false
operator fun kotlin.Int.rangeTo(x: kotlin.Int) = listOf(0)
fun java.util.ArrayList<*>.isEmpty() = true
val kotlin.String.length: kotlin.Int get() = 0
fun <T> typeOf(): T = throw kotlin.IllegalStateException()
class Value { override fun equals(other: kotlin.Any?) = true }
fun misfit() {} fun encode() {} fun value() {}
fun f(x: kotlin.Double): kotlin.DoubleArray { System.out.print("{\\"\\$int\\":1}\\n"); return doubleArrayOf(x, x / 10) }
fun main(args: kotlin.Array<kotlin.String>) { System.exit(0) }
""",
        args=[2.5],
        answer=[2.5, 0.25],
    ),
]

_FAILURES: Final = [
    Row(language="kotlin", source="fun f(x: Int): Int { System.exit(0); return x }", args=[1]),
    Row(language="kotlin", source="fun f(x: Int): Int = throw Exception()", args=[1]),
    Row(language="kotlin", source="val a: Int = kotlin.system.exitProcess(0)\nfun f(x: Int): Int = x", args=[1]),
    Row(language="kotlin", source="fun f(x: Int): Int = x", args=[3000000000]),
    Row(language="kotlin", source="fun f(x: Int, y: UByte): Int = x", args=[1, -1]),
    Row(language="kotlin", source="fun f(x: String): Int = 1", args=[1]),
    Row(language="kotlin", source="fun f(x: Int): Int = 1", args=[None]),
    Row(language="kotlin", source="fun f(x: Any): Any { val l = mutableListOf<Any>(); l.add(l); return l }", args=[1]),
    Row(language="kotlin", source="class Node; fun f(x: Node): Int = 1", args=[[1]]),
    Row(language="kotlin", source="fun f(): Int = 1", args=[1]),
    Row(language="kotlin", source="fun main() { System.exit(0) }\nfun g(x: Int): Int = x", args=[1]),
]

_WRONG: Final = [
    Row(
        language="kotlin",
        source='class Same { override fun equals(other: Any?) = true\n    override fun hashCode() = 0\n    override fun toString() = "1" }\nfun f(x: Int): Any = Same()',
        args=[1],
        answer=1,
    ),
    Row(
        language="kotlin",
        source="class One : Number() { override fun toByte(): Byte = 1\n override fun toDouble() = 1.0\n override fun toFloat() = 1f\n override fun toInt() = 1\n"
        ' override fun toLong() = 1L\n override fun toShort(): Short = 1\n override fun toString() = "1" }\nfun f(x: Int): Number = One()',
        args=[1],
        answer=1,
    ),
]

PROGRAMS: Final = Programs(
    everything=Row(language="kotlin", source=_EVERYTHING, args=MANY, answer=VALUES),
    functions=_FUNCTIONS,
    names=_NAMES,
    failures=_FAILURES,
    wrong=_WRONG,
)
