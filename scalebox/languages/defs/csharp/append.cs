#define DEBUG
@program@
@close@
@tests@

// Run the test code with its assertions on, then copy the token: the proof that it came to its end.
internal sealed class ScaleBoxFailure : global::System.Exception { }

internal sealed class ScaleBoxListener : global::System.Diagnostics.TraceListener
{
    public override void Write(string message) { }
    public override void WriteLine(string message) { }
    public override void Fail(string message) { Fail(message, ""); }

    public override void Fail(string message, string detail)
    {
        ScaleBoxMain.Put("failed\n");
        global::System.Console.Error.WriteLine("assertion failed: " + message);
        global::System.Environment.Exit(1);
    }
}

internal static class ScaleBoxMain
{
    internal static void Put(string text)
    {
        using (var file = new global::System.IO.FileStream("/dev/fd/4", global::System.IO.FileMode.Open, global::System.IO.FileAccess.Write))
        {
            byte[] bytes = global::System.Text.Encoding.ASCII.GetBytes(text);
            file.Write(bytes, 0, bytes.Length);
        }
    }

    internal static void Check(bool holds, string message = "", string detail = "")
    {
        if (!holds) new ScaleBoxListener().Fail(message, detail);
    }

    internal static void Main(string[] words)
    {
        global::System.Diagnostics.Trace.Listeners.Clear();
        global::System.Diagnostics.Trace.Listeners.Add(new ScaleBoxListener());
        global::@main@.@entry@(words);
        using (var file = new global::System.IO.StreamReader("/dev/fd/3"))
        {
            Put(file.ReadLine() + "\n");
        }
        global::System.Environment.Exit(0);
    }
}
