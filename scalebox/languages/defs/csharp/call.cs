@prelude@
@program@

// Decode the arguments from descriptor 3 by the types of the method that takes them, call it and write its value to descriptor 4.
internal sealed class ScaleBoxMisfit : global::System.Exception
{
    internal ScaleBoxMisfit(string message) : base(message) { }
}

// A number as it is written, so that none loses a digit before its type is known.
internal sealed class ScaleBoxNumber
{
    internal string Text;
}

internal sealed class ScaleBoxMain
{
    private readonly string text;
    private int at;

    private ScaleBoxMain(string text) { this.text = text; }

    internal static void Main(string[] words)
    {
        string document;
        using (var file = new global::System.IO.StreamReader("/dev/fd/3", new global::System.Text.UTF8Encoding(false, true))) document = file.ReadToEnd();
        object value;
        try
        {
            value = Called((global::System.Collections.Generic.Dictionary<object, object>)new ScaleBoxMain(document).Value());
        }
        catch (global::System.Reflection.TargetInvocationException error)
        {
            global::System.Console.Error.WriteLine(error.InnerException);
            global::System.Environment.Exit(1);
            throw;
        }
        var line = new global::System.Text.StringBuilder();
        Encode(line, value, 200);
        line.Append('\n');
        byte[] bytes = new global::System.Text.UTF8Encoding(false, true).GetBytes(line.ToString());
        using (var file = new global::System.IO.FileStream("/dev/fd/4", global::System.IO.FileMode.Open, global::System.IO.FileAccess.Write)) file.Write(bytes, 0, bytes.Length);
        global::System.Environment.Exit(0);
    }

    // Of the methods of that name the first whose parameters the arguments fit; public ones before others.
    private static object Called(global::System.Collections.Generic.Dictionary<object, object> request)
    {
        var given = (global::System.Collections.Generic.List<object>)request["args"];
        var named = (global::System.Collections.Generic.Dictionary<object, object>)request["kwargs"];
        if (named.Count > 0) throw new ScaleBoxMisfit("methods of C# are given no arguments by name");
        ScaleBoxMisfit misfit = new ScaleBoxMisfit("the program has no method @name@ with " + given.Count + " parameters");
        foreach (global::System.Collections.Generic.KeyValuePair<global::System.Type, global::System.Reflection.MethodInfo> candidate in Methods(given))
        {
            global::System.Reflection.MethodInfo method = candidate.Value;
            object[] args;
            try
            {
                args = Arguments(method.GetParameters(), given);
            }
            catch (ScaleBoxMisfit error)
            {
                misfit = error;
                continue;
            }
            object self = method.IsStatic ? null : Made(candidate.Key);
            object value = method.Invoke(self, args);
            object mutated = request["mutated"];
            if (mutated != null) return args[int.Parse(((ScaleBoxNumber)mutated).Text)];
            return Awaited(value);
        }
        throw misfit;
    }

    // By a constructor without parameters, or else by one whose parameters have values of their own.
    private static object Made(global::System.Type owner)
    {
        var all = owner.GetConstructors((global::System.Reflection.BindingFlags)52);
        foreach (global::System.Reflection.ConstructorInfo made in all)
        {
            var parameters = made.GetParameters();
            if (parameters.Length > 0 && global::System.Array.TrueForAll(parameters, one => one.IsOptional) && !global::System.Array.Exists(all, other => other.GetParameters().Length == 0))
                return made.Invoke(global::System.Array.ConvertAll(parameters, one => one.DefaultValue));
        }
        return global::System.Activator.CreateInstance(owner, true);
    }

    private static object Awaited(object value)
    {
        if (value == null) return null;
        global::System.Type type = value.GetType();
        var task = value as global::System.Threading.Tasks.Task;
        if (task == null && type.FullName.StartsWith("System.Threading.Tasks.ValueTask", global::System.StringComparison.Ordinal))
        {
            task = (global::System.Threading.Tasks.Task)type.GetMethod("AsTask").Invoke(value, null);
        }
        if (task == null) return value;
        task.Wait();
        global::System.Reflection.PropertyInfo result = task.GetType().GetProperty("Result");
        return result == null ? null : result.GetValue(task, null);
    }

