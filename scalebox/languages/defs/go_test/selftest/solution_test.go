package solution

import "testing"

func TestAdd(t *testing.T) {
	for _, row := range [][3]int{{2, 3, 5}, {-1, 1, 0}} {
		if got := Add(row[0], row[1]); got != row[2] {
			t.Errorf("Add(%d, %d) = %d", row[0], row[1], got)
		}
	}
}

func TestZero(t *testing.T) {
	t.Parallel()
	if Add(0, 0) != 0 {
		t.Fatal("not nothing")
	}
}
