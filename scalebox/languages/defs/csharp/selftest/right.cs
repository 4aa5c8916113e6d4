using System;
using System.Collections.Generic;
using System.Linq;
using System.Numerics;

namespace Sum
{
    class Program
    {
        static void Main(string[] args)
        {
            List<int> numbers = Console.ReadLine().Split(' ').Select(int.Parse).ToList();
            var seen = new Dictionary<string, BigInteger>();
            foreach (int number in numbers) seen[$"n{number}"] = number;
            Console.WriteLine(seen.Values.Aggregate(BigInteger.Zero, (sum, next) => sum + next));
        }
    }
}
