"""The one exception that standin raises on purpose."""


class StandinError(Exception):
    """What was expected, what was found (in options, schema, header or files; never in a record), and what to do.

    Attributes:
        code: words that programs may test, ``<room>/<what>``, such as ``schema/unknown-column`` or ``budget/exceeded``.
        hint: one sentence: what to do about it; the message ends with it.
    """

    def __init__(self, code: str, message: str, hint: str | None = None) -> None:
        super().__init__(code, message, hint)
        self.code = code
        self.hint = hint
        self._text = f"{message} {hint}" if hint else message

    def __str__(self) -> str:
        return self._text
