@program@
@close@
@tests@

object ScaleBoxMain {
  private def put(text: String): Unit = {
    val out = new java.io.FileOutputStream("/dev/fd/4", true)
    try out.write(text.getBytes("ISO-8859-1"))
    finally out.close()
  }

  // Run the test code, then copy the token: the proof that it came to its end. No comment here has an end.
  def main(words: Array[String]): Unit = {
    try @main@.@entry@(words)
    catch {
      case error: java.lang.AssertionError =>
        put("failed\n")
        throw error
    }
    val in = new java.io.BufferedReader(new java.io.InputStreamReader(new java.io.FileInputStream("/dev/fd/3"), "ISO-8859-1"))
    put(in.readLine() + "\n")
    java.lang.System.exit(0)
  }
}
