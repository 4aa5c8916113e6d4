import scala.collection.mutable
import scala.io.StdIn

object Main {
  case class Seen(number: Int, times: Int)

  def main(args: Array[String]): Unit = {
    val numbers = StdIn.readLine().split(" ").map(_.toInt).toList
    val times = mutable.HashMap.empty[Int, Int]
    numbers.foreach(number => times(number) = times.getOrElse(number, 0) + 1)
    val seen = for ((number, count) <- times) yield Seen(number, count)
    println(seen.map { case Seen(number, count) => number * count }.sum)
  }
}
