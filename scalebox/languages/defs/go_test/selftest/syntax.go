package solution

func Add(a, b int) int { return a +
