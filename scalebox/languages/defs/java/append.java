@program@
@close@
@tests@

final class ScaleBoxMain {
    private ScaleBoxMain() {
    }

    // Read the token, run the test code with assertions on, then write it: the proof that it came to its end. No comment here has an end.
    public static void main(String[] words) throws java.lang.Throwable {
        java.io.ByteArrayOutputStream token = new java.io.ByteArrayOutputStream();
        try (java.io.FileInputStream in = new java.io.FileInputStream("/dev/fd/3")) {
            for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
                token.write(next);
            }
        }
        token.write('\n');
        java.lang.ClassLoader loader = ScaleBoxMain.class.getClassLoader();
        loader.setDefaultAssertionStatus(true);
        try {
            java.lang.Class.forName("@main@", true, loader).getDeclaredMethod("@entry@", java.lang.String[].class).invoke(null, (java.lang.Object) words);
        } catch (java.lang.reflect.InvocationTargetException error) {
            if (error.getCause() instanceof java.lang.AssertionError) {
                put("failed\n".getBytes());
            }
            throw error.getCause();
        }
        put(token.toByteArray());
        java.lang.System.exit(0);
    }

    // Whether a value equals one of Java's own, which the program's types have no say in.
    static boolean @entry@same(java.lang.Object given, java.lang.Object wanted) {
        if (given == null) {
            throw new java.lang.NullPointerException("null.equals");
        }
        return same(given, wanted);
    }

    private static boolean same(java.lang.Object given, java.lang.Object wanted) {
        if (given == null || wanted == null) {
            return given == wanted;
        }
        if (wanted instanceof java.util.List || wanted instanceof java.lang.Iterable && tuple(wanted)) {
            boolean fits = wanted instanceof java.util.List ? given instanceof java.util.List : given.getClass() == wanted.getClass();
            if (!fits) {
                return false;
            }
            java.util.Iterator<?> left = ((java.lang.Iterable<?>) given).iterator();
            java.util.Iterator<?> right = ((java.lang.Iterable<?>) wanted).iterator();
            while (left.hasNext() && right.hasNext()) {
                if (!same(left.next(), right.next())) {
                    return false;
                }
            }
            return !left.hasNext() && !right.hasNext();
        }
        if (wanted instanceof java.util.Set) {
            return given instanceof java.util.Set && members(((java.util.Set<?>) given).toArray(), ((java.util.Set<?>) wanted).toArray());
        }
        if (wanted instanceof java.util.Map) {
            return given instanceof java.util.Map && members(((java.util.Map<?, ?>) given).entrySet().toArray(), ((java.util.Map<?, ?>) wanted).entrySet().toArray());
        }
        if (wanted instanceof java.util.Map.Entry && given instanceof java.util.Map.Entry) {
            java.util.Map.Entry<?, ?> left = (java.util.Map.Entry<?, ?>) given;
            java.util.Map.Entry<?, ?> right = (java.util.Map.Entry<?, ?>) wanted;
            return same(left.getKey(), right.getKey()) && same(left.getValue(), right.getValue());
        }
        if (wanted instanceof java.util.Optional) {
            return given instanceof java.util.Optional && same(((java.util.Optional<?>) given).orElse(null), ((java.util.Optional<?>) wanted).orElse(null));
        }
        return own(wanted) ? given.equals(wanted) : wanted.equals(given);
    }

    private static boolean members(java.lang.Object[] given, java.lang.Object[] wanted) {
        if (given.length != wanted.length) {
            return false;
        }
        // What has a key is counted by it; the others are looked for one by one.
        java.util.Map<java.lang.Object, java.lang.Integer> counts = new java.util.HashMap<>();
        java.util.List<java.lang.Object> others = new java.util.LinkedList<>();
        for (java.lang.Object item : given) {
            java.lang.Object key = key(item);
            if (key == STRANGE) {
                others.add(item);
            } else {
                counts.merge(key, 1, java.lang.Integer::sum);
            }
        }
        for (java.lang.Object item : wanted) {
            java.lang.Object key = key(item);
            if (counts.containsKey(key)) {
                counts.computeIfPresent(key, (same, left) -> left == 1 ? null : left - 1);
            } else if (!taken(others.iterator(), item)) {
                return false;
            }
        }
        return counts.isEmpty() && others.isEmpty();
    }

    private static boolean taken(java.util.Iterator<java.lang.Object> left, java.lang.Object wanted) {
        while (left.hasNext()) {
            if (same(left.next(), wanted)) {
                left.remove();
                return true;
            }
        }
        return false;
    }

    private static final java.lang.Object STRANGE = new java.lang.Object();

    // Two of these are equal where what they are made of is the same.
    private static final class Key {
        private final java.lang.Object kind;
        private final java.lang.Object parts;
        private int hash;

        Key(java.lang.Object kind, java.lang.Object parts) {
            this.kind = kind;
            this.parts = parts;
        }

        void add(int value, int factor) {
            int mixed = value * 0x9e3779b9;
            mixed = (mixed ^ mixed >>> 15) * 0x85ebca6b;
            hash = hash * factor + (mixed ^ mixed >>> 13);
        }

        @java.lang.Override
        public int hashCode() {
            return hash;
        }

        @java.lang.Override
        public boolean equals(java.lang.Object other) {
            return other instanceof Key && hash == ((Key) other).hash && kind.equals(((Key) other).kind) && parts.equals(((Key) other).parts);
        }
    }

    // What stands for a value that is equal to others by what it holds, or STRANGE where a part of it may be so by what the program says.
    private static java.lang.Object key(java.lang.Object value) {
        if (value == null) {
            return null;
        }
        if (own(value)) {
            return STRANGE;
        }
        if (value instanceof java.util.List) {
            return ordered("list", ((java.util.List<?>) value).toArray());
        }
        if (tuple(value)) {
            java.util.List<java.lang.Object> parts = new java.util.ArrayList<>();
            ((java.lang.Iterable<?>) value).forEach(parts::add);
            return ordered(value.getClass(), parts.toArray());
        }
        if (value instanceof java.util.Set) {
            return unordered("set", ((java.util.Set<?>) value).toArray());
        }
        if (value instanceof java.util.Map) {
            return unordered("map", ((java.util.Map<?, ?>) value).entrySet().toArray());
        }
        if (value instanceof java.util.Map.Entry) {
            return ordered("entry", ((java.util.Map.Entry<?, ?>) value).getKey(), ((java.util.Map.Entry<?, ?>) value).getValue());
        }
        if (value instanceof java.util.Optional) {
            return ordered("optional", ((java.util.Optional<?>) value).orElse(null));
        }
        java.lang.String name = value.getClass().getName();
        return name.startsWith("java.lang.") || name.startsWith("java.math.") ? value : STRANGE;
    }

    private static java.lang.Object ordered(java.lang.Object kind, java.lang.Object... items) {
        java.util.List<java.lang.Object> parts = new java.util.ArrayList<>();
        Key made = new Key(kind, parts);
        for (java.lang.Object item : items) {
            java.lang.Object part = key(item);
            if (part == STRANGE) {
                return STRANGE;
            }
            parts.add(part);
            made.add(java.util.Objects.hashCode(part), 31);
        }
        return made;
    }

    private static java.lang.Object unordered(java.lang.Object kind, java.lang.Object[] items) {
        java.util.Map<java.lang.Object, java.lang.Integer> parts = new java.util.HashMap<>();
        Key made = new Key(kind, parts);
        for (java.lang.Object item : items) {
            java.lang.Object part = key(item);
            if (part == STRANGE) {
                return STRANGE;
            }
            parts.merge(part, 1, java.lang.Integer::sum);
            made.add(java.util.Objects.hashCode(part), 1);
        }
        return made;
    }

    private static boolean own(java.lang.Object value) {
        java.security.CodeSource source = value.getClass().getProtectionDomain().getCodeSource();
        return source != null && source.getLocation().equals(ScaleBoxMain.class.getProtectionDomain().getCodeSource().getLocation());
    }

    private static boolean tuple(java.lang.Object value) {
        return !own(value) && value.getClass().getName().startsWith("org.javatuples.");
    }

    private static void put(byte[] bytes) throws java.io.IOException {
        try (java.io.FileOutputStream out = new java.io.FileOutputStream("/dev/fd/4", true)) {
            out.write(bytes);
        }
    }
}
