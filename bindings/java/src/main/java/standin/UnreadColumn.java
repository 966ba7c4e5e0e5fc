package standin;

/** A column that a table has, but whose cells reading does not need: none enters the engine. */
record UnreadColumn(String name, int rows) implements Column {
    @Override
    public boolean isMissing(int row) {
        return true;
    }
}
