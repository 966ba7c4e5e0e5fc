"""The exception that standin raises on purpose."""


class StandinError(Exception):
    """What was expected, what was found (in options, schema, header or files; never in a record), and what to do.

    Attributes:
        code: what programs may test, ``<room>/<what>``, such as ``schema/unknown-column`` or ``budget/exceeded``.
        hint: what to do about it, the end of the message; None if there is nothing to say.
    """

    def __init__(self, code: str, message: str, hint: str | None = None) -> None:
        """
        Args:
            message: one or more sentences, of which the hint is the last.
        """
        super().__init__(code, message, hint)
        self.code = code
        self.hint = hint

    def __str__(self) -> str:
        return str(self.args[1])
