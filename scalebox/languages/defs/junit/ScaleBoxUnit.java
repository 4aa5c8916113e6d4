import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.Ignore;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.DisabledOnJre;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnJre;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.commons.support.AnnotationSupport;
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

    private static final List<Class<? extends Annotation>> OFF = List.of(Disabled.class, Ignore.class);
    /** What skips by the machine, which is the same for every program. */
    private static final List<Class<? extends Annotation>> MACHINE = List.of(
            EnabledOnOs.class, DisabledOnOs.class, EnabledOnJre.class, DisabledOnJre.class, EnabledForJreRange.class, DisabledForJreRange.class,
            EnabledIfEnvironmentVariable.class, DisabledIfEnvironmentVariable.class);
    /** What skips by what a program may have a say in. */
    private static final List<Class<? extends Annotation>> ASKS =
            List.of(EnabledIf.class, DisabledIf.class, EnabledIfSystemProperty.class, DisabledIfSystemProperty.class);

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
            // Where nobody asks for a report, 3 is whatever the JVM has opened. Not `readNBytes`: it seeks, and a pipe has no place.
            StringBuilder line = new StringBuilder();
            for (int next = in.read(); next > 32 && line.length() <= 32; next = in.read()) {
                line.append((char) next);
            }
            return line.toString().matches("[0-9a-f]{32}") ? line.toString() : "";
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
        OS.LINUX.isCurrentOs(); // what a machine is asked for is known before the program can say otherwise
        JRE.JAVA_17.isCurrentVersion();
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
        AnnotatedElement element = source instanceof MethodSource
                ? ((MethodSource) source).getJavaMethod()
                : source instanceof ClassSource ? ((ClassSource) source).getJavaClass() : null;
        return has(element, OFF) || has(element, MACHINE) && !has(element, ASKS) && !element.isAnnotationPresent(ExtendWith.class);
    }

    private static boolean has(AnnotatedElement element, List<Class<? extends Annotation>> kinds) {
        return kinds.stream().anyMatch(kind -> AnnotationSupport.isAnnotated(element, kind));
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
