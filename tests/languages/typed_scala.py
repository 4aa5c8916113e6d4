"""Scala."""

from __future__ import annotations

from typing import Final

from languages.typed_rows import MANY, VALUES, Programs, Row

_EVERYTHING: Final = """
import scala.collection.mutable
import scala.collection.immutable.TreeMap
object Solution {
  def f(ints: Array[Int], grid: mutable.ArrayBuffer[List[Byte]], big: Long, x: Double, words: List[String], truth: Boolean, none: Option[Int],
        named: Map[String, Vector[Int]], numbered: TreeMap[Long, String]): List[Any] = {
    grid += List(9)
    List(ints.reverse, grid, big, Array(x, 1e300, 1e-9, 3.0, Double.NaN, -1 / 0.0), words.reverse, !truth, none, named, numbered)
  }
}
"""

_FUNCTIONS: Final = [
    Row(
        language="scala",
        source="object Solution {\n    def twoSum(nums: Array[Int], target: Int): Array[Int] = Array(nums(0), target)\n}",
        function="twoSum",
        args=[[1], 2],
        answer=[1, 2],
    ),
    Row(
        language="scala",
        source="package a.b\nobject Main extends App { def g = 1 }\ncase class P(x: Int)\nclass Solution(n: Int = 2) { def this() = this(3)\n"
        "  def f(s: String): Int = f(s, n)\n  private def f(s: String, n: Int): Int = s.length + n }",
        args=["abc"],
        answer=6,
    ),
    Row(
        language="scala",
        source="object Problem {\n  def f(s: Set[Char], p: (Int, Option[Char]), b: BigInt, q: Seq[Float], t: Either[Int, String] = Left(1)): (Int, Option[Char], BigInt, Iterator[Any]) =\n"
        "    (s.size, p._2, b * b, Iterator(q.last, 'c', Left(1), None, ()))\n}",
        args=[{"$set": ["a", "b"]}, {"$tuple": [1, None]}, 2**70, [1, 0.1], None],
        answer=[2, None, 2**140, [0.1, "c", 1, None, None]],
    ),
    Row(
        language="scala",
        source="import scala.collection.mutable._\nobject T { def f(m: Map[Int, Set[(Int, Int)]], q: Queue[Int], l: LazyList[Long], b: BigDecimal): Any = "
        "(m.values.flatten.map(_._1).toSet, q.dequeue() + l.sum, b) }",
        args=[{"3": [[5, 6]]}, [1], [2, 2**40], 0.5],
        answer=[{"$set": [5]}, 2**40 + 3, 0.5],
    ),
    Row(
        language="scala",
        source="object Solution { def f(x: Any): Any = x }",
        args=[[1, "a", None, [True, 2.5], 2**40, {"k": 1}]],
        answer=[1, "a", None, [True, 2.5], 2**40, {"k": 1}],
    ),
    Row(language="scala", source='object Solution { def f(): String = "" }', args=[], answer=""),
    Row(
        language="scala",
        source="object A { object Solution { def f(v: Array[Array[Int]]): Unit = v(0)(0) = 4 } }",
        function="A.Solution.f",
        args=[[[1]]],
        answer=[[4]],
        mutated=0,
    ),
    Row(
        language="scala",
        source='class A { def f(v: scala.collection.mutable.Buffer[String]): Unit = v += "x" }',
        function="A().f",
        args=[["a"]],
        answer=["a", "x"],
        mutated=0,
    ),
]

_NAMES: Final = [
    Row(
        language="scala",
        source="""import Everything._
import _root_.scala.language.implicitConversions
class String; class Int; class Any; class Array[T]; class List[T]; class Unit; class Boolean; class StringBuilder; class Builder; class Tuple2; class Manifest[T]
object java; object scala; object Predef; object Option; object None; object Math
object Everything {
  implicit def everything[T](x: T): Everything = new Everything
  implicit val text: _root_.java.lang.String = "no"
  implicit val order: _root_.scala.math.Ordering[_root_.scala.Any] = null
  implicit class Texts(s: _root_.java.lang.String) { def concat(x: _root_.scala.Int) = "no" }
  def enter(x: _root_.scala.Any) = 1
  def misfit(x: _root_.scala.Any) = 1
}
class Everything { def ==(x: _root_.scala.Int) = true; def text = "no"; def at = 5 }
object Solution {
  def f(x: _root_.scala.Double): _root_.scala.Array[_root_.scala.Double] = {
    _root_.java.lang.System.out.print("{\\"$int\\":1}\\n"); _root_.scala.Array(x, x / 10)
  }
  def main(words: _root_.scala.Array[_root_.java.lang.String]): _root_.scala.Unit = _root_.scala.sys.exit(0)
}
""",
        args=[2.5],
        answer=[2.5, 0.25],
    ),
]

_FAILURES: Final = [
    Row(language="scala", source="object Solution { def f(x: Int): Int = sys.exit(0) }", args=[1]),
    Row(language="scala", source="object Solution { def f(x: Int): Int = throw new Exception }", args=[1]),
    Row(language="scala", source="object Solution { sys.exit(0); def f(x: Int): Int = x }", args=[1]),
    Row(language="scala", source="object Solution { def f(x: Int): Int = x }", args=[3000000000]),
    Row(language="scala", source="object Solution { def f(x: String): Int = 1 }", args=[1]),
    Row(language="scala", source="object Solution { def f(x: Int): Int = 1 }", args=[None]),
    Row(language="scala", source="object Solution { def f(x: (Int, Int)): Int = 1 }", args=[[1, 2, 3]]),
    Row(
        language="scala",
        source="object Solution { def f(x: Any): Any = { val l = scala.collection.mutable.ArrayBuffer[Any](); l += l; l } }",
        args=[1],
    ),
    Row(language="scala", source="class Node; object Solution { def f(x: Node): Int = 1 }", args=[[1]]),
    Row(language="scala", source="object Solution { def f(): Int = 1 }", args=[1]),
    Row(
        language="scala",
        source="object Solution { def g(x: Int): Int = 1; def main(a: Array[String]): Unit = sys.exit(0) }",
        args=[1],
    ),
]

_WRONG: Final = [
    Row(
        language="scala",
        source='case class Same(x: Int) { override def equals(other: Any) = true; override def toString = "1" }\nobject Solution { def f(x: Int): Any = Same(x) }',
        args=[1],
        answer=1,
    ),
]

PROGRAMS: Final = Programs(
    everything=Row(language="scala", source=_EVERYTHING, args=MANY, answer=VALUES),
    functions=_FUNCTIONS,
    names=_NAMES,
    failures=_FAILURES,
    wrong=_WRONG,
)
