import Foundation

let numbers = readLine()!.split(separator: " ").map { Int($0)! }
var seen: [Int: Int] = [:]
for number in numbers { seen[number, default: 0] += number }
print(seen.values.reduce(0, +))
