@program@
@close@
import @entry@Main.@entry@Arrow
object @entry@Guards {
@guards@}

@tests@

// It holds nothing else, because a package may be called as what stands beside this.
object @entry@Start {
  def @entry@run(words: _root_.scala.Array[_root_.java.lang.String]): _root_.scala.Unit = {
    @main@.@entry@guarded()
    @main@.@entry@(words)
  }
}

object @entry@Main {
  // What `a -> b` is in the tests, whatever the program has of that name.
  implicit final class @entry@Arrow[A](private val left: A) extends _root_.scala.AnyVal {
    def @entry@_->[B](right: B): _root_.scala.Tuple2[A, B] = new _root_.scala.Tuple2(left, right)
  }

  // Read the token, run the test code, then write it: the proof that it came to its end. No comment here has an end.
  def main(words: _root_.scala.Array[_root_.java.lang.String]): _root_.scala.Unit = {
    val token = new _root_.java.io.ByteArrayOutputStream()
    val in = new _root_.java.io.FileInputStream("/dev/fd/3")
    var next = in.read()
    while (next >= 0 && next != '\n') {
      token.write(next)
      next = in.read()
    }
    in.close()
    token.write('\n')
    try @entry@Start.@entry@run(words)
    catch {
      case error: _root_.java.lang.AssertionError =>
        put("failed\n".getBytes("ISO-8859-1"))
        throw error
    }
    put(token.toByteArray())
    _root_.java.lang.System.exit(0)
  }

  private def put(bytes: _root_.scala.Array[_root_.scala.Byte]): _root_.scala.Unit = {
    val out = new _root_.java.io.FileOutputStream("/dev/fd/4", true)
    try out.write(bytes)
    finally out.close()
  }

  def check(holds: _root_.scala.Boolean, message: => _root_.scala.Any = ""): _root_.scala.Unit =
    if (!holds) throw new _root_.java.lang.AssertionError("assertion failed: ".concat(_root_.java.lang.String.valueOf(message)))

  // What a name that is one of several library types stands for, as the program's imports have it.
  def library(name: _root_.java.lang.String, meant: _root_.scala.Any): _root_.scala.Unit =
    check(!own(meant) && meant.getClass().getName().matches("scala\\.collection\\.((im)?mutable\\.)?".concat(name).concat("\\$")), name)

  // Whether a value equals one of Scala's own, which the program's types have no say in.
  def same(given: _root_.scala.Any, wanted: _root_.scala.Any): _root_.scala.Boolean = wanted match {
    case null => given == null
    case _ if own(wanted) && !contents(wanted) => given != null && own(given) && given == wanted
    case items: _root_.scala.collection.Seq[_] =>
      given match {
        case others: _root_.scala.collection.Seq[_] => inOrder(others.iterator, items.iterator)
        case _ => false
      }
    case items: _root_.scala.collection.Set[_] =>
      given match {
        case others: _root_.scala.collection.Set[_] => members(others.iterator, items.iterator)
        case _ => false
      }
    case pairs: _root_.scala.collection.Map[_, _] =>
      given match {
        case others: _root_.scala.collection.Map[_, _] => members(others.iterator, pairs.iterator)
        case _ => false
      }
    case parts: _root_.scala.Product =>
      given != null && !own(given) && parts.canEqual(given) && inOrder(given.asInstanceOf[_root_.scala.Product].productIterator, parts.productIterator)
    case _ => given != null && !own(given) && wanted == given && (plain(given) || !plain(wanted))
  }

  // The same where the type of a number counts.
  def equal(given: _root_.scala.Any, wanted: _root_.scala.Any): _root_.scala.Boolean = same(given, wanted) && (given == null || wanted.equals(given))

  // Whether it is known by what it holds, of whatever type it is: a map with defaults of the program's is a map.
  private def contents(value: _root_.scala.Any): _root_.scala.Boolean = value match {
    case _: _root_.scala.collection.Seq[_] | _: _root_.scala.collection.Set[_] | _: _root_.scala.collection.Map[_, _] => true
    case _ => false
  }

  private def inOrder(given: _root_.scala.collection.Iterator[_root_.scala.Any], wanted: _root_.scala.collection.Iterator[_root_.scala.Any]): _root_.scala.Boolean = {
    while (given.hasNext && wanted.hasNext) if (!same(given.next(), wanted.next())) return false
    !given.hasNext && !wanted.hasNext
  }

  // Those without a part of the program's own are counted, by their hashes; the others are looked for one by one.
  private def members(given: _root_.scala.collection.Iterator[_root_.scala.Any], wanted: _root_.scala.collection.Iterator[_root_.scala.Any]): _root_.scala.Boolean = {
    val counts = new _root_.scala.collection.mutable.HashMap[_root_.scala.Any, _root_.scala.Int]()
    val others = new _root_.java.util.LinkedList[_root_.scala.Any]()
    while (given.hasNext) {
      val item = given.next()
      if (plain(item)) counts.update(item, counts.getOrElse(item, 0) + 1) else others.add(item)
    }
    while (wanted.hasNext) {
      val item = wanted.next()
      val left = if (plain(item)) counts.getOrElse(item, 0) else 0
      if (left > 1) counts.update(item, left - 1)
      else if (left == 1) counts.remove(item)
      else if (!taken(others.iterator(), item)) return false
    }
    counts.isEmpty && others.isEmpty()
  }

  private def taken(left: _root_.java.util.Iterator[_root_.scala.Any], wanted: _root_.scala.Any): _root_.scala.Boolean = {
    while (left.hasNext()) {
      if (same(left.next(), wanted)) {
        left.remove()
        return true
      }
    }
    false
  }

  // Whether nothing of it is of a type of the program's own.
  private def plain(value: _root_.scala.Any): _root_.scala.Boolean = value match {
    case null => true
    case _ if own(value) => false
    case items: _root_.scala.collection.Iterable[_] => items.iterator.forall(plain)
    case parts: _root_.scala.Product => parts.productIterator.forall(plain)
    case items: _root_.java.lang.Iterable[_] => holds(items.iterator())
    case pairs: _root_.java.util.Map[_, _] => holds(pairs.keySet().iterator()) && holds(pairs.values().iterator())
    case _ => true
  }

  private def holds(items: _root_.java.util.Iterator[_]): _root_.scala.Boolean = {
    while (items.hasNext()) if (!plain(items.next())) return false
    true
  }

  private def own(value: _root_.scala.Any): _root_.scala.Boolean =
    value.asInstanceOf[_root_.scala.AnyRef].getClass().getProtectionDomain() eq getClass().getProtectionDomain()
}
