import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs the tests of the classes that the build lists, and reports what became of each. The token is read before anything else is loaded. */
public final class ScaleBoxUnit implements TestExecutionListener {
    private static final int MOST_MESSAGE = 800;

    private final Map<String, String> names = new LinkedHashMap<>();
    private final Map<String, String> outcomes = new LinkedHashMap<>();
    private final Map<String, String> messages = new LinkedHashMap<>();
    private final Map<String, Boolean> counts = new LinkedHashMap<>();
    private final Map<String, Throwable> errors = new LinkedHashMap<>();
    private final boolean reports;
    private TestPlan plan;

    private ScaleBoxUnit(boolean reports) {
        this.reports = reports;
    }

    public static void main(String[] words) throws Exception {
        String token = token();
        ScaleBoxUnit unit = new ScaleBoxUnit(!token.isEmpty());
        int bad = unit.run(classes(words));
        if (unit.reports) {
            put("{\"token\":" + quote(token) + ",\"end\":\"finished\",\"message\":\"\",\"tests\":[" + String.join(",", unit.lines()) + "]}\n");
        }
        System.exit(bad == 0 ? 0 : 1);
    }

    private static String token() {
        try (InputStream in = new FileInputStream("/dev/fd/3")) {
            // Where nobody asks for a report, 3 is whatever the JVM has opened.
            String line = new String(in.readNBytes(256), StandardCharsets.ISO_8859_1).trim();
            return line.matches("[0-9a-f]{32}") ? line : "";
        } catch (IOException error) {
            return "";
        }
    }

