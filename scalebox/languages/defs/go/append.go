@program@
@close@
@tests@

// The tests are run as `go test` runs them; the last of them copies the token, if all others were run and none has failed.
func main() {
	tests := []scaleboxTesting.InternalTest{@found@}
	count, ran, failed := len(tests), 0, false
	for i := range tests {
		run := tests[i].F
		tests[i].F = func(t *scaleboxTesting.T) {
			ran++
			defer func() { failed = failed || t.Failed() || t.Skipped() }()
			run(t)
		}
	}
	end := func(t *scaleboxTesting.T) {
		out := scaleboxOs.NewFile(4, "value")
		if failed {
			out.WriteString("failed\n")
			return
		}
		if count == 0 || ran != count {
			t.Fatal("not every test was run")
		}
		token := make([]byte, 256)
		read, _ := scaleboxOs.NewFile(3, "token").Read(token)
		size := 0
		for size < read && token[size] != '\n' {
			size++
		}
		out.Write(append(token[:size:size], '\n'))
	}
	tests = append(tests, scaleboxTesting.InternalTest{Name: "ScaleBoxEnd", F: end})
	scaleboxTesting.Main(func(pattern, name string) (bool, error) { return true, nil }, tests, nil, nil)
}