    private static object[] Arguments(global::System.Reflection.ParameterInfo[] parameters, global::System.Collections.Generic.List<object> given)
    {
        var args = new object[parameters.Length];
        for (int i = 0; i < args.Length; ++i)
        {
            global::System.Type type = parameters[i].ParameterType;
            args[i] = i < given.Count ? As(given[i], type.IsByRef ? type.GetElementType() : type) : parameters[i].DefaultValue;
        }
        return args;
    }

    // Those of the first type that has any: with as many parameters before those that fill some themselves, public before others, and of
    // such the ones that the arguments fit best.
    private static global::System.Collections.Generic.List<global::System.Collections.Generic.KeyValuePair<global::System.Type, global::System.Reflection.MethodInfo>> Methods(global::System.Collections.Generic.List<object> given)
    {
        var found = new global::System.Collections.Generic.List<global::System.Collections.Generic.KeyValuePair<global::System.Type, global::System.Reflection.MethodInfo>>();
        var ranks = new global::System.Collections.Generic.List<int>();
        foreach (global::System.Type owner in Owners())
        {
            bool able = !owner.IsAbstract && !owner.ContainsGenericParameters;
            foreach (global::System.Reflection.MethodInfo method in owner.GetMethods((global::System.Reflection.BindingFlags)124))
            {
                global::System.Reflection.ParameterInfo[] parameters = method.GetParameters();
                if (method.Name != "@name@" || method.IsAbstract || method.ContainsGenericParameters || parameters.Length < given.Count) continue;
                if (parameters.Length > given.Count && !parameters[given.Count].IsOptional || !able && !method.IsStatic) continue;
                int rank = (parameters.Length > given.Count ? 2000 : 0) + (method.IsPublic ? 0 : 1000);
                for (int i = 0; i < given.Count; ++i) rank += Strain(given[i], parameters[i].ParameterType);
                int at = ranks.FindLastIndex(one => one <= rank) + 1;
                ranks.Insert(at, rank);
                found.Insert(at, new global::System.Collections.Generic.KeyValuePair<global::System.Type, global::System.Reflection.MethodInfo>(owner, method));
            }
            if (found.Count > 0) break;
        }
        return found;
    }

    private static int Strain(object given, global::System.Type type)
    {
        var number = given as ScaleBoxNumber;
        bool whole = number != null && number.Text.IndexOfAny(new char[] { '.', 'e', 'E' }) < 0;
        return type == typeof(object) ? 2 : whole && (type == typeof(double) || type == typeof(float) || type == typeof(decimal)) ? 1 : 0;
    }

    // The type that is named; else those that programs use to have, in this order, and then all others.
    private static global::System.Type[] Owners()
    {
        string named = "@owner@";
        string[] usual = named == "" ? new string[] { "Solution", "Problem", "Program", "Main" } : new string[] { named };
        var found = new global::System.Collections.Generic.List<global::System.Type>();
        global::System.Type[] all = global::System.Reflection.Assembly.GetExecutingAssembly().GetTypes();
        foreach (string name in usual)
        {
            foreach (global::System.Type type in all)
            {
                string full = type.FullName.Replace('+', '.');
                if (full == name || full.EndsWith("." + name, global::System.StringComparison.Ordinal)) found.Add(type);
            }
        }
        foreach (global::System.Type type in all)
        {
            if (named == "" && !found.Contains(type) && !type.Name.StartsWith("ScaleBox", global::System.StringComparison.Ordinal)) found.Add(type);
        }
        return found.ToArray();
    }

    private char Next()
    {
        while (at < text.Length && " \t\r\n".IndexOf(text[at]) >= 0) ++at;
        return at < text.Length ? text[at] : '\0';
    }

    private bool Take(char mark)
    {
        bool there = Next() == mark;
        at += there ? 1 : 0;
        return there;
    }

