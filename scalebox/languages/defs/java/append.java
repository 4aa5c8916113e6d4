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
        java.util.List<java.lang.Object> left = new java.util.LinkedList<>(java.util.Arrays.asList(given));
        for (java.lang.Object item : wanted) {
            boolean found = false;
            for (java.util.Iterator<java.lang.Object> at = left.iterator(); !found && at.hasNext();) {
                found = same(at.next(), item);
                if (found) {
                    at.remove();
                }
            }
            if (!found) {
                return false;
            }
        }
        return true;
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
