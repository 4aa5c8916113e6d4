let none: [Int] = Array(repeating: 1, count: CommandLine.arguments.count - 1); print(none[9])
