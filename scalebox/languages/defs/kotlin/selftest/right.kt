import java.util.StringTokenizer

data class Seen(val number: Int, val times: Int)

fun main() {
    val words = StringTokenizer(readLine()!!)
    val numbers = mutableListOf<Int>()
    while (words.hasMoreTokens()) numbers.add(words.nextToken().toInt())
    val seen = numbers.groupingBy { it }.eachCount().map { (number, times) -> Seen(number, times) }
    println(seen.sumOf { it.number * it.times })
}
