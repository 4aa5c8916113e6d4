@program@
@close@
@tests@

final class ScaleBoxMain {
    private ScaleBoxMain() {
    }

    // Run the test code with assertions on, then copy the token: the proof that it came to its end. No comment here has an end.
    public static void main(String[] words) throws java.lang.Throwable {
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
        java.io.FileInputStream in = new java.io.FileInputStream("/dev/fd/3");
        java.io.ByteArrayOutputStream token = new java.io.ByteArrayOutputStream();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            token.write(next);
        }
        token.write('\n');
        put(token.toByteArray());
        java.lang.System.exit(0);
    }

    private static void put(byte[] bytes) throws java.io.IOException {
        try (java.io.FileOutputStream out = new java.io.FileOutputStream("/dev/fd/4", true)) {
            out.write(bytes);
        }
    }
}
