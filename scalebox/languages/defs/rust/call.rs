#![no_main]
@program@

@prelude@

// Read arguments from descriptor 3 by the function's own types, call it, write its value to descriptor 4. The program's main is never
// started. No name or macro of the program reaches in here: nothing is imported from it, and macros are called by their full paths.
mod scalebox_harness {
    #[allow(unused_imports)]
    use ::std::prelude::v1::*;
    use ::std::borrow::Cow;
    use ::std::cell::{Cell, RefCell};
    use ::std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
    #[allow(unused_imports)]
    use ::std::convert::TryInto; // not in the prelude of Rust 2018
    use ::std::hash::{BuildHasher, Hash};
    use ::std::marker::PhantomData;
    use ::std::primitive::{bool, char, f32, f64, i128, i16, i32, i64, i8, isize, str, u128, u16, u32, u64, u8, usize};
    use ::std::rc::Rc;
    use ::std::sync::Arc;

    pub fn fail(reason: &str) -> ! {
        ::std::eprintln!("the function cannot be called: {}", reason);
        ::std::process::exit(3)
    }

    #[derive(Clone, Copy)]
    pub struct Reader<'t> {
        text: &'t [u8],
        at: usize,
    }

    impl<'t> Reader<'t> {
        fn peek(&mut self) -> u8 {
            while self.at < self.text.len() && ::std::matches!(self.text[self.at], b' ' | b'\n' | b'\t' | b'\r') {
                self.at += 1;
            }
            if self.at < self.text.len() { self.text[self.at] } else { 0 }
        }

        fn take(&mut self, wanted: u8) -> bool {
            let there = self.peek() == wanted;
            self.at += there as usize;
            there
        }

        fn need(&mut self, wanted: u8) {
            if !self.take(wanted) {
                fail("an argument has another type than its parameter")
            }
        }

        fn word(&mut self, wanted: &[u8]) -> bool {
            self.peek();
            let there = self.text[self.at..].starts_with(wanted);
            self.at += if there { wanted.len() } else { 0 };
            there
        }

        fn unit(&mut self) -> u32 {
            let digits = self.text.get(self.at..self.at + 4).and_then(|digits| ::std::str::from_utf8(digits).ok());
            self.at += 4;
            digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or_else(|| fail("the arguments are malformed"))
        }

        fn escape(&mut self, out: &mut Vec<u8>) {
            let mark = self.text.get(self.at).copied().unwrap_or(0);
            self.at += 1;
            let plain = match mark {
                b'n' => b'\n',
                b't' => b'\t',
                b'r' => b'\r',
                b'b' => 8,
                b'f' => 12,
                other => other,
            };
            if mark != b'u' {
                return out.push(plain);
            }
            let mut code = self.unit();
            if code >> 10 == 0x36 && self.text[self.at..].starts_with(b"\\u") {
                self.at += 2;
                code = (0x10000 + ((code - 0xD800) << 10)).wrapping_add(self.unit().wrapping_sub(0xDC00));
            }
            let letter = char::from_u32(code).unwrap_or_else(|| fail("an argument holds half a character, which no string of Rust can"));
            out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
        }

        fn string(&mut self) -> String {
            let mut out = Vec::new();
            self.need(b'"');
            while self.at < self.text.len() && self.text[self.at] != b'"' {
                let mark = self.text[self.at];
                self.at += 1;
                if mark == b'\\' { self.escape(&mut out) } else { out.push(mark) }
            }
            self.need(b'"');
            String::from_utf8(out).unwrap_or_else(|_| fail("an argument holds half a character, which no string of Rust can"))
        }

        fn number(&mut self) -> &'t str {
            self.peek();
            let start = self.at;
            while self.at < self.text.len() && ::std::matches!(self.text[self.at], b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E') {
                self.at += 1;
            }
            if self.at == start {
                fail("an argument is no number but its parameter is one")
            }
            ::std::str::from_utf8(&self.text[start..self.at]).unwrap_or("")
        }

        fn skip(&mut self) {
            let mut depth = 0usize;
            loop {
                match self.peek() {
                    b'"' => drop(self.string()),
                    b'[' | b'{' => {
                        depth += 1;
                        self.at += 1;
                    }
                    b']' | b'}' => {
                        depth -= 1;
                        self.at += 1;
                    }
                    0 => fail("the arguments are malformed"),
                    b',' | b':' => self.at += 1,
                    _ => while !::std::matches!(self.text.get(self.at), None | Some(b',' | b']' | b'}')) {
                        self.at += 1;
                    },
                }
                if depth == 0 {
                    return;
                }
            }
        }

        // The tag of an object that stands for a value JSON has not; the reader is then behind its colon.
        fn tag(&mut self) -> Option<String> {
            let before = self.at;
            if self.take(b'{') && self.peek() == b'"' {
                let name = self.string();
                if name.starts_with('$') {
                    self.need(b':');
                    return Some(name);
                }
            }
            self.at = before;
            None
        }

        // A list, tuple, set or list of pairs: calls item() with the reader before each entry.
        fn each(&mut self, mut item: impl FnMut(&mut Reader)) {
            let tag = self.tag();
            if tag.as_deref() == Some("$bytes") {
                for byte in unbase64(&self.string()) {
                    let digits = ::std::format!("{}", byte);
                    item(&mut Reader { text: digits.as_bytes(), at: 0 });
                }
                return self.need(b'}');
            }
            if !::std::matches!(tag.as_deref(), None | Some("$tuple" | "$set" | "$frozenset" | "$dict")) {
                fail("an argument is no list but its parameter is one")
            }
            self.need(b'[');
            if !self.take(b']') {
                item(self);
                while self.take(b',') {
                    item(self)
                }
                self.need(b']');
            }
            if tag.is_some() {
                self.need(b'}')
            }
        }

        fn list<T: Decode>(&mut self, mut put: impl FnMut(T)) {
            self.each(|inner| put(T::decode(inner)))
        }

        fn pairs<K: Decode, V: Decode>(&mut self, mut put: impl FnMut(K, V)) {
            let mut ahead = *self;
            if ahead.tag().is_some() {
                return self.each(|inner| {
                    inner.need(b'[');
                    let key = K::decode(inner);
                    inner.need(b',');
                    put(key, V::decode(inner));
                    inner.need(b']');
                });
            }
            self.need(b'{');
            if self.take(b'}') {
                return;
            }
            loop {
                self.peek();
                let start = self.at;
                let name = self.string();
                let key = K::named(&name, &self.text[start..self.at]);
                self.need(b':');
                put(key, V::decode(self));
                if !self.take(b',') {
                    return self.need(b'}');
                }
            }
        }
    }

    fn unbase64(text: &str) -> Vec<u8> {
        let mut out = Vec::new();
        let (mut bits, mut count) = (0u32, 0);
        for letter in text.bytes() {
            let digit = match letter {
                b'A'..=b'Z' => letter - b'A',
                b'a'..=b'z' => letter - b'a' + 26,
                b'0'..=b'9' => letter - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => break,
            };
            bits = (bits << 6 | digit as u32) & 0xFF_FFFF;
            count += 6;
            if count >= 8 {
                count -= 8;
                out.push((bits >> count) as u8);
            }
        }
        out
    }

    // What plain data can become.
    #[diagnostic::on_unimplemented(message = "the function has a parameter of a type that plain data cannot become: `{Self}`")]
    pub trait Decode: Sized {
        fn decode(from: &mut Reader) -> Self;

        // A key of an object: a string, or what a string spells.
        fn named(name: &str, _quoted: &[u8]) -> Self {
            Self::decode(&mut Reader { text: name.as_bytes(), at: 0 })
        }
    }

    // What can become plain data.
    #[diagnostic::on_unimplemented(message = "the function has a value of a type that cannot become plain data: `{Self}`")]
    pub trait Encode {
        fn encode(&self, out: &mut String);
    }

    type Told = Box<dyn FnOnce(&mut String)>;

    // A parameter: what is passed, and what it is worth after the call. What is lent is never freed.
    #[diagnostic::on_unimplemented(message = "the function has a parameter of a type that plain data cannot become: `{Self}`")]
    pub trait Param: Sized {
        fn hold(from: &mut Reader, told: bool) -> (Self, Told);
    }

    macro_rules! scalebox_owned {
        ($([$($bound:tt)*] $kind:ty;)*) => { $(
            impl<$($bound)*> Param for $kind where $kind: Decode + Encode {
                fn hold(from: &mut Reader, told: bool) -> (Self, Told) {
                    let mut again = *from;
                    let passed = <Self as Decode>::decode(from);
                    let mut text = String::new();
                    if told {
                        <Self as Decode>::decode(&mut again).encode(&mut text);
                    }
                    (passed, Box::new(move |out: &mut String| out.push_str(&text)))
                }
            }
        )* };
    }

    scalebox_owned! {
        [] bool; [] char; [] f32; [] f64; [] i8; [] i16; [] i32; [] i64; [] i128; [] isize; [] u8; [] u16; [] u32; [] u64; [] u128; [] usize; [] String; [] ();
        [T] Vec<T>; [T] Option<T>; [T] Box<T>; [T] Rc<T>; [T] Arc<T>; [T] RefCell<T>; [T: Copy] Cell<T>; [T] VecDeque<T>; [T] LinkedList<T>; [T] BinaryHeap<T>;
        [T] BTreeSet<T>; [T, S] HashSet<T, S>; [K, V] BTreeMap<K, V>; [K, V, S] HashMap<K, V, S>; [T, const N: usize] [T; N]; [] Cow<'static, str>;
        [] Box<str>; [] Rc<str>; [] Arc<str>; [T] Box<[T]>; [A] (A,); [A, B] (A, B); [A, B, C] (A, B, C); [A, B, C, D] (A, B, C, D); [A, B, C, D, E] (A, B, C, D, E); [A, B, C, D, E, F] (A, B, C, D, E, F);
        [A, B, C, D, E, F, G] (A, B, C, D, E, F, G); [A, B, C, D, E, F, G, H] (A, B, C, D, E, F, G, H); [A, B, C, D, E, F, G, H, I] (A, B, C, D, E, F, G, H, I);
        [A, B, C, D, E, F, G, H, I, J] (A, B, C, D, E, F, G, H, I, J); [A, B, C, D, E, F, G, H, I, J, K] (A, B, C, D, E, F, G, H, I, J, K); [A, B, C, D, E, F, G, H, I, J, K, L] (A, B, C, D, E, F, G, H, I, J, K, L);
    }

    impl Param for &'static str {
        fn hold(from: &mut Reader, _told: bool) -> (Self, Told) {
            let held = <Self as Decode>::decode(from);
            (held, Box::new(move |out: &mut String| held.encode(out)))
        }
    }

    impl<T: Decode + Encode + 'static> Param for &'static T {
        fn hold(from: &mut Reader, _told: bool) -> (Self, Told) {
            let held: Self = Box::leak(Box::new(T::decode(from)));
            (held, Box::new(move |out: &mut String| held.encode(out)))
        }
    }

    impl<T: Decode + Encode + 'static> Param for &'static [T] {
        fn hold(from: &mut Reader, _told: bool) -> (Self, Told) {
            let held: Self = Vec::leak(<Vec<T> as Decode>::decode(from));
            (held, Box::new(move |out: &mut String| held.encode(out)))
        }
    }

    // What was lent to be changed is read again only when the call is over.
    impl<T: Decode + Encode + 'static> Param for &'static mut T {
        fn hold(from: &mut Reader, _told: bool) -> (Self, Told) {
            let held: *mut T = Box::into_raw(Box::new(T::decode(from)));
            (unsafe { &mut *held }, Box::new(move |out: &mut String| unsafe { (*held).encode(out) }))
        }
    }

    impl<T: Decode + Encode + 'static> Param for &'static mut [T] {
        fn hold(from: &mut Reader, _told: bool) -> (Self, Told) {
            let held: *mut [T] = Vec::leak(<Vec<T> as Decode>::decode(from));
            (unsafe { &mut *held }, Box::new(move |out: &mut String| unsafe { (*held).encode(out) }))
        }
    }

    macro_rules! scalebox_integers {
        ($($kind:ident)*) => { $(
            impl Decode for $kind {
                fn decode(from: &mut Reader) -> Self {
                    if from.word(b"true") {
                        return 1;
                    }
                    if from.word(b"false") {
                        return 0;
                    }
                    let mut ahead = *from;
                    if ahead.tag().as_deref() == Some("$int") {
                        fail("an argument does not fit its integer parameter")
                    }
                    let digits = from.number();
                    if let Ok(value) = digits.parse::<$kind>() {
                        return value;
                    }
                    let value = digits.parse::<f64>().unwrap_or(f64::NAN);
                    if !digits.contains(['.', 'e', 'E']) || value.abs() > 9007199254740992.0 || value as $kind as f64 != value {
                        fail("an argument does not fit its integer parameter")
                    }
                    value as $kind
                }
            }

            impl Encode for $kind {
                fn encode(&self, out: &mut String) {
                    out.push_str(&self.to_string())
                }
            }
        )* };
    }

    scalebox_integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

    macro_rules! scalebox_reals {
        ($($kind:ident)*) => { $(
            impl Decode for $kind {
                fn decode(from: &mut Reader) -> Self {
                    if from.word(b"true") {
                        return 1.0;
                    }
                    if from.word(b"false") {
                        return 0.0;
                    }
                    match from.tag() {
                        None => from.number().parse().unwrap_or_else(|_| fail("the arguments are malformed")),
                        Some(tag) if tag == "$float" => {
                            let value = from.string().parse().unwrap_or_else(|_| fail("the arguments are malformed"));
                            from.need(b'}');
                            value
                        }
                        Some(_) => fail("an argument is no number but its parameter is one"),
                    }
                }
            }

            impl Encode for $kind {
                fn encode(&self, out: &mut String) {
                    if self.is_finite() {
                        return out.push_str(&::std::format!("{:?}", self));
                    }
                    let name = if self.is_nan() { "nan" } else if *self > 0.0 { "inf" } else { "-inf" };
                    out.push_str(&::std::format!("{{\"$float\":\"{}\"}}", name));
                }
            }
        )* };
    }

    scalebox_reals!(f32 f64);

    impl Decode for bool {
        fn decode(from: &mut Reader) -> Self {
            <i64 as Decode>::decode(from) != 0
        }
    }

    impl Encode for bool {
        fn encode(&self, out: &mut String) {
            out.push_str(if *self { "true" } else { "false" })
        }
    }

    impl Decode for char {
        fn decode(from: &mut Reader) -> Self {
            one(&from.string())
        }

        fn named(name: &str, _quoted: &[u8]) -> Self {
            one(name)
        }
    }

    fn one(text: &str) -> char {
        let mut letters = text.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => letter,
            _ => fail("an argument is no single character but its parameter is one"),
        }
    }

    impl Encode for char {
        fn encode(&self, out: &mut String) {
            self.to_string().encode(out)
        }
    }

    impl Decode for String {
        fn decode(from: &mut Reader) -> Self {
            if from.tag().is_some() {
                fail("an argument is no string but its parameter is one")
            }
            from.string()
        }

        fn named(name: &str, _quoted: &[u8]) -> Self {
            name.to_string()
        }
    }

    impl Encode for str {
        fn encode(&self, out: &mut String) {
            out.push('"');
            for letter in self.chars() {
                match letter {
                    '"' | '\\' => {
                        out.push('\\');
                        out.push(letter)
                    }
                    '\0'..='\x1f' => out.push_str(&::std::format!("\\u{:04x}", letter as u32)),
                    _ => out.push(letter),
                }
            }
            out.push('"');
        }
    }

    impl Encode for String {
        fn encode(&self, out: &mut String) {
            self.as_str().encode(out)
        }
    }

    // Made of what it spells, whether it is a value or a key.
    macro_rules! scalebox_made {
        ($([$($bound:tt)*] $kind:ty, $inner:ty, $make:expr;)*) => { $(
            impl<$($bound)*> Decode for $kind {
                fn decode(from: &mut Reader) -> Self {
                    ($make)(<$inner as Decode>::decode(from))
                }

                fn named(name: &str, quoted: &[u8]) -> Self {
                    ($make)(<$inner as Decode>::named(name, quoted))
                }
            }
        )* };
    }

    scalebox_made! {
        [] &'static str, String, |text: String| &*text.leak();
        [] Cow<'static, str>, String, Cow::Owned;
        [] Box<str>, String, String::into_boxed_str;
        [] Rc<str>, String, Rc::from;
        [] Arc<str>, String, Arc::from;
        [T: Decode] Box<T>, T, Box::new;
        [T: Decode] Rc<T>, T, Rc::new;
        [T: Decode] Arc<T>, T, Arc::new;
        [T: Decode] RefCell<T>, T, RefCell::new;
        [T: Decode] Cell<T>, T, Cell::new;
        [T: Decode] Box<[T]>, Vec<T>, Vec::into_boxed_slice;
        [T: Decode] &'static [T], Vec<T>, |items: Vec<T>| &*items.leak();
    }

    impl<T: Decode> Decode for Option<T> {
        fn decode(from: &mut Reader) -> Self {
            if from.word(b"null") { None } else { Some(T::decode(from)) }
        }
    }

    impl<T: Encode> Encode for Option<T> {
        fn encode(&self, out: &mut String) {
            match self {
                Some(value) => value.encode(out),
                None => out.push_str("null"),
            }
        }
    }

    // An error equals nothing.
    impl<T: Encode, E> Encode for Result<T, E> {
        fn encode(&self, out: &mut String) {
            match self {
                Ok(value) => value.encode(out),
                Err(_) => out.push_str("{\"$opaque\":\"Err\"}"),
            }
        }
    }

    impl Decode for () {
        fn decode(from: &mut Reader) -> Self {
            if !from.word(b"null") {
                fail("an argument is a value but its parameter is none")
            }
        }
    }

    impl Encode for () {
        fn encode(&self, out: &mut String) {
            out.push_str("null")
        }
    }

    macro_rules! scalebox_lent {
        ($([$($bound:tt)*] $kind:ty;)*) => { $(
            impl<$($bound)*> Encode for $kind {
                fn encode(&self, out: &mut String) {
                    (**self).encode(out)
                }
            }
        )* };
    }

    scalebox_lent! { [T: Encode + ?Sized] &T; [T: Encode + ?Sized] &mut T; [T: Encode + ?Sized] Box<T>; [T: Encode + ?Sized] Rc<T>; [T: Encode + ?Sized] Arc<T>; }

    impl Encode for Cow<'_, str> {
        fn encode(&self, out: &mut String) {
            str::encode(self, out)
        }
    }

    impl<T: Encode> Encode for RefCell<T> {
        fn encode(&self, out: &mut String) {
            self.borrow().encode(out)
        }
    }

    impl<T: Encode + Copy> Encode for Cell<T> {
        fn encode(&self, out: &mut String) {
            self.get().encode(out)
        }
    }

    fn listed<'v, T: Encode + 'v>(before: &str, values: impl Iterator<Item = &'v T>, after: &str, out: &mut String) {
        out.push_str(before);
        for (index, value) in values.enumerate() {
            out.push_str(if index == 0 { "" } else { "," });
            value.encode(out);
        }
        out.push_str(after);
    }

    macro_rules! scalebox_lists {
        ($([$($bound:tt)*] $kind:ty, $new:expr, $put:ident, $before:literal, $after:literal;)*) => { $(
            impl<T: Decode + $($bound)*> Decode for $kind {
                fn decode(from: &mut Reader) -> Self {
                    let mut made = $new;
                    from.list(|item| drop(made.$put(item)));
                    made
                }
            }

            impl<T: Encode + $($bound)*> Encode for $kind {
                fn encode(&self, out: &mut String) {
                    listed($before, self.iter(), $after, out)
                }
            }
        )* };
    }

    scalebox_lists! {
        [] Vec<T>, Vec::new(), push, "[", "]";
        [] VecDeque<T>, VecDeque::new(), push_back, "[", "]";
        [] LinkedList<T>, LinkedList::new(), push_back, "[", "]";
        [Ord] BinaryHeap<T>, BinaryHeap::new(), push, "[", "]";
        [Ord] BTreeSet<T>, BTreeSet::new(), insert, "{\"$set\":[", "]}";
    }

    impl<T: Decode + Eq + Hash, S: BuildHasher + Default> Decode for HashSet<T, S> {
        fn decode(from: &mut Reader) -> Self {
            let mut made = HashSet::default();
            from.list(|item| drop(made.insert(item)));
            made
        }
    }

    impl<T: Encode, S> Encode for HashSet<T, S> {
        fn encode(&self, out: &mut String) {
            listed("{\"$set\":[", self.iter(), "]}", out)
        }
    }

    impl<T: Encode> Encode for [T] {
        fn encode(&self, out: &mut String) {
            listed("[", self.iter(), "]", out)
        }
    }

    impl<T: Decode, const N: usize> Decode for [T; N] {
        fn decode(from: &mut Reader) -> Self {
            let items = <Vec<T> as Decode>::decode(from);
            items.try_into().unwrap_or_else(|_| fail("an argument has another number of entries than its parameter"))
        }
    }

    impl<T: Encode, const N: usize> Encode for [T; N] {
        fn encode(&self, out: &mut String) {
            listed("[", self.iter(), "]", out)
        }
    }

    fn paired<'v, K: Encode + 'v, V: Encode + 'v>(pairs: impl Iterator<Item = (&'v K, &'v V)>, out: &mut String) {
        out.push_str("{\"$dict\":[");
        for (index, (key, value)) in pairs.enumerate() {
            out.push_str(if index == 0 { "[" } else { ",[" });
            key.encode(out);
            out.push(',');
            value.encode(out);
            out.push(']');
        }
        out.push_str("]}");
    }

    impl<K: Decode + Ord, V: Decode> Decode for BTreeMap<K, V> {
        fn decode(from: &mut Reader) -> Self {
            let mut made = BTreeMap::new();
            from.pairs(|key, value| drop(made.insert(key, value)));
            made
        }
    }

    impl<K: Encode, V: Encode> Encode for BTreeMap<K, V> {
        fn encode(&self, out: &mut String) {
            paired(self.iter(), out)
        }
    }

    impl<K: Decode + Eq + Hash, V: Decode, S: BuildHasher + Default> Decode for HashMap<K, V, S> {
        fn decode(from: &mut Reader) -> Self {
            let mut made = HashMap::default();
            from.pairs(|key, value| drop(made.insert(key, value)));
            made
        }
    }

    impl<K: Encode, V: Encode, S> Encode for HashMap<K, V, S> {
        fn encode(&self, out: &mut String) {
            paired(self.iter(), out)
        }
    }

    macro_rules! scalebox_tuples {
        ($(($($name:ident $index:tt)+))*) => { $(
            impl<$($name: Decode),+> Decode for ($($name,)+) {
                fn decode(from: &mut Reader) -> Self {
                    let tag = from.tag();
                    from.need(b'[');
                    let made = ($({
                        if $index > 0 {
                            from.need(b',')
                        }
                        <$name as Decode>::decode(from)
                    },)+);
                    from.need(b']');
                    if tag.is_some() {
                        from.need(b'}')
                    }
                    made
                }
            }

            impl<$($name: Encode),+> Encode for ($($name,)+) {
                fn encode(&self, out: &mut String) {
                    out.push_str("{\"$tuple\":[");
                    $(
                        out.push_str(if $index > 0 { "," } else { "" });
                        self.$index.encode(out);
                    )+
                    out.push_str("]}");
                }
            }
        )* };
    }

    scalebox_tuples! {
        (A 0) (A 0 B 1) (A 0 B 1 C 2) (A 0 B 1 C 2 D 3) (A 0 B 1 C 2 D 3 E 4) (A 0 B 1 C 2 D 3 E 4 F 5)
        (A 0 B 1 C 2 D 3 E 4 F 5 G 6) (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7) (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8)
        (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9) (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10) (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11)
    }

    // How the object is made whose method is called: as its own `new` makes it, else by default, else it must be empty.
    pub struct Made<F, T>(pub F, pub PhantomData<T>);

    #[allow(dead_code)]
    pub trait Fallback: Sized {
        fn new(_: PhantomData<Fallen>) -> Self {
            fail("there is no constructor")
        }
    }

    pub struct Fallen;
    impl<T> Fallback for T {}

    pub trait ByNew<T> {
        fn make(&self) -> T;
    }

    impl<F: Fn() -> T, T> ByNew<T> for &&Made<F, T> {
        fn make(&self) -> T {
            (self.0)()
        }
    }

    pub trait ByDefault<T> {
        fn make(&self) -> T;
    }

    impl<F, T: Default> ByDefault<T> for &Made<F, T> {
        fn make(&self) -> T {
            T::default()
        }
    }

    pub trait ByNothing<T> {
        fn make(&self) -> T;
    }

    impl<F, T> ByNothing<T> for Made<F, T> {
        fn make(&self) -> T {
            if ::std::mem::size_of::<T>() > 0 {
                fail("the type of the method has neither new() nor a default")
            }
            // A type without content has one value, which is no bytes.
            unsafe { ::std::mem::zeroed() }
        }
    }

    pub trait Receiver<T> {
        fn receive(made: T) -> Self;
    }

    impl<T> Receiver<T> for T {
        fn receive(made: T) -> Self {
            made
        }
    }

    impl<T> Receiver<T> for &'static T {
        fn receive(made: T) -> Self {
            Box::leak(Box::new(made))
        }
    }

    impl<T> Receiver<T> for &'static mut T {
        fn receive(made: T) -> Self {
            Box::leak(Box::new(made))
        }
    }

    pub struct Free;
    pub struct Bound;

    // A function, or a method whose first parameter is its object.
    #[diagnostic::on_unimplemented(message = "the function has other parameters than the case has arguments, or of types that plain data cannot become")]
    pub trait Enter<T, Shape> {
        fn enter(self, made: impl FnOnce() -> T, from: &mut Reader, mutated: Option<usize>) -> String;
    }

    impl<T, ScaleboxF, ScaleboxR: Encode@each{, ScaleboxA#: Param}> Enter<T, (Free, ScaleboxR@each{, ScaleboxA#})> for ScaleboxF
    where
        ScaleboxF: Fn(@list{ScaleboxA#}) -> ScaleboxR,
    {
        fn enter(self, _made: impl FnOnce() -> T, from: &mut Reader, mutated: Option<usize>) -> String {
            let mut told: Vec<Told> = Vec::new();
            let held = (@each{held::<ScaleboxA#>(from, &mut told, mutated),});
            finish(self(@list{held.#}), told, mutated)
        }
    }

    impl<T, ScaleboxF, ScaleboxS: Receiver<T>, ScaleboxR: Encode@each{, ScaleboxA#: Param}> Enter<T, (Bound, ScaleboxS, ScaleboxR@each{, ScaleboxA#})> for ScaleboxF
    where
        ScaleboxF: Fn(ScaleboxS@each{, ScaleboxA#}) -> ScaleboxR,
    {
        fn enter(self, made: impl FnOnce() -> T, from: &mut Reader, mutated: Option<usize>) -> String {
            let mut told: Vec<Told> = Vec::new();
            let held = (@each{held::<ScaleboxA#>(from, &mut told, mutated),});
            finish(self(ScaleboxS::receive(made())@each{, held.#}), told, mutated)
        }
    }

    #[allow(dead_code)]
    fn held<P: Param>(from: &mut Reader, told: &mut Vec<Told>, mutated: Option<usize>) -> P {
        if told.len() > 0 {
            from.need(b',')
        }
        let (held, tell) = P::hold(from, mutated == Some(told.len()));
        told.push(tell);
        held
    }

    fn finish<R: Encode>(value: R, mut told: Vec<Told>, mutated: Option<usize>) -> String {
        let mut out = String::new();
        match mutated {
            None => value.encode(&mut out),
            Some(index) if index < told.len() => told.swap_remove(index)(&mut out),
            Some(_) => fail("there is no argument of that number"),
        }
        out
    }

    fn run() {
        use ::std::io::{Read, Write};
        use ::std::os::unix::io::FromRawFd;
        let (mut request, mut channel) = unsafe { (::std::fs::File::from_raw_fd(3), ::std::fs::File::from_raw_fd(4)) };
        let mut document = Vec::new();
        if request.read_to_end(&mut document).is_err() {
            fail("the arguments cannot be read")
        }
        let mut whole = Reader { text: &document, at: 0 };
        let (mut args, mut mutated) = (None, None);
        whole.need(b'{');
        loop {
            let name = whole.string();
            whole.need(b':');
            let mut ahead = whole;
            match name.as_str() {
                "args" => args = Some(whole),
                "kwargs" => {
                    ahead.need(b'{');
                    if !ahead.take(b'}') {
                        fail("functions of Rust take no arguments by name")
                    }
                }
                "mutated" => mutated = <Option<usize> as Decode>::decode(&mut ahead),
                _ => {}
            }
            whole.skip();
            if !whole.take(b',') {
                break;
            }
        }
        let mut args = args.unwrap_or_else(|| fail("the arguments are missing"));
        args.need(b'[');
        let mut value = Enter::enter(@address@, || @call@, &mut args, mutated);
        value.push('\n');
        if channel.write_all(value.as_bytes()).is_err() {
            fail("the value cannot be written")
        }
    }

    #[unsafe(no_mangle)]
    pub extern "C" fn main() -> i32 {
        match ::std::panic::catch_unwind(run) {
            Ok(()) => ::std::process::exit(0),
            Err(_) => ::std::process::exit(101),
        }
    }
}
