package standin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class VectorsTest {
    @Test
    void aCoreMakesTheBytesOfAllVectors() throws Exception {
        List<Vector> vectors = Vector.all();
        assertEquals(10, vectors.size());
        try (Core core = Core.open()) {
            for (Vector vector : vectors) assertEquals("", vector.difference(core));
        }
    }
}
