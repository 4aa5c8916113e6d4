{-# LANGUAGE FlexibleInstances, FlexibleContexts, UndecidableInstances, ExtendedDefaultRules #-}
@program@

-- Decodes the arguments from descriptor 3 by the types of the function's parameters, calls it and writes its value to descriptor 4. Every name
-- here is whole or has a prefix that no program's has: the program may hide, define and import what it likes.
data ScaleBoxTree
  = ScaleBoxNull
  | ScaleBoxTruth ScaleBox.Bool
  | ScaleBoxNumber !ScaleBox.Integer !ScaleBox.Int -- times a power of ten
  | ScaleBoxSpecial ScaleBox.String -- a number that no integer is, as minus zero
  | ScaleBoxText ScaleBox.String
  | ScaleBoxList [ScaleBoxTree]
  | ScaleBoxPairs [(ScaleBoxTree, ScaleBoxTree)]

scaleBoxMisfit :: ScaleBox.String -> a
scaleBoxMisfit reason = ScaleBox.errorWithoutStackTrace ("the function cannot be called: " ScaleBox.++ reason)

scaleBoxUnfit :: ScaleBox.String -> a
scaleBoxUnfit kind = scaleBoxMisfit ("an argument does not fit its parameter, which is a " ScaleBox.++ kind)

-- The bytes of a file as characters; half a character is one too, as in strings of Haskell.
scaleBoxDecoded :: ScaleBox.String -> ScaleBox.String
scaleBoxDecoded [] = []
scaleBoxDecoded (a : rest)
  | a ScaleBox.< '\x80' = a : scaleBoxDecoded rest
  | a ScaleBox.< '\xe0', (b : more) <- rest = scaleBoxBits 0x1f (a : b : []) : scaleBoxDecoded more
  | a ScaleBox.< '\xf0', (b : c : more) <- rest = scaleBoxBits 0x0f (a : b : c : []) : scaleBoxDecoded more
  | (b : c : d : more) <- rest = scaleBoxBits 0x07 (a : b : c : d : []) : scaleBoxDecoded more
  | ScaleBox.otherwise = scaleBoxMisfit "the arguments are malformed"

scaleBoxBits :: ScaleBox.Int -> ScaleBox.String -> ScaleBox.Char
scaleBoxBits mask bytes = ScaleBox.chr (go 0 mask bytes)
  where
    go :: ScaleBox.Int -> ScaleBox.Int -> ScaleBox.String -> ScaleBox.Int
    go code _ [] = code
    go code kept (byte : more) = go (code ScaleBox.* 64 ScaleBox.+ ScaleBox.rem (ScaleBox.ord byte) (kept ScaleBox.+ 1)) 63 more

scaleBoxSkip :: ScaleBox.String -> ScaleBox.String
scaleBoxSkip (c : rest) | ScaleBox.elem c (" \t\r\n,:" :: ScaleBox.String) = scaleBoxSkip rest
scaleBoxSkip rest = rest

scaleBoxRead :: ScaleBox.String -> (ScaleBoxTree, ScaleBox.String)
scaleBoxRead text = case scaleBoxSkip text of
  '"' : rest -> case scaleBoxLetters rest of (letters, more) -> (ScaleBoxText letters, more)
  '[' : rest -> case scaleBoxItems rest of (items, more) -> (ScaleBoxList items, more)
  '{' : rest -> case scaleBoxNamed rest of (pairs, more) -> (scaleBoxTagged pairs, more)
  't' : 'r' : 'u' : 'e' : rest -> (ScaleBoxTruth ScaleBox.True, rest)
  'f' : 'a' : 'l' : 's' : 'e' : rest -> (ScaleBoxTruth ScaleBox.False, rest)
  'n' : 'u' : 'l' : 'l' : rest -> (ScaleBoxNull, rest)
  rest -> case ScaleBox.span (\c -> ScaleBox.elem c ("+-.eE0123456789" :: ScaleBox.String)) rest of
    ([], _) -> scaleBoxMisfit "the arguments are malformed"
    (digits, more) -> case scaleBoxDecimal digits of number -> ScaleBox.seq number (number, more)

scaleBoxItems :: ScaleBox.String -> ([ScaleBoxTree], ScaleBox.String)
scaleBoxItems text = case scaleBoxSkip text of
  ']' : rest -> ([], rest)
  rest -> case scaleBoxRead rest of
    (item, more) -> case scaleBoxItems more of (items, end) -> (item : items, end)

scaleBoxNamed :: ScaleBox.String -> ([(ScaleBoxTree, ScaleBoxTree)], ScaleBox.String)
scaleBoxNamed text = case scaleBoxSkip text of
  '}' : rest -> ([], rest)
  rest -> case scaleBoxRead rest of
    (name, more) -> case scaleBoxRead more of
      (item, after) -> case scaleBoxNamed after of (pairs, end) -> ((name, item) : pairs, end)

scaleBoxLetters :: ScaleBox.String -> (ScaleBox.String, ScaleBox.String)
scaleBoxLetters text = case text of
  '"' : rest -> ([], rest)
  '\\' : 'u' : a : b : c : d : rest -> scaleBoxUnit (scaleBoxHex (a : b : c : d : [])) rest
  '\\' : mark : rest -> also (case mark of 'n' -> '\n'; 't' -> '\t'; 'r' -> '\r'; 'b' -> '\b'; 'f' -> '\f'; _ -> mark) rest
  letter : rest -> also letter rest
  [] -> scaleBoxMisfit "the arguments are malformed"
  where
    also :: ScaleBox.Char -> ScaleBox.String -> (ScaleBox.String, ScaleBox.String)
    also letter rest = case scaleBoxLetters rest of (letters, end) -> (letter : letters, end)

scaleBoxUnit :: ScaleBox.Int -> ScaleBox.String -> (ScaleBox.String, ScaleBox.String)
scaleBoxUnit high ('\\' : 'u' : a : b : c : d : rest)
  | high ScaleBox.>= 0xd800, high ScaleBox.< 0xdc00, low ScaleBox.>= 0xdc00, low ScaleBox.< 0xe000 =
      case scaleBoxLetters rest of (letters, end) -> (ScaleBox.chr (0x10000 ScaleBox.+ (high ScaleBox.- 0xd800) ScaleBox.* 1024 ScaleBox.+ low ScaleBox.- 0xdc00) : letters, end)
  where
    low :: ScaleBox.Int
    low = scaleBoxHex (a : b : c : d : [])
scaleBoxUnit code rest = case scaleBoxLetters rest of (letters, end) -> (ScaleBox.chr code : letters, end)

scaleBoxHex :: ScaleBox.String -> ScaleBox.Int
scaleBoxHex = ScaleBox.foldl' (\code digit -> code ScaleBox.* 16 ScaleBox.+ ScaleBox.digitToInt digit) 0

scaleBoxTagged :: [(ScaleBoxTree, ScaleBoxTree)] -> ScaleBoxTree
scaleBoxTagged ((ScaleBoxText ('$' : tag), inner) : []) = case (tag, inner) of
  ("float", ScaleBoxText name) -> ScaleBoxSpecial name
  ("int", ScaleBoxText ('-' : digits)) -> ScaleBoxNumber (ScaleBox.negate (scaleBoxLong digits)) 0
  ("int", ScaleBoxText digits) -> ScaleBoxNumber (scaleBoxLong digits) 0
  ("tuple", _) -> inner
  ("set", _) -> inner
  ("frozenset", _) -> inner
  ("dict", ScaleBoxList pairs) -> ScaleBoxPairs (ScaleBox.map pair pairs)
  _ -> scaleBoxMisfit ("an argument is a " ScaleBox.++ tag ScaleBox.++ ", which Haskell has not")
  where
    pair :: ScaleBoxTree -> (ScaleBoxTree, ScaleBoxTree)
    pair (ScaleBoxList (key : item : [])) = (key, item)
    pair _ = scaleBoxMisfit "the arguments are malformed"
scaleBoxTagged pairs = ScaleBoxPairs pairs

scaleBoxLong :: ScaleBox.String -> ScaleBox.Integer
scaleBoxLong digits = ScaleBox.foldl' (\value digit -> value ScaleBox.* 16 ScaleBox.+ ScaleBox.toInteger (ScaleBox.digitToInt digit)) 0 (case digits of '0' : 'x' : more -> more; _ -> digits)

scaleBoxDecimal :: ScaleBox.String -> ScaleBoxTree
scaleBoxDecimal ('-' : digits) = case scaleBoxDecimal digits of
  ScaleBoxNumber 0 power | power ScaleBox.< 0 -> ScaleBoxSpecial "-0"
  ScaleBoxNumber whole power -> ScaleBoxNumber (ScaleBox.negate whole) power
  other -> other
scaleBoxDecimal text = case ScaleBox.span ScaleBox.isDigit text of
  (whole, rest) -> case rest of
    '.' : more -> case ScaleBox.span ScaleBox.isDigit more of
      (part, end) -> ScaleBoxNumber (natural (whole ScaleBox.++ part)) (exponent end ScaleBox.- ScaleBox.length part)
    _ -> ScaleBoxNumber (natural whole) (exponent rest)
  where
    natural :: ScaleBox.String -> ScaleBox.Integer
    natural = ScaleBox.foldl' (\value digit -> value ScaleBox.* 10 ScaleBox.+ ScaleBox.toInteger (ScaleBox.digitToInt digit)) 0
    exponent :: ScaleBox.String -> ScaleBox.Int
    exponent (_ : '-' : digits) = ScaleBox.negate (ScaleBox.fromInteger (natural digits))
    exponent (_ : '+' : digits) = ScaleBox.fromInteger (natural digits)
    exponent (_ : digits) = ScaleBox.fromInteger (natural digits)
    exponent [] = 0

scaleBoxWhole :: ScaleBox.String -> ScaleBoxTree -> ScaleBox.Integer
scaleBoxWhole _ (ScaleBoxSpecial "-0") = 0
scaleBoxWhole _ (ScaleBoxNumber whole 0) = whole
scaleBoxWhole kind (ScaleBoxNumber whole power)
  | power ScaleBox.> 0, power ScaleBox.< 400 = whole ScaleBox.* 10 ScaleBox.^ power
  | power ScaleBox.< 0, power ScaleBox.> ScaleBox.negate 400, (value, 0) <- ScaleBox.quotRem whole (10 ScaleBox.^ ScaleBox.negate power) = value
scaleBoxWhole kind _ = scaleBoxUnfit kind

scaleBoxReal :: ScaleBox.Fractional a => ScaleBoxTree -> a
scaleBoxReal (ScaleBoxNumber whole power)
  | power ScaleBox.>= 0 = ScaleBox.fromRational ((whole ScaleBox.* 10 ScaleBox.^ power) ScaleBox.% 1)
  | ScaleBox.otherwise = ScaleBox.fromRational (whole ScaleBox.% (10 ScaleBox.^ ScaleBox.negate power))
scaleBoxReal (ScaleBoxSpecial name) = case name of
  "nan" -> 0 ScaleBox./ 0
  "inf" -> 1 ScaleBox./ 0
  "-inf" -> ScaleBox.negate 1 ScaleBox./ 0
  _ -> ScaleBox.negate 0
scaleBoxReal _ = scaleBoxUnfit "number"

-- What plain data can become.
class ScaleBoxDecode a where
  scaleBoxDecode :: ScaleBoxTree -> a
  scaleBoxDecodes :: ScaleBoxTree -> [a]
  scaleBoxDecodes (ScaleBoxList items) = scaleBoxEach items
  scaleBoxDecodes _ = scaleBoxUnfit "list"
  scaleBoxKey :: ScaleBoxTree -> a -- of a dictionary: a string, or what a string spells
  scaleBoxKey (ScaleBoxText name) = scaleBoxDecode (case scaleBoxRead name of (tree, _) -> tree)
  scaleBoxKey tree = scaleBoxDecode tree

scaleBoxEach :: ScaleBoxDecode a => [ScaleBoxTree] -> [a]
scaleBoxEach [] = []
scaleBoxEach (item : items) = case scaleBoxDecode item of value -> ScaleBox.seq value (case scaleBoxEach items of values -> ScaleBox.seq values (value : values))

-- Where its type is left open, an argument is an integer.
scaleBoxHold :: (ScaleBox.Eq a, ScaleBoxDecode a) => ScaleBoxTree -> (a -> ScaleBox.ShowS) -> ScaleBox.ShowS
scaleBoxHold tree called = case scaleBoxDecode tree of value -> ScaleBox.seq value (called value)

scaleBoxFits :: ScaleBox.Integral a => ScaleBox.String -> ScaleBoxTree -> a
scaleBoxFits kind tree = case scaleBoxWhole kind tree of
  whole -> case ScaleBox.fromInteger whole of
    value
      | ScaleBox.toInteger value ScaleBox.== whole -> value
      | ScaleBox.otherwise -> scaleBoxUnfit kind

instance ScaleBoxDecode ScaleBox.Integer where scaleBoxDecode = scaleBoxWhole "Integer"
instance ScaleBoxDecode ScaleBox.Natural where scaleBoxDecode tree = case scaleBoxWhole "Natural" tree of { whole | whole ScaleBox.< 0 -> scaleBoxUnfit "Natural" | ScaleBox.otherwise -> ScaleBox.fromInteger whole }
instance ScaleBoxDecode ScaleBox.Int where scaleBoxDecode = scaleBoxFits "Int"
instance ScaleBoxDecode ScaleBox.Int8 where scaleBoxDecode = scaleBoxFits "Int8"
instance ScaleBoxDecode ScaleBox.Int16 where scaleBoxDecode = scaleBoxFits "Int16"
instance ScaleBoxDecode ScaleBox.Int32 where scaleBoxDecode = scaleBoxFits "Int32"
instance ScaleBoxDecode ScaleBox.Int64 where scaleBoxDecode = scaleBoxFits "Int64"
instance ScaleBoxDecode ScaleBox.Word where scaleBoxDecode = scaleBoxFits "Word"
instance ScaleBoxDecode ScaleBox.Word8 where scaleBoxDecode = scaleBoxFits "Word8"
instance ScaleBoxDecode ScaleBox.Word16 where scaleBoxDecode = scaleBoxFits "Word16"
instance ScaleBoxDecode ScaleBox.Word32 where scaleBoxDecode = scaleBoxFits "Word32"
instance ScaleBoxDecode ScaleBox.Word64 where scaleBoxDecode = scaleBoxFits "Word64"
instance ScaleBoxDecode ScaleBox.Double where scaleBoxDecode = scaleBoxReal
instance ScaleBoxDecode ScaleBox.Float where scaleBoxDecode = scaleBoxReal
instance ScaleBoxDecode ScaleBox.Bool where
  scaleBoxDecode (ScaleBoxTruth truth) = truth
  scaleBoxDecode _ = scaleBoxUnfit "Bool"
instance ScaleBoxDecode ScaleBox.Char where
  scaleBoxDecode (ScaleBoxText (letter : [])) = letter
  scaleBoxDecode _ = scaleBoxUnfit "Char"
  scaleBoxDecodes (ScaleBoxText letters) = letters
  scaleBoxDecodes (ScaleBoxList items) = scaleBoxEach items
  scaleBoxDecodes _ = scaleBoxUnfit "String"
  scaleBoxKey = scaleBoxDecode
instance ScaleBoxDecode a => ScaleBoxDecode [a] where
  scaleBoxDecode = scaleBoxDecodes
  scaleBoxKey = scaleBoxDecodes
instance ScaleBoxDecode ScaleBoxText.Text where
  scaleBoxDecode (ScaleBoxText letters) = ScaleBoxText.pack letters
  scaleBoxDecode _ = scaleBoxUnfit "Text"
  scaleBoxKey = scaleBoxDecode
instance ScaleBoxDecode a => ScaleBoxDecode (ScaleBox.Maybe a) where
  scaleBoxDecode ScaleBoxNull = ScaleBox.Nothing
  scaleBoxDecode tree = case scaleBoxDecode tree of value -> ScaleBox.seq value (ScaleBox.Just value)
instance (ScaleBox.Ix i, ScaleBox.Num i, ScaleBox.Enum i, ScaleBoxDecode a) => ScaleBoxDecode (ScaleBox.Array i a) where
  scaleBoxDecode tree = case scaleBoxDecodes tree of
    items -> ScaleBox.listArray (0, ScaleBox.toEnum (ScaleBox.length items) ScaleBox.- 1) items
instance (ScaleBoxDecode a, ScaleBoxDecode b) => ScaleBoxDecode (a, b) where
  scaleBoxDecode (ScaleBoxList (a : b : [])) = (scaleBoxDecode a, scaleBoxDecode b)
  scaleBoxDecode _ = scaleBoxUnfit "pair"
instance (ScaleBoxDecode a, ScaleBoxDecode b, ScaleBoxDecode c) => ScaleBoxDecode (a, b, c) where
  scaleBoxDecode (ScaleBoxList (a : b : c : [])) = (scaleBoxDecode a, scaleBoxDecode b, scaleBoxDecode c)
  scaleBoxDecode _ = scaleBoxUnfit "tuple of three"
instance (ScaleBoxDecode a, ScaleBoxDecode b, ScaleBoxDecode c, ScaleBoxDecode d) => ScaleBoxDecode (a, b, c, d) where
  scaleBoxDecode (ScaleBoxList (a : b : c : d : [])) = (scaleBoxDecode a, scaleBoxDecode b, scaleBoxDecode c, scaleBoxDecode d)
  scaleBoxDecode _ = scaleBoxUnfit "tuple of four"
instance (ScaleBox.Ord k, ScaleBoxDecode k, ScaleBoxDecode a) => ScaleBoxDecode (ScaleBoxMap.Map k a) where
  scaleBoxDecode tree = ScaleBoxMap.fromList (scaleBoxPairs tree)
instance ScaleBoxDecode a => ScaleBoxDecode (ScaleBoxIntMap.IntMap a) where
  scaleBoxDecode tree = ScaleBoxIntMap.fromList (scaleBoxPairs tree)
instance ScaleBoxDecode ScaleBoxIntSet.IntSet where
  scaleBoxDecode tree = ScaleBoxIntSet.fromList (scaleBoxDecodes tree)
instance {-# OVERLAPPABLE #-} (ScaleBox.IsList (t a), ScaleBoxDecode (ScaleBox.Item (t a))) => ScaleBoxDecode (t a) where
  scaleBoxDecode tree = ScaleBox.fromList (scaleBoxDecodes tree)
instance {-# OVERLAPPABLE #-} (ScaleBox.IsList (t k a), ScaleBoxPair (ScaleBox.Item (t k a))) => ScaleBoxDecode (t k a) where
  scaleBoxDecode tree = ScaleBox.fromList (scaleBoxPairs tree)

-- An entry of a dictionary of whatever library.
class ScaleBoxPair p where
  scaleBoxPair :: (ScaleBoxTree, ScaleBoxTree) -> p
instance (ScaleBoxDecode k, ScaleBoxDecode a) => ScaleBoxPair (k, a) where
  scaleBoxPair (key, item) = (scaleBoxKey key, scaleBoxDecode item)

scaleBoxPairs :: ScaleBoxPair p => ScaleBoxTree -> [p]
scaleBoxPairs (ScaleBoxPairs pairs) = ScaleBox.map scaleBoxPair pairs
scaleBoxPairs _ = scaleBoxUnfit "dictionary"

-- What can become plain data.
class ScaleBoxEncode a where
  scaleBoxEncode :: a -> ScaleBox.ShowS
  scaleBoxEncodes :: [a] -> ScaleBox.ShowS
  scaleBoxEncodes items = ('[' :) ScaleBox.. scaleBoxJoined (ScaleBox.map scaleBoxEncode items) ScaleBox.. (']' :)

scaleBoxJoined :: [ScaleBox.ShowS] -> ScaleBox.ShowS
scaleBoxJoined parts = ScaleBox.foldr (ScaleBox..) ScaleBox.id (ScaleBox.intersperse (',' :) parts)

scaleBoxWrapped :: ScaleBox.String -> [ScaleBox.ShowS] -> ScaleBox.ShowS
scaleBoxWrapped tag parts = ScaleBox.showString "{\"$" ScaleBox.. ScaleBox.showString tag ScaleBox.. ScaleBox.showString "\":[" ScaleBox.. scaleBoxJoined parts ScaleBox.. ScaleBox.showString "]}"

scaleBoxBoth :: (ScaleBoxEncode a, ScaleBoxEncode b) => (a, b) -> ScaleBox.ShowS
scaleBoxBoth (a, b) = ('[' :) ScaleBox.. scaleBoxEncode a ScaleBox.. (',' :) ScaleBox.. scaleBoxEncode b ScaleBox.. (']' :)

scaleBoxQuoted :: ScaleBox.String -> ScaleBox.ShowS
scaleBoxQuoted text = ('"' :) ScaleBox.. (\end -> ScaleBox.foldr letter end text) ScaleBox.. ('"' :)
  where
    letter :: ScaleBox.Char -> ScaleBox.ShowS
    letter c
      | code ScaleBox.>= 0x10000 = unit (0xd7c0 ScaleBox.+ ScaleBox.quot code 1024) ScaleBox.. unit (0xdc00 ScaleBox.+ ScaleBox.rem code 1024)
      | code ScaleBox.< 0x20 ScaleBox.|| code ScaleBox.>= 0x7f ScaleBox.|| c ScaleBox.== '"' ScaleBox.|| c ScaleBox.== '\\' = unit code
      | ScaleBox.otherwise = (c :)
      where
        code :: ScaleBox.Int
        code = ScaleBox.ord c
    unit :: ScaleBox.Int -> ScaleBox.ShowS
    unit code = ScaleBox.showString "\\u" ScaleBox.. digit (ScaleBox.quot code 4096) ScaleBox.. digit (ScaleBox.quot code 256) ScaleBox.. digit (ScaleBox.quot code 16) ScaleBox.. digit code
    digit :: ScaleBox.Int -> ScaleBox.ShowS
    digit code = (ScaleBox.intToDigit (ScaleBox.rem code 16) :)

scaleBoxFloat :: (ScaleBox.RealFloat a, ScaleBox.Show a) => a -> ScaleBox.ShowS
scaleBoxFloat value
  | ScaleBox.isNaN value = ScaleBox.showString "{\"$float\":\"nan\"}"
  | ScaleBox.isInfinite value = ScaleBox.showString (if value ScaleBox.> 0 then "{\"$float\":\"inf\"}" else "{\"$float\":\"-inf\"}")
  | ScaleBox.otherwise = ScaleBox.showString (ScaleBox.show value)

instance ScaleBoxEncode ScaleBox.Integer where scaleBoxEncode value = ScaleBox.showString (ScaleBox.show value)
instance ScaleBoxEncode ScaleBox.Natural where scaleBoxEncode value = ScaleBox.showString (ScaleBox.show value)
instance ScaleBoxEncode ScaleBox.Int where scaleBoxEncode value = ScaleBox.showString (ScaleBox.show value)
instance ScaleBoxEncode ScaleBox.Int8 where scaleBoxEncode value = ScaleBox.showString (ScaleBox.show value)
instance ScaleBoxEncode ScaleBox.Int16 where scaleBoxEncode value = ScaleBox.showString (ScaleBox.show value)
instance ScaleBoxEncode ScaleBox.Int32 where scaleBoxEncode value = ScaleBox.showString (ScaleBox.show value)
instance ScaleBoxEncode ScaleBox.Int64 where scaleBoxEncode value = ScaleBox.showString (ScaleBox.show value)
instance ScaleBoxEncode ScaleBox.Word where scaleBoxEncode value = ScaleBox.showString (ScaleBox.show value)
instance ScaleBoxEncode ScaleBox.Word8 where scaleBoxEncode value = ScaleBox.showString (ScaleBox.show value)
instance ScaleBoxEncode ScaleBox.Word16 where scaleBoxEncode value = ScaleBox.showString (ScaleBox.show value)
instance ScaleBoxEncode ScaleBox.Word32 where scaleBoxEncode value = ScaleBox.showString (ScaleBox.show value)
instance ScaleBoxEncode ScaleBox.Word64 where scaleBoxEncode value = ScaleBox.showString (ScaleBox.show value)
instance ScaleBoxEncode ScaleBox.Double where scaleBoxEncode = scaleBoxFloat
instance ScaleBoxEncode ScaleBox.Float where scaleBoxEncode = scaleBoxFloat
instance ScaleBoxEncode () where scaleBoxEncode _ = ScaleBox.showString "null"
instance ScaleBoxEncode ScaleBox.Bool where scaleBoxEncode value = ScaleBox.showString (if value then "true" else "false")
instance ScaleBoxEncode ScaleBox.Char where
  scaleBoxEncode letter = scaleBoxQuoted (letter : [])
  scaleBoxEncodes = scaleBoxQuoted
instance ScaleBoxEncode a => ScaleBoxEncode [a] where scaleBoxEncode = scaleBoxEncodes
instance ScaleBoxEncode ScaleBoxText.Text where scaleBoxEncode text = scaleBoxQuoted (ScaleBoxText.unpack text)
instance ScaleBoxEncode a => ScaleBoxEncode (ScaleBox.Maybe a) where
  scaleBoxEncode ScaleBox.Nothing = ScaleBox.showString "null"
  scaleBoxEncode (ScaleBox.Just value) = scaleBoxEncode value
instance (ScaleBoxEncode a, ScaleBoxEncode b) => ScaleBoxEncode (ScaleBox.Either a b) where
  scaleBoxEncode (ScaleBox.Left value) = scaleBoxEncode value
  scaleBoxEncode (ScaleBox.Right value) = scaleBoxEncode value
instance ScaleBoxEncode a => ScaleBoxEncode (ScaleBox.IO a) where scaleBoxEncode action = scaleBoxEncode (ScaleBox.unsafePerformIO action)
instance ScaleBoxEncode a => ScaleBoxEncode (ScaleBox.Array i a) where scaleBoxEncode items = scaleBoxEncodes (ScaleBox.elems items)
instance (ScaleBoxEncode a, ScaleBoxEncode b) => ScaleBoxEncode (a, b) where
  scaleBoxEncode (a, b) = scaleBoxWrapped "tuple" (scaleBoxEncode a : scaleBoxEncode b : [])
instance (ScaleBoxEncode a, ScaleBoxEncode b, ScaleBoxEncode c) => ScaleBoxEncode (a, b, c) where
  scaleBoxEncode (a, b, c) = scaleBoxWrapped "tuple" (scaleBoxEncode a : scaleBoxEncode b : scaleBoxEncode c : [])
instance (ScaleBoxEncode a, ScaleBoxEncode b, ScaleBoxEncode c, ScaleBoxEncode d) => ScaleBoxEncode (a, b, c, d) where
  scaleBoxEncode (a, b, c, d) = scaleBoxWrapped "tuple" (scaleBoxEncode a : scaleBoxEncode b : scaleBoxEncode c : scaleBoxEncode d : [])
instance (ScaleBoxEncode k, ScaleBoxEncode a) => ScaleBoxEncode (ScaleBoxMap.Map k a) where
  scaleBoxEncode pairs = scaleBoxWrapped "dict" (ScaleBox.map scaleBoxBoth (ScaleBoxMap.toList pairs))
instance ScaleBoxEncode a => ScaleBoxEncode (ScaleBoxIntMap.IntMap a) where
  scaleBoxEncode pairs = scaleBoxWrapped "dict" (ScaleBox.map scaleBoxBoth (ScaleBoxIntMap.toList pairs))
instance ScaleBoxEncode a => ScaleBoxEncode (ScaleBoxSet.Set a) where
  scaleBoxEncode items = scaleBoxWrapped "set" (ScaleBox.map scaleBoxEncode (ScaleBoxSet.toList items))
instance ScaleBoxEncode ScaleBoxIntSet.IntSet where
  scaleBoxEncode items = scaleBoxWrapped "set" (ScaleBox.map scaleBoxEncode (ScaleBoxIntSet.toList items))
instance {-# OVERLAPPABLE #-} (ScaleBox.IsList (t a), ScaleBoxEncode (ScaleBox.Item (t a))) => ScaleBoxEncode (t a) where
  scaleBoxEncode items = scaleBoxEncodes (ScaleBox.toList items)
instance {-# OVERLAPPABLE #-} (ScaleBox.IsList (t k a), ScaleBoxSides (ScaleBox.Item (t k a))) => ScaleBoxEncode (t k a) where
  scaleBoxEncode pairs = scaleBoxWrapped "dict" (ScaleBox.map scaleBoxSides (ScaleBox.toList pairs))

class ScaleBoxSides p where
  scaleBoxSides :: p -> ScaleBox.ShowS
instance (ScaleBoxEncode k, ScaleBoxEncode a) => ScaleBoxSides (k, a) where scaleBoxSides = scaleBoxBoth

scaleBoxCalled :: [ScaleBoxTree] -> ScaleBox.ShowS
scaleBoxCalled (@each{scaleBox# : }[]) = @each{scaleBoxHold scaleBox# (\held# -> }scaleBoxEncode (@call@@each{ held#})@each{)}
scaleBoxCalled _ = scaleBoxMisfit "the arguments are malformed"

scaleBoxMain :: ScaleBox.IO ()
scaleBoxMain = do
  request <- ScaleBox.fdToHandle 3
  ScaleBox.hSetBinaryMode request ScaleBox.True
  document <- ScaleBox.hGetContents request
  case scaleBoxRead (scaleBoxDecoded document) of
    (ScaleBoxPairs pairs, _) -> do
      let value = scaleBoxCalled (scaleBoxChecked pairs) "\n"
      -- All of the value is there before the first byte of it is written.
      ScaleBox.seq (ScaleBox.length value) (ScaleBox.return ())
      channel <- ScaleBox.fdToHandle 4
      ScaleBox.hSetBinaryMode channel ScaleBox.True
      ScaleBox.hPutStr channel value
      ScaleBox.hClose channel
    _ -> scaleBoxMisfit "the arguments are malformed"

scaleBoxChecked :: [(ScaleBoxTree, ScaleBoxTree)] -> [ScaleBoxTree]
scaleBoxChecked pairs = case (named "kwargs" pairs, named "mutated" pairs, named "args" pairs) of
  (ScaleBoxPairs (_ : _), _, _) -> scaleBoxMisfit "functions of Haskell take no arguments by name"
  (_, ScaleBoxNumber _ _, _) -> scaleBoxMisfit "no function of Haskell changes its arguments"
  (_, _, ScaleBoxList given) -> given
  _ -> scaleBoxMisfit "the arguments are malformed"
  where
    named :: ScaleBox.String -> [(ScaleBoxTree, ScaleBoxTree)] -> ScaleBoxTree
    named _ [] = ScaleBoxNull
    named wanted ((ScaleBoxText name, item) : more) = if name ScaleBox.== wanted then item else named wanted more
    named wanted (_ : more) = named wanted more
