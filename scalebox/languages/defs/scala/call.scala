@program@

// Decodes the arguments from descriptor 3 by the types of the method's parameters, calls it and writes its value to descriptor 4. The program may
// call anything as it likes, and may import anything for the whole file: names here are whole, and no method is one that an implicit would add.
final class ScaleBoxNumber(val text: _root_.java.lang.String)

object ScaleBoxMain {
  private type Text = _root_.java.lang.String
  private type Kind = _root_.scala.reflect.Manifest[_]
  private type Items = _root_.java.util.ArrayList[_root_.scala.Any]
  private type Pairs = _root_.java.util.LinkedHashMap[_root_.scala.Any, _root_.scala.Any]
  private type Build = _root_.scala.collection.mutable.Builder[_root_.scala.Any, _root_.scala.Any]
  private type Both = (_root_.scala.Any, _root_.scala.Any)

  def main(words: _root_.scala.Array[_root_.java.lang.String]): _root_.scala.Unit = {
    enter(@call@)
    _root_.java.lang.System.exit(0)
  }

  private def enter[@each{ScaleboxA#, }ScaleboxR](called: (@list{ScaleboxA#}) => ScaleboxR)(implicit @each{kind#: _root_.scala.reflect.Manifest[ScaleboxA#], }none: ScaleBoxNothing): _root_.scala.Unit = {
    // Not `readAllBytes` of the file itself: it asks for a place in it, and a pipe has none.
    val bytes = new _root_.java.io.BufferedInputStream(new _root_.java.io.FileInputStream("/dev/fd/3")).readAllBytes()
    val request = new ScaleBoxReader(new Text(bytes, _root_.java.nio.charset.StandardCharsets.UTF_8)).tree().asInstanceOf[Pairs]
    if (!request.get("kwargs").asInstanceOf[Pairs].isEmpty()) misfit("methods of Scala are given no arguments by name")
    val given = request.get("args").asInstanceOf[Items]
    val held: Items = new Items()
    @each{held.add(as(given.get(#), kind#)); }
    val value: _root_.scala.Any = called(@list{held.get(#).asInstanceOf[ScaleboxA#]})
    val mutated = request.get("mutated")
    val told = if (mutated == null) value else held.get(_root_.java.lang.Integer.parseInt(mutated.asInstanceOf[ScaleBoxNumber].text))
    val line = new _root_.java.lang.StringBuilder()
    encode(line, told, 200)
    line.append('\n')
    val out = new _root_.java.io.FileOutputStream("/dev/fd/4", true)
    out.write(line.toString().getBytes(_root_.java.nio.charset.StandardCharsets.UTF_8))
    out.close()
  }

  def misfit(reason: Text): _root_.scala.Nothing = throw new _root_.java.lang.IllegalArgumentException(reason)

  private def unfit(kind: Kind): _root_.scala.Nothing = misfit("an argument does not fit its parameter, which is a ".concat(kind.toString()))

  def tagged(pairs: _root_.java.util.LinkedHashMap[_root_.scala.Any, _root_.scala.Any]): _root_.scala.Any = {
    val tag = if (pairs.size() == 1) pairs.keySet().iterator().next().asInstanceOf[Text] else ""
    val inner = pairs.get(tag)
    if (!tag.startsWith("$")) pairs
    else if (tag == "$float") {
      if (inner == "nan") _root_.java.lang.Double.NaN else if (inner == "inf") _root_.java.lang.Double.POSITIVE_INFINITY else _root_.java.lang.Double.NEGATIVE_INFINITY
    } else if (tag == "$tuple" || tag == "$set" || tag == "$frozenset") inner
    else if (tag == "$int") new ScaleBoxNumber(new _root_.java.math.BigInteger(inner.asInstanceOf[Text].replace("0x", ""), 16).toString())
    else if (tag == "$dict") {
      val made: Pairs = new Pairs()
      val each = inner.asInstanceOf[Items].iterator()
      while (each.hasNext()) {
        val pair = each.next().asInstanceOf[Items]
        made.put(pair.get(0), pair.get(1))
      }
      made
    } else misfit("an argument is a ".concat(tag).concat(", which Scala has not"))
  }

  private def as(tree: _root_.scala.Any, kind: Kind): _root_.scala.Any = {
    val kept = kind.runtimeClass.asInstanceOf[_root_.java.lang.Class[_root_.scala.Any]]
    val any = kept == _root_.scala.Predef.classOf[_root_.java.lang.Object]
    if (kept == _root_.scala.Predef.classOf[_root_.scala.Option[_]]) {
      if (tree == null) _root_.scala.None else _root_.scala.Some(as(tree, inner(kind, 0)))
    } else if (tree == null) {
      if (kept.isPrimitive()) unfit(kind) else null
    } else tree match {
      case number: ScaleBoxNumber => digits(number.text, kept.getName(), kind)
      case real: _root_.java.lang.Double => if (kept.getName() == "float") _root_.java.lang.Float.valueOf(real.floatValue()) else if (any || kept.getName().endsWith("ouble")) real else unfit(kind)
      case truth: _root_.java.lang.Boolean => if (any || kept.getName().endsWith("oolean")) truth else unfit(kind)
      case letters: _root_.java.lang.String =>
        if ((kept.getName() == "char" || kept.getName() == "java.lang.Character") && letters.length() == 1) _root_.java.lang.Character.valueOf(letters.charAt(0))
        else if (kept.isInstance(letters)) letters
        else unfit(kind)
      case items: _root_.java.util.ArrayList[_] => listed(items.asInstanceOf[Items], kept, kind)
      case pairs: _root_.java.util.LinkedHashMap[_, _] => mapped(pairs.asInstanceOf[Pairs], kept, kind)
    }
  }

  private def inner(kind: Kind, index: _root_.scala.Int): Kind =
    if (index < kind.typeArguments.length) kind.typeArguments.apply(index).asInstanceOf[Kind] else _root_.scala.reflect.ManifestFactory.Any

  private def digits(text: Text, kept: Text, kind: Kind): _root_.scala.Any = {
    if (kept == "double" || kept == "java.lang.Double") _root_.java.lang.Double.valueOf(text)
    else if (kept == "float" || kept == "java.lang.Float") _root_.java.lang.Float.valueOf(text)
    else {
      val exact = new _root_.java.math.BigDecimal(text)
      val any = kept == "java.lang.Object"
      if (kept == "java.math.BigDecimal") exact
      else if (kept == "scala.math.BigDecimal") new _root_.scala.math.BigDecimal(exact, _root_.scala.math.BigDecimal.defaultMathContext)
      else if (any && exact.scale() > 0) _root_.java.lang.Double.valueOf(text)
      else if (_root_.java.lang.Math.abs(exact.scale()) > 400) unfit(kind)
      else {
        val whole = exact.toBigIntegerExact()
        if (kept == "int" || kept == "java.lang.Integer" || any && whole.bitLength() < 32) _root_.java.lang.Integer.valueOf(whole.intValueExact())
        else if (kept == "long" || kept == "java.lang.Long" || any && whole.bitLength() < 64) _root_.java.lang.Long.valueOf(whole.longValueExact())
        else if (kept == "short") _root_.java.lang.Short.valueOf(whole.shortValueExact())
        else if (kept == "byte") _root_.java.lang.Byte.valueOf(whole.byteValueExact())
        else if (kept == "java.math.BigInteger") whole
        else if (kept == "scala.math.BigInt" || any) new _root_.scala.math.BigInt(whole)
        else unfit(kind)
      }
    }
  }

  private def built(items: Items, kind: Kind, build: Build): _root_.scala.Any = {
    val each = items.iterator()
    while (each.hasNext()) build.addOne(as(each.next(), inner(kind, 0)))
    build.result()
  }

  private def listed(items: Items, kept: _root_.java.lang.Class[_root_.scala.Any], kind: Kind): _root_.scala.Any = {
    def is(name: Text): _root_.scala.Boolean = kept.isAssignableFrom(_root_.java.lang.Class.forName(name))
    if (kept.isArray()) {
      val made = _root_.java.lang.reflect.Array.newInstance(kept.getComponentType(), items.size())
      var i = 0
      while (i < items.size()) {
        _root_.java.lang.reflect.Array.set(made, i, as(items.get(i), inner(kind, 0)))
        i += 1
      }
      made
    } else if (kept.getName().startsWith("scala.Tuple")) {
      if (items.size() != kind.typeArguments.length) unfit(kind)
      val parts = _root_.java.lang.reflect.Array.newInstance(_root_.scala.Predef.classOf[_root_.java.lang.Object], items.size()).asInstanceOf[_root_.scala.Array[_root_.java.lang.Object]]
      var i = 0
      while (i < items.size()) {
        _root_.java.lang.reflect.Array.set(parts, i, as(items.get(i), inner(kind, i)))
        i += 1
      }
      whole(kept, parts)
    } else if (is("scala.collection.immutable.List")) built(items, kind, _root_.scala.collection.immutable.List.newBuilder[_root_.scala.Any])
    else if (is("scala.collection.immutable.Vector")) built(items, kind, _root_.scala.collection.immutable.Vector.newBuilder[_root_.scala.Any])
    else if (is("scala.collection.mutable.ArrayBuffer")) built(items, kind, _root_.scala.collection.mutable.ArrayBuffer.newBuilder[_root_.scala.Any])
    else if (is("scala.collection.mutable.ListBuffer")) built(items, kind, _root_.scala.collection.mutable.ListBuffer.newBuilder[_root_.scala.Any])
    else if (is("scala.collection.immutable.HashSet")) built(items, kind, _root_.scala.collection.immutable.HashSet.newBuilder[_root_.scala.Any])
    else if (is("scala.collection.mutable.HashSet")) built(items, kind, _root_.scala.collection.mutable.HashSet.newBuilder[_root_.scala.Any])
    else if (is("scala.collection.mutable.LinkedHashSet")) built(items, kind, _root_.scala.collection.mutable.LinkedHashSet.newBuilder[_root_.scala.Any])
    else if (is("scala.collection.immutable.TreeSet")) built(items, kind, _root_.scala.collection.immutable.TreeSet.newBuilder[_root_.scala.Any](ScaleBoxOrder))
    else if (is("scala.collection.mutable.TreeSet")) built(items, kind, _root_.scala.collection.mutable.TreeSet.newBuilder[_root_.scala.Any](ScaleBoxOrder))
    else if (is("scala.collection.immutable.Queue")) built(items, kind, _root_.scala.collection.immutable.Queue.newBuilder[_root_.scala.Any])
    else if (is("scala.collection.mutable.Queue")) built(items, kind, _root_.scala.collection.mutable.Queue.newBuilder[_root_.scala.Any])
    else if (is("scala.collection.mutable.Stack")) built(items, kind, _root_.scala.collection.mutable.Stack.newBuilder[_root_.scala.Any])
    else if (is("scala.collection.immutable.LazyList")) built(items, kind, _root_.scala.collection.immutable.LazyList.newBuilder[_root_.scala.Any])
    else if (is("scala.collection.immutable.ArraySeq")) _root_.scala.collection.immutable.ArraySeq.untagged.from(built(items, kind, _root_.scala.collection.immutable.List.newBuilder[_root_.scala.Any]).asInstanceOf[_root_.scala.collection.immutable.List[_root_.scala.Any]])
    else unfit(kind)
  }

  private def whole(kept: _root_.java.lang.Class[_root_.scala.Any], parts: _root_.scala.Array[_root_.java.lang.Object]): _root_.scala.Any = {
    val constructors = kept.getConstructors()
    _root_.java.lang.reflect.Array.get(constructors, 0).asInstanceOf[_root_.java.lang.reflect.Constructor[_root_.scala.Any]].newInstance(parts: _*)
  }

  private def mapped(pairs: Pairs, kept: _root_.java.lang.Class[_root_.scala.Any], kind: Kind): _root_.scala.Any = {
    def is(name: Text): _root_.scala.Boolean = kept.isAssignableFrom(_root_.java.lang.Class.forName(name))
    val build: _root_.scala.collection.mutable.Builder[Both, _root_.scala.Any] =
      if (is("scala.collection.immutable.HashMap")) _root_.scala.collection.immutable.HashMap.newBuilder[_root_.scala.Any, _root_.scala.Any]
      else if (is("scala.collection.mutable.HashMap")) _root_.scala.collection.mutable.HashMap.newBuilder[_root_.scala.Any, _root_.scala.Any]
      else if (is("scala.collection.mutable.LinkedHashMap")) _root_.scala.collection.mutable.LinkedHashMap.newBuilder[_root_.scala.Any, _root_.scala.Any]
      else if (is("scala.collection.immutable.ListMap")) _root_.scala.collection.immutable.ListMap.newBuilder[_root_.scala.Any, _root_.scala.Any]
      else if (is("scala.collection.immutable.TreeMap")) _root_.scala.collection.immutable.TreeMap.newBuilder[_root_.scala.Any, _root_.scala.Any](ScaleBoxOrder)
      else if (is("scala.collection.mutable.TreeMap")) _root_.scala.collection.mutable.TreeMap.newBuilder[_root_.scala.Any, _root_.scala.Any](ScaleBoxOrder)
      else unfit(kind)
    val keys = inner(kind, 0)
    val named = keys.runtimeClass.isAssignableFrom(_root_.scala.Predef.classOf[_root_.java.lang.String]) || keys.runtimeClass.getName() == "char"
    val each = pairs.entrySet().iterator()
    while (each.hasNext()) {
      val pair = each.next()
      val key: _root_.scala.Any = pair.getKey() match {
        case name: _root_.java.lang.String => if (named) name else new ScaleBoxReader(name.concat(" ")).tree()
        case other => other
      }
      build.addOne(new _root_.scala.Tuple2[_root_.scala.Any, _root_.scala.Any](as(key, keys), as(pair.getValue(), inner(kind, 1))))
    }
    build.result()
  }

  private def encode(line: _root_.java.lang.StringBuilder, value: _root_.scala.Any, depth: _root_.scala.Int): _root_.scala.Unit = {
    if (depth == 0) misfit("the value is nested too deeply")
    value match {
      case null => line.append("null")
      case _: _root_.scala.runtime.BoxedUnit => line.append("null")
      case real: _root_.java.lang.Double => this.real(line, real.doubleValue(), real.toString())
      case real: _root_.java.lang.Float => this.real(line, real.doubleValue(), real.toString())
      case _: _root_.java.lang.Boolean | _: _root_.java.lang.Integer | _: _root_.java.lang.Long | _: _root_.java.lang.Short | _: _root_.java.lang.Byte |
          _: _root_.java.math.BigInteger | _: _root_.java.math.BigDecimal | _: _root_.scala.math.BigInt | _: _root_.scala.math.BigDecimal => line.append(value.toString())
      case _: _root_.java.lang.String | _: _root_.java.lang.Character | _: _root_.java.lang.StringBuilder | _: _root_.scala.collection.mutable.StringBuilder |
          _: _root_.scala.collection.immutable.WrappedString => quote(line, value.toString())
      case _root_.scala.None => line.append("null")
      case some: _root_.scala.Some[_] => encode(line, some.value, depth - 1)
      case right: _root_.scala.util.Right[_, _] => encode(line, right.value, depth - 1)
      case left: _root_.scala.util.Left[_, _] => encode(line, left.value, depth - 1)
      case array if array.getClass().isArray() => list(line, "[", new ScaleBoxItems(array), "]", depth)
      case pairs: _root_.scala.collection.Map[_, _] => dict(line, pairs.iterator, depth)
      case items: _root_.scala.collection.Set[_] => list(line, "{\"$set\":[", items.iterator, "]}", depth)
      case items: _root_.scala.collection.IterableOnce[_] => list(line, "[", items.iterator, "]", depth)
      case parts: _root_.scala.Product if parts.getClass().getName().startsWith("scala.Tuple") => list(line, "{\"$tuple\":[", parts.productIterator, "]}", depth)
      case items: _root_.java.util.Set[_] => list(line, "{\"$set\":[", new ScaleBoxItems(items.toArray()), "]}", depth)
      case items: _root_.java.util.Collection[_] => list(line, "[", new ScaleBoxItems(items.toArray()), "]", depth)
      case other =>
        line.append("{\"$opaque\":")
        quote(line, other.getClass().getName())
        line.append("}")
    }
  }

  private def real(line: _root_.java.lang.StringBuilder, value: _root_.scala.Double, digits: Text): _root_.scala.Unit = {
    if (!_root_.java.lang.Double.isInfinite(value) && !_root_.java.lang.Double.isNaN(value)) line.append(digits)
    else line.append("{\"$float\":\"").append(if (_root_.java.lang.Double.isNaN(value)) "nan" else if (value > 0) "inf" else "-inf").append("\"}")
  }

  private def list(line: _root_.java.lang.StringBuilder, before: Text, items: _root_.scala.collection.Iterator[_root_.scala.Any], after: Text, depth: _root_.scala.Int): _root_.scala.Unit = {
    line.append(before)
    var between = ""
    while (items.hasNext) {
      line.append(between)
      encode(line, items.next(), depth - 1)
      between = ","
    }
    line.append(after)
  }

  private def dict(line: _root_.java.lang.StringBuilder, pairs: _root_.scala.collection.Iterator[_root_.scala.Any], depth: _root_.scala.Int): _root_.scala.Unit = {
    line.append("{\"$dict\":[")
    var between = ""
    while (pairs.hasNext) {
      line.append(between)
      list(line, "[", pairs.next().asInstanceOf[_root_.scala.Product].productIterator, "]", depth)
      between = ","
    }
    line.append("]}")
  }

  private def quote(line: _root_.java.lang.StringBuilder, value: Text): _root_.scala.Unit = {
    line.append('"')
    var i = 0
    while (i < value.length()) {
      val letter = value.charAt(i)
      if (letter < ' ' || letter == '"' || letter == '\\' || _root_.java.lang.Character.isSurrogate(letter)) {
        line.append("\\u").append(_root_.java.lang.Integer.toHexString(letter + 0x10000).substring(1))
      } else line.append(letter)
      i += 1
    }
    line.append('"')
  }
}

// Ends the list of types that the compiler tells, which may be empty.
final class ScaleBoxNothing
object ScaleBoxNothing {
  implicit val none: ScaleBoxNothing = new ScaleBoxNothing
}

object ScaleBoxOrder extends _root_.scala.math.Ordering[_root_.scala.Any] {
  def compare(left: _root_.scala.Any, right: _root_.scala.Any): _root_.scala.Int = left.asInstanceOf[_root_.java.lang.Comparable[_root_.scala.Any]].compareTo(right)
}

final class ScaleBoxItems(array: _root_.scala.Any) extends _root_.scala.collection.AbstractIterator[_root_.scala.Any] {
  private var at = 0
  def hasNext: _root_.scala.Boolean = at < _root_.java.lang.reflect.Array.getLength(array)
  def next(): _root_.scala.Any = {
    at += 1
    _root_.java.lang.reflect.Array.get(array, at - 1)
  }
}

// As the document says it: lists, maps, strings, truth values, numbers as they are written, doubles that JSON has not, nothing.
final class ScaleBoxReader(text: _root_.java.lang.String) {
  private var at = 0

  private def letter(): _root_.scala.Char = if (at < text.length()) text.charAt(at) else ScaleBoxMain.misfit("an argument is malformed")

  private def next(): _root_.scala.Char = {
    while (" \n\t\r".indexOf(letter().toInt) >= 0) at += 1
    letter()
  }

  private def take(mark: _root_.scala.Char): _root_.scala.Boolean = {
    val there = next() == mark
    if (there) at += 1
    there
  }

  def tree(): _root_.scala.Any = {
    val mark = next()
    if (mark == '"') string()
    else if (mark == '[') {
      at += 1
      val items = new _root_.java.util.ArrayList[_root_.scala.Any]()
      while (!take(']')) {
        items.add(tree())
        take(',')
      }
      items
    } else if (mark == '{') {
      at += 1
      val pairs = new _root_.java.util.LinkedHashMap[_root_.scala.Any, _root_.scala.Any]()
      while (!take('}')) {
        next()
        val name = string()
        take(':')
        pairs.put(name, tree())
        take(',')
      }
      ScaleBoxMain.tagged(pairs)
    } else if (mark == 't' || mark == 'n') {
      at += 4
      if (mark == 't') true else null
    } else if (mark == 'f') {
      at += 5
      false
    } else {
      val start = at
      while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at).toInt) >= 0) at += 1
      if (at == start) ScaleBoxMain.misfit("an argument is malformed")
      new ScaleBoxNumber(text.substring(start, at))
    }
  }

  private def string(): _root_.java.lang.String = {
    val made = new _root_.java.lang.StringBuilder()
    at += 1
    while (letter() != '"') {
      if (letter() != '\\') {
        made.append(letter())
        at += 1
      } else {
        at += 1
        val mark = letter()
        val simple = "bfnrt".indexOf(mark.toInt)
        at += 1
        if (mark == 'u') {
          made.append(_root_.java.lang.Integer.parseInt(text.substring(at, at + 4), 16).toChar)
          at += 4
        } else made.append(if (simple < 0) mark else "\b\f\n\r\t".charAt(simple))
      }
    }
    at += 1
    made.toString()
  }
}
