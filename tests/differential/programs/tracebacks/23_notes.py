error = ValueError("main text")
error.add_note("a note")
error.add_note("the last note")
raise error
