import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SolutionTest {
    @ParameterizedTest
    @CsvSource({"2, 3, 5", "-1, 1, 0"})
    void adds(int a, int b, int total) {
        assertEquals(total, new Solution().add(a, b));
    }

    @Test
    void addsNothing() {
        assertEquals(0, new Solution().add(0, 0));
    }
}
