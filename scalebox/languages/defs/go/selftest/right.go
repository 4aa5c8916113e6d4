package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
)

func main() {
	line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
	words := strings.Fields(line)
	sort.Strings(words)
	numbers := make(chan int, len(words))
	var group sync.WaitGroup
	for _, word := range words {
		group.Add(1)
		go func(word string) {
			defer group.Done()
			number, err := strconv.Atoi(word)
			if err != nil {
				panic(err)
			}
			numbers <- number
		}(word)
	}
	group.Wait()
	close(numbers)
	sum := 0
	for number := range numbers {
		sum += number
	}
	fmt.Println(sum)
}
