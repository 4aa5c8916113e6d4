import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a run is tried with, so that the classes it loads are known. */
public class ScaleBoxTrial {
    @Test
    void equal() {
        assertEquals(1, 1);
    }

    @Test
    void thrown() {
        assertThrows(IllegalStateException.class, () -> {
            throw new IllegalStateException();
        });
    }

    @ParameterizedTest
    @CsvSource({"1, 1"})
    void each(int one, int other) {
        assertEquals(one, other);
    }
}
