package solution

func Add(a, b int) int {
	for {
	}
}