    private object Value()
    {
        switch (Next())
        {
            case '"':
                return String();
            case '[':
                ++at;
                var items = new global::System.Collections.Generic.List<object>();
                while (!Take(']'))
                {
                    items.Add(Value());
                    Take(',');
                }
                return items;
            case '{':
                ++at;
                var pairs = new global::System.Collections.Generic.Dictionary<object, object>();
                while (!Take('}'))
                {
                    Next();
                    string name = String();
                    Take(':');
                    pairs[name] = Value();
                    Take(',');
                }
                return Tagged(pairs);
            case 't':
                at += 4;
                return true;
            case 'f':
                at += 5;
                return false;
            case 'n':
                at += 4;
                return null;
            default:
                int start = at;
                while (at < text.Length && "+-.eE0123456789".IndexOf(text[at]) >= 0) ++at;
                if (at == start) throw new ScaleBoxMisfit("an argument is malformed");
                return new ScaleBoxNumber { Text = text.Substring(start, at - start) };
        }
    }

    private static object Tagged(global::System.Collections.Generic.Dictionary<object, object> pairs)
    {
        if (pairs.Count != 1) return pairs;
        foreach (global::System.Collections.Generic.KeyValuePair<object, object> pair in pairs)
        {
            switch ((string)pair.Key)
            {
                case "$float":
                    return (string)pair.Value == "nan" ? double.NaN : (string)pair.Value == "inf" ? double.PositiveInfinity : double.NegativeInfinity;
                case "$tuple":
                case "$set":
                case "$frozenset":
                    return pair.Value;
                case "$bytes":
                    return global::System.Convert.FromBase64String((string)pair.Value);
                case "$int":
                    string digits = ((string)pair.Value).Replace("0x", "").TrimStart('-');
                    var whole = global::System.Numerics.BigInteger.Parse("0" + digits, global::System.Globalization.NumberStyles.AllowHexSpecifier);
                    return new ScaleBoxNumber { Text = (((string)pair.Value)[0] == '-' ? -whole : whole).ToString() };
                case "$dict":
                    var made = new global::System.Collections.Generic.Dictionary<object, object>();
                    foreach (object entry in (global::System.Collections.Generic.List<object>)pair.Value)
                    {
                        var sides = (global::System.Collections.Generic.List<object>)entry;
                        made[sides[0] ?? ""] = sides[1];
                    }
                    return made;
            }
            if (((string)pair.Key).StartsWith("$", global::System.StringComparison.Ordinal)) throw new ScaleBoxMisfit("an argument is a " + ((string)pair.Key).Substring(1) + ", which C# has not");
        }
        return pairs;
    }

    private string String()
    {
        var made = new global::System.Text.StringBuilder();
        for (++at; text[at] != '"'; ++at)
        {
            if (text[at] != '\\')
            {
                made.Append(text[at]);
                continue;
            }
            char mark = text[++at];
            int simple = "bfnrt".IndexOf(mark);
            if (mark == 'u')
            {
                made.Append((char)global::System.Convert.ToInt32(text.Substring(at + 1, 4), 16));
                at += 4;
            }
            else
            {
                made.Append(simple < 0 ? mark : "\b\f\n\r\t"[simple]);
            }
        }
        ++at;
        return made.ToString();
    }

