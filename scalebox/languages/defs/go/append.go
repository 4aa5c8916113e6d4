@program@
@close@
@tests@

func main() {
	scaleboxTesting.Init()
	scaleboxFlag.CommandLine.Parse(nil)
	all := func(pattern, name string) (bool, error) { return true, nil }
	tests := []scaleboxTesting.InternalTest{@found@}
	out := scaleboxOs.NewFile(4, "value")
	if len(tests) == 0 {
		scaleboxOs.Stderr.WriteString("no test was found\n")
		scaleboxOs.Exit(1)
	}
	if !scaleboxTesting.RunTests(all, tests) {
		out.WriteString("failed\n")
		scaleboxOs.Exit(1)
	}
	token := make([]byte, 256)
	count, _ := scaleboxOs.NewFile(3, "token").Read(token)
	size := 0
	for size < count && token[size] != '\n' {
		size++
	}
	out.Write(append(token[:size:size], '\n'))
}
