package standin;

/**
 * Comparisons of the two modules whose result is a number: 1 if it holds, otherwise 0. They have no branches
 * (src/build/Trim.java says why), and the names that Endive gives them.
 */
final class Compare {
    private Compare() {}

    /** Returns a − b, both without a sign. */
    static long minus(int a, int b) {
        return Integer.toUnsignedLong(a) - Integer.toUnsignedLong(b);
    }

    private static int isNegative(long number) {
        return (int) (number >>> 63);
    }

    static int I32_LT_U(int a, int b) {
        return isNegative(minus(a, b));
    }

    static int I32_GT_U(int a, int b) {
        return isNegative(minus(b, a));
    }

    static int I32_LE_U(int a, int b) {
        return I32_GT_U(a, b) ^ 1;
    }

    static int I32_GE_U(int a, int b) {
        return I32_LT_U(a, b) ^ 1;
    }

    static int I32_LT_S(int a, int b) {
        return isNegative((long) a - b);
    }

    static int I32_GT_S(int a, int b) {
        return isNegative((long) b - a);
    }

    static int I32_LE_S(int a, int b) {
        return I32_GT_S(a, b) ^ 1;
    }

    static int I32_GE_S(int a, int b) {
        return I32_LT_S(a, b) ^ 1;
    }

    static int I32_EQZ(int a) {
        return isNegative(Integer.toUnsignedLong(a) - 1);
    }

    static int I32_EQ(int a, int b) {
        return I32_EQZ(a ^ b);
    }

    static int I32_NE(int a, int b) {
        return I32_EQ(a, b) ^ 1;
    }
}