    private static object As(object tree, global::System.Type type)
    {
        if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(global::System.Nullable<>)) return tree == null ? null : As(tree, type.GetGenericArguments()[0]);
        if (tree == null && !type.IsValueType) return null;
        var number = tree as ScaleBoxNumber;
        if (number != null) return Number(number.Text, type);
        if (tree is double && (type == typeof(double) || type == typeof(object))) return tree;
        if (tree is double && type == typeof(float)) return (float)(double)tree;
        if (tree is bool && (type == typeof(bool) || type == typeof(object))) return tree;
        var letters = tree as string;
        if (letters != null && type == typeof(char) && letters.Length == 1) return letters[0];
        if (letters != null && type.IsAssignableFrom(typeof(string)) && !type.IsGenericType) return letters;
        if (tree is byte[] && type.IsAssignableFrom(typeof(byte[]))) return tree;
        if (tree is global::System.Collections.Generic.List<object>) return Listed((global::System.Collections.Generic.List<object>)tree, type);
        if (tree is global::System.Collections.Generic.Dictionary<object, object>) return Mapped((global::System.Collections.Generic.Dictionary<object, object>)tree, type);
        throw Misfit(type);
    }

    private static ScaleBoxMisfit Misfit(global::System.Type type)
    {
        return new ScaleBoxMisfit("an argument does not fit its parameter of type " + type);
    }

    private static object Number(string digits, global::System.Type type)
    {
        global::System.IFormatProvider plain = global::System.Globalization.CultureInfo.InvariantCulture;
        bool real = digits.IndexOfAny(new char[] { '.', 'e', 'E' }) >= 0;
        if (type == typeof(double)) return double.Parse(digits, plain);
        if (type == typeof(float)) return float.Parse(digits, plain);
        try
        {
            if (type == typeof(decimal)) return decimal.Parse(digits, global::System.Globalization.NumberStyles.Float, plain);
            if (type == typeof(object) && real) return double.Parse(digits, plain);
            global::System.Numerics.BigInteger whole;
            if (real)
            {
                double value = double.Parse(digits, plain);
                if (value != global::System.Math.Floor(value) || global::System.Math.Abs(value) > 9007199254740992.0) throw Misfit(type);
                whole = new global::System.Numerics.BigInteger(value);
            }
            else
            {
                whole = global::System.Numerics.BigInteger.Parse(digits, plain);
            }
            if (type == typeof(int)) return (int)whole;
            if (type == typeof(long)) return (long)whole;
            if (type == typeof(uint)) return (uint)whole;
            if (type == typeof(ulong)) return (ulong)whole;
            if (type == typeof(short)) return (short)whole;
            if (type == typeof(ushort)) return (ushort)whole;
            if (type == typeof(byte)) return (byte)whole;
            if (type == typeof(sbyte)) return (sbyte)whole;
            if (type == typeof(global::System.Numerics.BigInteger)) return whole;
            if (type == typeof(object)) return whole == (int)(whole & 0x7FFFFFFF) ? (int)whole : whole >= long.MinValue && whole <= long.MaxValue ? (object)(long)whole : whole;
        }
        catch (global::System.OverflowException)
        {
            throw Misfit(type);
        }
        throw Misfit(type);
    }

    private static object Listed(global::System.Collections.Generic.List<object> items, global::System.Type type)
    {
        if (type.IsArray) return type.GetArrayRank() == 1 ? Array(items, type.GetElementType()) : Table(items, type);
        if (type == typeof(object)) return Filled(new global::System.Collections.Generic.List<object>(), items, typeof(object));
        if (!type.IsGenericType) throw Misfit(type);
        global::System.Type[] inner = type.GetGenericArguments();
        string name = type.GetGenericTypeDefinition().FullName;
        if (name.StartsWith("System.ValueTuple`", global::System.StringComparison.Ordinal) || name.StartsWith("System.Tuple`", global::System.StringComparison.Ordinal) || name == "System.Collections.Generic.KeyValuePair`2")
        {
            if (inner.Length != items.Count) throw Misfit(type);
            var parts = new object[inner.Length];
            for (int i = 0; i < parts.Length; ++i) parts[i] = As(items[i], inner[i]);
            return global::System.Activator.CreateInstance(type, parts);
        }
        if (inner.Length != 1) throw Misfit(type);
        global::System.Type list = typeof(global::System.Collections.Generic.List<>).MakeGenericType(inner), set = typeof(global::System.Collections.Generic.HashSet<>).MakeGenericType(inner);
        if (type.IsAssignableFrom(list)) return Filled(global::System.Activator.CreateInstance(list), items, inner[0]);
        if (type.IsAssignableFrom(set)) return Filled(global::System.Activator.CreateInstance(set), items, inner[0]);
        if (type.IsInterface || type.IsAbstract) throw Misfit(type);
        if (typeof(global::System.Collections.Generic.ICollection<>).MakeGenericType(inner).IsAssignableFrom(type)) return Filled(global::System.Activator.CreateInstance(type), items, inner[0]);
        global::System.Reflection.ConstructorInfo copied = type.GetConstructor(new global::System.Type[] { typeof(global::System.Collections.Generic.IEnumerable<>).MakeGenericType(inner) });
        if (copied == null) throw Misfit(type);
        return copied.Invoke(new object[] { Array(items, inner[0]) });
    }

    private static object Filled(object made, global::System.Collections.Generic.List<object> items, global::System.Type inner)
    {
        global::System.Reflection.MethodInfo add = typeof(global::System.Collections.Generic.ICollection<>).MakeGenericType(inner).GetMethod("Add");
        foreach (object item in items) add.Invoke(made, new object[] { As(item, inner) });
        return made;
    }

    private static global::System.Array Array(global::System.Collections.Generic.List<object> items, global::System.Type inner)
    {
        global::System.Array made = global::System.Array.CreateInstance(inner, items.Count);
        for (int i = 0; i < items.Count; ++i) made.SetValue(As(items[i], inner), i);
        return made;
    }

    private static object Table(global::System.Collections.Generic.List<object> rows, global::System.Type type)
    {
        if (type.GetArrayRank() != 2) throw Misfit(type);
        int width = -1;
        foreach (object row in rows)
        {
            var cells = row as global::System.Collections.Generic.List<object>;
            if (cells == null || width >= 0 && cells.Count != width) throw Misfit(type);
            width = cells.Count;
        }
        global::System.Array made = global::System.Array.CreateInstance(type.GetElementType(), rows.Count, width < 0 ? 0 : width);
        for (int i = 0; i < rows.Count; ++i)
        {
            for (int j = 0; j < width; ++j) made.SetValue(As(((global::System.Collections.Generic.List<object>)rows[i])[j], type.GetElementType()), i, j);
        }
        return made;
    }

    private static object Mapped(global::System.Collections.Generic.Dictionary<object, object> pairs, global::System.Type type)
    {
        if (type == typeof(object)) type = typeof(global::System.Collections.Generic.Dictionary<object, object>);
        if (!type.IsGenericType || type.GetGenericArguments().Length != 2) throw Misfit(type);
        global::System.Type[] inner = type.GetGenericArguments();
        global::System.Type plain = typeof(global::System.Collections.Generic.Dictionary<,>).MakeGenericType(inner), each = typeof(global::System.Collections.Generic.IDictionary<,>).MakeGenericType(inner);
        global::System.Type wanted = type.IsAssignableFrom(plain) ? plain : type;
        if (wanted.IsAbstract || !each.IsAssignableFrom(wanted)) throw Misfit(type);
        object made = global::System.Activator.CreateInstance(wanted);
        global::System.Reflection.MethodInfo put = each.GetMethod("set_Item");
        foreach (global::System.Collections.Generic.KeyValuePair<object, object> pair in pairs)
        {
            var name = pair.Key as string;
            bool spelled = name != null && inner[0] != typeof(string) && inner[0] != typeof(char) && inner[0] != typeof(object);
            put.Invoke(made, new object[] { As(spelled ? new ScaleBoxMain(name).Value() : pair.Key, inner[0]), As(pair.Value, inner[1]) });
        }
        return made;
    }

    private static void Encode(global::System.Text.StringBuilder line, object value, int depth)
    {
        if (depth == 0) throw new ScaleBoxMisfit("the value is nested too deeply");
        global::System.IFormatProvider plain = global::System.Globalization.CultureInfo.InvariantCulture;
        if (value == null) line.Append("null");
        else if (value is bool) line.Append((bool)value ? "true" : "false");
        else if (value is double) Real(line, (double)value, ((double)value).ToString("R", plain), ((double)value).ToString("G17", plain));
        else if (value is float) Real(line, (float)value, ((float)value).ToString("R", plain), ((float)value).ToString("G9", plain));
        else if (value is string || value is char || value is global::System.Enum) Quote(line, value.ToString());
        else if (value is decimal || value is global::System.Numerics.BigInteger || value.GetType().IsPrimitive) line.Append(((global::System.IFormattable)value).ToString(null, plain));
        else if (value is global::System.Array && ((global::System.Array)value).Rank == 2) Rows(line, (global::System.Array)value, depth);
        else if (value is global::System.Collections.IDictionary) Pairs(line, (global::System.Collections.IDictionary)value, depth);
        else Compound(line, value, value.GetType(), depth);
    }

    private static void Real(global::System.Text.StringBuilder line, double value, string shortest, string exact)
    {
        if (double.IsNaN(value) || double.IsInfinity(value))
        {
            line.Append("{\"$float\":\"").Append(double.IsNaN(value) ? "nan" : value > 0 ? "inf" : "-inf").Append("\"}");
            return;
        }
        global::System.IFormatProvider plain = global::System.Globalization.CultureInfo.InvariantCulture;
        bool same = double.Parse(shortest, plain) == value || (double)float.Parse(shortest, plain) == value;
        string digits = same ? shortest : exact;
        line.Append(digits).Append(digits.IndexOfAny(new char[] { '.', 'E' }) < 0 ? ".0" : "");
    }

    private static void Rows(global::System.Text.StringBuilder line, global::System.Array table, int depth)
    {
        line.Append('[');
        for (int i = 0; i < table.GetLength(0); ++i)
        {
            line.Append(i == 0 ? "[" : ",[");
            for (int j = 0; j < table.GetLength(1); ++j)
            {
                line.Append(j == 0 ? "" : ",");
                Encode(line, table.GetValue(i, j), depth - 1);
            }
            line.Append(']');
        }
        line.Append(']');
    }

    private static void Pairs(global::System.Text.StringBuilder line, global::System.Collections.IDictionary pairs, int depth)
    {
        string before = "{\"$dict\":[[";
        line.Append(pairs.Count == 0 ? "{\"$dict\":[" : "");
        foreach (global::System.Collections.DictionaryEntry pair in pairs)
        {
            line.Append(before);
            Encode(line, pair.Key, depth - 1);
            line.Append(',');
            Encode(line, pair.Value, depth - 1);
            line.Append(']');
            before = ",[";
        }
        line.Append("]}");
    }

    private static void Compound(global::System.Text.StringBuilder line, object value, global::System.Type type, int depth)
    {
        string name = type.IsGenericType ? type.GetGenericTypeDefinition().FullName : "";
        if (name.StartsWith("System.ValueTuple`", global::System.StringComparison.Ordinal) || name.StartsWith("System.Tuple`", global::System.StringComparison.Ordinal))
        {
            List(line, "{\"$tuple\":[", Parts(value), "]}", depth);
        }
        else if (name == "System.Collections.Generic.KeyValuePair`2")
        {
            List(line, "{\"$tuple\":[", global::System.Array.ConvertAll(type.GetProperties(), part => part.GetValue(value, null)), "]}", depth);
        }
        else if (value is global::System.Collections.IEnumerable)
        {
            bool set = false;
            foreach (global::System.Type face in type.GetInterfaces()) set |= face.IsGenericType && face.GetGenericTypeDefinition().FullName == "System.Collections.Generic.ISet`1";
            List(line, set ? "{\"$set\":[" : "[", (global::System.Collections.IEnumerable)value, set ? "]}" : "]", depth);
        }
        else
        {
            line.Append("{\"$opaque\":");
            Quote(line, type.Name);
            line.Append('}');
        }
    }

    // Of a tuple; what is beyond the seventh is in a tuple of its own.
    private static global::System.Collections.Generic.List<object> Parts(object tuple)
    {
        var parts = new global::System.Collections.Generic.List<object>();
        global::System.Type type = tuple.GetType();
        for (int i = 1; i <= type.GetGenericArguments().Length; ++i)
        {
            string name = i < 8 ? "Item" + i : "Rest";
            global::System.Reflection.FieldInfo field = type.GetField(name);
            object part = field == null ? type.GetProperty(name).GetValue(tuple, null) : field.GetValue(tuple);
            if (i < 8) parts.Add(part);
            else parts.AddRange(Parts(part));
        }
        return parts;
    }

    private static void List(global::System.Text.StringBuilder line, string before, global::System.Collections.IEnumerable items, string after, int depth)
    {
        line.Append(before);
        bool first = true;
        foreach (object item in items)
        {
            line.Append(first ? "" : ",");
            first = false;
            Encode(line, item, depth - 1);
        }
        line.Append(after);
    }

    private static void Quote(global::System.Text.StringBuilder line, string value)
    {
        line.Append('"');
        foreach (char letter in value)
        {
            if (letter < ' ' || letter == '"' || letter == '\\' || char.IsSurrogate(letter)) line.Append("\\u").Append(((int)letter).ToString("x4"));
            else line.Append(letter);
        }
        line.Append('"');
    }
}
