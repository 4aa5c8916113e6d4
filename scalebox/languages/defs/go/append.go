@program@
@close@

// Where this has become a part of a comment or a string of the program's, main does not compile. No comment here has an end, and nothing a backquote.
func @entry@Begin() {}

@tests@

//@entry@ @guards@

func main() {
	@entry@Begin()
	@entry@.Run(@entry@.Tests{@found@})
}
