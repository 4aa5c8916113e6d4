@program@
@close@
@tests@

// The tests are run as `go test` runs them; the last of them to end copies the token, if none has failed. Parallel tests end after all others.
func main() {
	tests := []scaleboxTesting.InternalTest{@found@}
	var lock scaleboxSync.Mutex
	left, failed := len(tests), false
	end := func(t *scaleboxTesting.T, returned bool) {
		lock.Lock()
		defer lock.Unlock()
		left--
		failed = failed || t.Failed() || t.Skipped() || !returned
		if left > 0 {
			return
		}
		out := scaleboxOs.NewFile(4, "value")
		if failed {
			out.WriteString("failed\n")
			return
		}
		token := make([]byte, 256)
		read, _ := scaleboxOs.NewFile(3, "token").Read(token)
		size := 0
		for size < read && token[size] != '\n' {
			size++
		}
		out.Write(append(token[:size:size], '\n'))
	}
	for i := range tests {
		run := tests[i].F
		tests[i].F = func(t *scaleboxTesting.T) {
			returned := false // a panic, or an end of the goroutine, is no failure yet when cleanups run
			t.Cleanup(func() { end(t, returned) }) // after the test, its subtests and its own cleanups
			run(t)
			returned = true
		}
	}
	scaleboxTesting.Main(func(pattern, name string) (bool, error) { return true, nil }, tests, nil, nil)
}