    private static List<String> classes(String[] words) throws IOException {
        InputStream in = words.length > 0 ? new FileInputStream(words[0]) : ScaleBoxUnit.class.getResourceAsStream("/scalebox-tests");
        List<String> found = new ArrayList<>();
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                found.add(line);
            }
        }
        return found;
    }

    private int run(List<String> classes) {
        LauncherConfig config = LauncherConfig.builder()
                .enableLauncherSessionListenerAutoRegistration(false)
                .enableLauncherDiscoveryListenerAutoRegistration(false)
                .enablePostDiscoveryFilterAutoRegistration(false)
                .enableTestExecutionListenerAutoRegistration(false)
                .build();
        Launcher launcher = LauncherFactory.create(config);
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
        for (String name : classes) {
            request.selectors(DiscoverySelectors.selectClass(name));
        }
        plan = launcher.discover(request.build());
        for (TestIdentifier root : plan.getRoots()) {
            for (TestIdentifier one : plan.getDescendants(root)) {
                // A container that is a method makes its tests while it runs; until it has, it stands for them.
                if (one.isTest() || isMethod(one)) {
                    expect(one);
                }
            }
        }
        if (reports) {
            names.keySet().forEach(id -> put("{\"test\":" + line(id) + "}\n"));
        }
        launcher.execute(plan, this);
        int bad = names.isEmpty() ? 1 : 0;
        int passed = 0;
        for (String id : names.keySet()) {
            passed += outcomes.get(id).equals("passed") ? 1 : 0;
            bad += counts.get(id) && !outcomes.get(id).equals("passed") ? 1 : 0;
        }
        System.out.flush();
        System.out.println("Tests run: " + names.size() + ", passed: " + passed);
        errors.forEach((id, error) -> System.out.println(names.get(id) + ": " + error));
        return bad;
    }

    private static boolean isMethod(TestIdentifier one) {
        return one.getSource().filter(source -> source instanceof MethodSource).isPresent();
    }

    private void expect(TestIdentifier one) {
        String id = one.getUniqueId();
        String name = name(one);
        for (int number = 2; names.containsValue(name); number++) { // overloads
            name = name(one) + "~" + number;
        }
        names.put(id, name);
        outcomes.put(id, "not_run");
        counts.put(id, true);
    }

    private static String name(TestIdentifier one) {
        TestSource source = one.getSource().orElse(null);
        String own = source instanceof MethodSource
                ? ((MethodSource) source).getClassName() + "#" + ((MethodSource) source).getMethodName()
                : source instanceof ClassSource ? ((ClassSource) source).getClassName() : one.getDisplayName();
        StringBuilder numbers = new StringBuilder();
        for (UniqueId.Segment segment : UniqueId.parse(one.getUniqueId()).getSegments()) {
            if (segment.getValue().startsWith("#")) {
                numbers.append('[').append(segment.getValue().substring(1)).append(']');
            }
        }
        return own + numbers;
    }

    @Override
    public void dynamicTestRegistered(TestIdentifier one) {
        if (one.isTest()) {
            expect(one);
            one.getParentId().ifPresent(this::forget);
        }
    }

    /** A container is no test of its own once it has made one. */
    private void forget(String id) {
        names.remove(id);
        outcomes.remove(id);
        counts.remove(id);
    }

    @Override
    public void executionSkipped(TestIdentifier one, String reason) {
        each(one, id -> {
            outcomes.put(id, "skipped");
            messages.put(id, reason);
            counts.put(id, !disabled(one));
        });
    }

    /** Whether its own text says that it is not to be run. */
    private static boolean disabled(TestIdentifier one) {
        TestSource source = one.getSource().orElse(null);
        if (source instanceof MethodSource) {
            Method method = ((MethodSource) source).getJavaMethod();
            return method.isAnnotationPresent(org.junit.jupiter.api.Disabled.class) || method.isAnnotationPresent(org.junit.Ignore.class);
        }
        if (source instanceof ClassSource) {
            Class<?> type = ((ClassSource) source).getJavaClass();
            return type.isAnnotationPresent(org.junit.jupiter.api.Disabled.class) || type.isAnnotationPresent(org.junit.Ignore.class);
        }
        return false;
    }

    @Override
    public void executionFinished(TestIdentifier one, TestExecutionResult result) {
        TestExecutionResult.Status status = result.getStatus();
        Throwable error = result.getThrowable().orElse(null);
        if (one.isTest()) {
            String outcome = status == TestExecutionResult.Status.SUCCESSFUL ? "passed" : status == TestExecutionResult.Status.FAILED ? "failed" : "skipped";
            end(one.getUniqueId(), outcome, error);
        } else if (status != TestExecutionResult.Status.SUCCESSFUL) {
            // What goes wrong around tests goes wrong with each of them, whatever it did by itself.
            String outcome = status == TestExecutionResult.Status.FAILED ? "error" : "skipped";
            each(one, id -> end(id, outcome, error));
        }
    }

    private void each(TestIdentifier one, java.util.function.Consumer<String> act) {
        List<String> found = new ArrayList<>(List.of(one.getUniqueId()));
        plan.getDescendants(one).forEach(below -> found.add(below.getUniqueId()));
        found.stream().filter(names::containsKey).forEach(act);
    }

    private void end(String id, String outcome, Throwable error) {
        if (outcomes.getOrDefault(id, "").equals("failed")) {
            return;
        }
        outcomes.put(id, outcome);
        if (error != null) {
            String text = String.valueOf(error.getMessage() == null ? error.getClass().getName() : error.getMessage());
            messages.put(id, text.substring(0, Math.min(text.length(), MOST_MESSAGE)));
            errors.put(id, error);
        }
        if (reports) {
            put("{\"test\":" + line(id) + "}\n");
        }
    }

    private List<String> lines() {
        List<String> found = new ArrayList<>();
        names.keySet().forEach(id -> found.add(line(id)));
        return found;
    }

    private String line(String id) {
        return "[" + quote(names.get(id)) + "," + quote(outcomes.get(id)) + "," + counts.get(id) + "," + quote(messages.getOrDefault(id, "")) + "]";
    }

    private static String quote(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 32 || c > 126) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }

    private static synchronized void put(String text) {
        try (FileOutputStream out = new FileOutputStream("/dev/fd/4", true)) {
            out.write(text.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException error) {
            throw new IllegalStateException(error);
        }
    }
}
