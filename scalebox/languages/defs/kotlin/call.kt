@program@

@address@

// Decodes the arguments from descriptor 3 by the types of the function's parameters, calls it and writes its value to descriptor 4. The program
// may call anything as it likes: names here are whole, and nothing is an extension, which one of the program's would stand before.
private class ScaleBoxNumber(val text: kotlin.String)

private inline fun <@each{reified ScaleboxA#, }reified ScaleboxR> scaleBoxEnter(noinline called: (@list{ScaleboxA#}) -> ScaleboxR) {
    val request = ScaleBoxMain.request()
    val given = request.get("args") as java.util.ArrayList<*>
    @each{val held# = ScaleBoxMain.value(given.get(#), kotlin.reflect.typeOf<ScaleboxA#>()) as ScaleboxA#; }
    val value = called(@list{held#})
    val mutated = request.get("mutated")
    if (mutated == null) {
        ScaleBoxMain.put(value)
    } else {
        val held = java.util.ArrayList<kotlin.Any?>()
        @each{held.add(held#); }
        ScaleBoxMain.put(held.get(java.lang.Integer.parseInt((mutated as ScaleBoxNumber).text)))
    }
}

private object ScaleBoxMain {
    private var text: kotlin.String = ""
    private var at: kotlin.Int = 0

    @kotlin.jvm.JvmStatic
    fun main(words: kotlin.Array<kotlin.String>) {
        scaleBoxEnter(@call@)
        java.lang.System.exit(0)
    }

    fun request(): java.util.HashMap<*, *> {
        // Not `readAllBytes` of the file itself: it asks for a place in it, and a pipe has none.
        val file = java.io.BufferedInputStream(java.io.FileInputStream("/dev/fd/3"))
        text = java.lang.String(file.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8) as kotlin.String
        file.close()
        val request = tree() as java.util.HashMap<*, *>
        if (!(request.get("kwargs") as java.util.HashMap<*, *>).isEmpty()) misfit("functions of Kotlin are given no arguments by name")
        return request
    }

    fun put(value: kotlin.Any?) {
        val line = java.lang.StringBuilder()
        encode(line, value, 200)
        line.append('\n')
        val file = java.io.FileOutputStream("/dev/fd/4", true)
        file.write((line.toString() as java.lang.String).getBytes(java.nio.charset.StandardCharsets.UTF_8))
        file.close()
    }

    private fun misfit(reason: kotlin.String): kotlin.Nothing = throw java.lang.IllegalArgumentException(reason)

    private fun letter(): kotlin.Char = if (at < text.length) text.get(at) else misfit("an argument is malformed")

    private fun next(): kotlin.Char {
        while (letter() == ' ' || letter() == '\n' || letter() == '\t' || letter() == '\r') at += 1
        return letter()
    }

    private fun take(mark: kotlin.Char): kotlin.Boolean {
        val there = next() == mark
        if (there) at += 1
        return there
    }

    // As the document says it: lists, maps, strings, truth values, numbers as they are written, doubles that JSON has not, nothing.
    private fun tree(): kotlin.Any? {
        val mark = next()
        if (mark == '"') return string()
        if (mark == '[') {
            at += 1
            val items = java.util.ArrayList<kotlin.Any?>()
            while (!take(']')) {
                items.add(tree())
                take(',')
            }
            return items
        }
        if (mark == '{') {
            at += 1
            val pairs = java.util.LinkedHashMap<kotlin.Any?, kotlin.Any?>()
            while (!take('}')) {
                next()
                val name = string()
                take(':')
                pairs.put(name, tree())
                take(',')
            }
            return tagged(pairs)
        }
        if (mark == 't' || mark == 'n') {
            at += 4
            return if (mark == 't') true else null
        }
        if (mark == 'f') {
            at += 5
            return false
        }
        val start = at
        while (at < text.length && ("+-.eE0123456789" as java.lang.String).indexOf(text.get(at).code) >= 0) at += 1
        if (at == start) misfit("an argument is malformed")
        return ScaleBoxNumber((text as java.lang.String).substring(start, at))
    }

    private fun tagged(pairs: java.util.LinkedHashMap<kotlin.Any?, kotlin.Any?>): kotlin.Any? {
        if (pairs.size != 1) return pairs
        val tag = pairs.keys.iterator().next() as kotlin.String
        val inner = pairs.get(tag)
        if (!(tag as java.lang.String).startsWith("$")) return pairs
        if (tag == "\$float") {
            return if (inner == "nan") java.lang.Double.NaN else if (inner == "inf") java.lang.Double.POSITIVE_INFINITY else java.lang.Double.NEGATIVE_INFINITY
        }
        if (tag == "\$tuple" || tag == "\$set" || tag == "\$frozenset") return inner
        if (tag == "\$int") return ScaleBoxNumber(java.math.BigInteger((inner as java.lang.String).replace("0x", ""), 16).toString())
        if (tag != "\$dict") misfit("an argument is a " + tag + ", which Kotlin has not")
        val made = java.util.LinkedHashMap<kotlin.Any?, kotlin.Any?>()
        for (pair in inner as java.util.ArrayList<*>) {
            val sides = pair as java.util.ArrayList<*>
            made.put(sides.get(0), sides.get(1))
        }
        return made
    }

    private fun string(): kotlin.String {
        val made = java.lang.StringBuilder()
        at += 1
        while (letter() != '"') {
            if (letter() != '\\') {
                made.append(letter())
                at += 1
                continue
            }
            at += 1
            val mark = letter()
            at += 1
            if (mark == 'u') {
                made.appendCodePoint(java.lang.Integer.parseInt((text as java.lang.String).substring(at, at + 4), 16))
                at += 4
            } else {
                val simple = ("bfnrt" as java.lang.String).indexOf(mark.code)
                made.append(if (simple < 0) mark else "\b\u000c\n\r\t".get(simple))
            }
        }
        at += 1
        return made.toString()
    }

    private fun classOf(type: kotlin.reflect.KType): java.lang.Class<*> =
        (type.classifier as kotlin.jvm.internal.ClassBasedDeclarationContainer).jClass as java.lang.Class<*>

    private fun inner(type: kotlin.reflect.KType, index: kotlin.Int): kotlin.reflect.KType =
        (if (index < type.arguments.size) type.arguments.get(index).type else null) ?: kotlin.reflect.typeOf<kotlin.Any?>()

    fun value(tree: kotlin.Any?, type: kotlin.reflect.KType): kotlin.Any? {
        val kind = classOf(type)
        val any = kind == java.lang.Class.forName("java.lang.Object")
        if (tree == null) return if (type.isMarkedNullable) null else misfit("an argument is nothing but its parameter is a " + type.toString())
        if (tree is ScaleBoxNumber) return number(tree.text, kind.getName(), type)
        if (tree is kotlin.Double) {
            if (any || type.classifier == kotlin.Double::class) return tree
            if (type.classifier == kotlin.Float::class) return tree.toFloat()
        }
        if (tree is kotlin.Boolean && (any || type.classifier == kotlin.Boolean::class)) return tree
        if (tree is kotlin.String) {
            if (type.classifier == kotlin.Char::class && tree.length == 1) return tree.get(0)
            if (kind.isInstance(tree as kotlin.Any)) return tree
        }
        if (tree is java.util.ArrayList<*>) return listed(tree, kind, type)
        if (tree is java.util.LinkedHashMap<*, *>) return mapped(tree, kind, type)
        misfit("an argument does not fit its parameter, which is a " + type.toString())
    }

    private fun number(digits: kotlin.String, kind: kotlin.String, type: kotlin.reflect.KType): kotlin.Any {
        if (kind == "double" || kind == "java.lang.Double") return java.lang.Double.parseDouble(digits)
        if (kind == "float" || kind == "java.lang.Float") return java.lang.Float.parseFloat(digits)
        val exact = java.math.BigDecimal(digits)
        if (kind == "java.math.BigDecimal") return exact
        val any = kind == "java.lang.Object" || kind == "java.lang.Number"
        if (any && exact.scale() > 0) return exact.toDouble()
        if (java.lang.Math.abs(exact.scale()) > 400) misfit("an argument does not fit its parameter, which is a " + type.toString())
        val whole = exact.toBigIntegerExact()
        return when (kind) {
            "int", "java.lang.Integer" -> whole.intValueExact()
            "long", "java.lang.Long" -> whole.longValueExact()
            "short", "java.lang.Short" -> whole.shortValueExact()
            "byte", "java.lang.Byte" -> whole.byteValueExact()
            "java.math.BigInteger" -> whole
            "kotlin.UByte" -> boxed(kind, java.lang.Byte.TYPE, unsigned(whole, 8).toByte())
            "kotlin.UShort" -> boxed(kind, java.lang.Short.TYPE, unsigned(whole, 16).toShort())
            "kotlin.UInt" -> boxed(kind, java.lang.Integer.TYPE, unsigned(whole, 32).toInt())
            "kotlin.ULong" -> boxed(kind, java.lang.Long.TYPE, unsigned(whole, 64))
            else -> if (!any) misfit("an argument does not fit its parameter, which is a " + type.toString())
                else if (whole.bitLength() < 32) whole.intValueExact() else if (whole.bitLength() < 64) whole.longValueExact() else whole
        }
    }

    private fun unsigned(whole: java.math.BigInteger, bits: kotlin.Int): kotlin.Long =
        if (whole.signum() < 0 || whole.bitLength() > bits) misfit("an argument does not fit its parameter, which is unsigned") else whole.toLong()

    private fun boxed(name: kotlin.String, bits: java.lang.Class<*>, value: kotlin.Any): kotlin.Any =
        java.lang.Class.forName(name).getMethod("box-impl", bits).invoke(null, value)

    private fun listed(items: java.util.ArrayList<*>, kind: java.lang.Class<*>, type: kotlin.reflect.KType): kotlin.Any {
        if (kind.isArray()) return array(items, kind, type)
        if (kind.getName() == "kotlin.Pair" && items.size == 2) return kotlin.Pair(value(items.get(0), inner(type, 0)), value(items.get(1), inner(type, 1)))
        if (kind.getName() == "kotlin.Triple" && items.size == 3) {
            return kotlin.Triple(value(items.get(0), inner(type, 0)), value(items.get(1), inner(type, 1)), value(items.get(2), inner(type, 2)))
        }
        val made = fitting(kind, type, "java.util.ArrayList", "java.util.LinkedHashSet", "java.util.LinkedList", "java.util.TreeSet")
        if (made !is java.util.Collection<*>) misfit("an argument does not fit its parameter, which is a " + type.toString())
        for (item in items) (made as java.util.Collection<kotlin.Any?>).add(value(item, inner(type, 0)))
        return made
    }

    // The first class that the parameter may be, or what it is itself.
    private fun fitting(kind: java.lang.Class<*>, type: kotlin.reflect.KType, vararg names: kotlin.String): kotlin.Any {
        for (name in names) {
            val usual = java.lang.Class.forName(name)
            if ((kind as java.lang.Class<kotlin.Any>).isAssignableFrom(usual)) return usual.getDeclaredConstructor().newInstance()
        }
        if (kind.isInterface() || java.lang.reflect.Modifier.isAbstract(kind.getModifiers())) misfit("plain data cannot become a " + type.toString())
        return kind.getDeclaredConstructor().newInstance() as kotlin.Any
    }

    private fun array(items: java.util.ArrayList<*>, kind: java.lang.Class<*>, type: kotlin.reflect.KType): kotlin.Any {
        val part = kind.getComponentType()
        val made = java.lang.reflect.Array.newInstance(part, items.size)
        for (i in 0..items.size - 1) {
            val item = if (part.isPrimitive()) primitive(items.get(i), part.getName()) else value(items.get(i), inner(type, 0))
            java.lang.reflect.Array.set(made, i, item)
        }
        return made
    }

    private fun primitive(item: kotlin.Any?, kind: kotlin.String): kotlin.Any? = value(
        item,
        when (kind) {
            "int" -> kotlin.reflect.typeOf<kotlin.Int>()
            "long" -> kotlin.reflect.typeOf<kotlin.Long>()
            "double" -> kotlin.reflect.typeOf<kotlin.Double>()
            "float" -> kotlin.reflect.typeOf<kotlin.Float>()
            "short" -> kotlin.reflect.typeOf<kotlin.Short>()
            "byte" -> kotlin.reflect.typeOf<kotlin.Byte>()
            "char" -> kotlin.reflect.typeOf<kotlin.Char>()
            else -> kotlin.reflect.typeOf<kotlin.Boolean>()
        },
    )

    private fun mapped(pairs: java.util.LinkedHashMap<*, *>, kind: java.lang.Class<*>, type: kotlin.reflect.KType): kotlin.Any {
        val made = fitting(kind, type, "java.util.LinkedHashMap", "java.util.TreeMap")
        if (made !is java.util.Map<*, *>) misfit("an argument does not fit its parameter, which is a " + type.toString())
        val keys = inner(type, 0)
        val spelled = keys.classifier != kotlin.String::class && keys.classifier != kotlin.Char::class && keys.classifier != kotlin.Any::class
        for (pair in pairs.entries) {
            var key = pair.key
            if (key is kotlin.String && spelled) {
                text = key + " "
                at = 0
                key = tree()
            }
            (made as java.util.Map<kotlin.Any?, kotlin.Any?>).put(value(key, keys), value(pair.value, inner(type, 1)))
        }
        return made
    }

    private fun encode(line: java.lang.StringBuilder, value: kotlin.Any?, depth: kotlin.Int) {
        if (depth == 0) misfit("the value is nested too deeply")
        if (value == null || value is kotlin.Unit) line.append("null")
        else if (value is kotlin.Double) real(line, value, value.toString())
        else if (value is kotlin.Float) real(line, value.toDouble(), value.toString())
        else if (value is kotlin.Boolean || value is kotlin.Number && bare(value) || value is kotlin.UByte || value is kotlin.UShort || value is kotlin.UInt || value is kotlin.ULong) line.append(value.toString())
        else if (value is kotlin.String || value is kotlin.Char || value is java.lang.StringBuilder) quote(line, value.toString())
        else if (value is kotlin.Enum<*>) quote(line, value.name)
        else if ((value as java.lang.Object).getClass().isArray()) {
            val items = java.util.ArrayList<kotlin.Any?>()
            for (i in 0..java.lang.reflect.Array.getLength(value) - 1) items.add(java.lang.reflect.Array.get(value, i))
            list(line, "[", items.iterator(), "]", depth)
        } else if (value is kotlin.Pair<*, *>) tuple(line, depth, value.first, value.second)
        else if (value is kotlin.Triple<*, *, *>) tuple(line, depth, value.first, value.second, value.third)
        else if (value is java.util.Map.Entry<*, *>) tuple(line, depth, value.getKey(), value.getValue())
        else if (value is java.util.Map<*, *>) pairs(line, value, depth)
        else if (value is java.util.Set<*>) list(line, "{\"\$set\":[", value.iterator(), "]}", depth)
        else if (value is java.lang.Iterable<*>) list(line, "[", value.iterator(), "]", depth)
        else if (value is kotlin.sequences.Sequence<*>) list(line, "[", value.iterator(), "]", depth)
        else {
            line.append("{\"\$opaque\":")
            quote(line, (value as java.lang.Object).getClass().getSimpleName())
            line.append('}')
        }
    }

    private fun bare(value: kotlin.Number): kotlin.Boolean =
        value is kotlin.Int || value is kotlin.Long || value is kotlin.Short || value is kotlin.Byte || value is java.math.BigInteger || value is java.math.BigDecimal

    private fun real(line: java.lang.StringBuilder, value: kotlin.Double, digits: kotlin.String) {
        if (java.lang.Double.isFinite(value)) line.append(digits)
        else line.append("{\"\$float\":\"").append(if (java.lang.Double.isNaN(value)) "nan" else if (value > 0) "inf" else "-inf").append("\"}")
    }

    private fun tuple(line: java.lang.StringBuilder, depth: kotlin.Int, vararg items: kotlin.Any?) {
        val held = java.util.ArrayList<kotlin.Any?>()
        for (item in items) held.add(item)
        list(line, "{\"\$tuple\":[", held.iterator(), "]}", depth)
    }

    private fun pairs(line: java.lang.StringBuilder, value: java.util.Map<*, *>, depth: kotlin.Int) {
        var before = "{\"\$dict\":[["
        if (value.isEmpty()) line.append("{\"\$dict\":[")
        for (pair in value.entrySet()) {
            line.append(before)
            encode(line, pair.key, depth - 1)
            line.append(',')
            encode(line, pair.value, depth - 1)
            line.append(']')
            before = ",["
        }
        line.append("]}")
    }

    private fun list(line: java.lang.StringBuilder, before: kotlin.String, items: kotlin.collections.Iterator<kotlin.Any?>, after: kotlin.String, depth: kotlin.Int) {
        line.append(before)
        var between = ""
        while (items.hasNext()) {
            line.append(between)
            encode(line, items.next(), depth - 1)
            between = ","
        }
        line.append(after)
    }

    private fun quote(line: java.lang.StringBuilder, value: kotlin.String) {
        line.append('"')
        for (i in 0..value.length - 1) {
            val letter = value.get(i)
            if (letter < ' ' || letter == '"' || letter == '\\' || java.lang.Character.isSurrogate(letter)) {
                line.append("\\u").append((java.lang.Integer.toHexString(letter.code + 0x10000) as java.lang.String).substring(1))
            } else {
                line.append(letter)
            }
        }
        line.append('"')
    }
}
