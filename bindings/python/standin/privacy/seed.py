"""Fresh secret bytes."""

import secrets

from ..errors import StandinError


def fresh_bytes(length: int) -> bytes:
    """Bytes of the system's cryptographic generator.

    Raises ``privacy/no-random`` where it has none, or it fails: nothing else may take its place.
    """
    try:
        return secrets.token_bytes(length)
    except (NotImplementedError, OSError):
        refusal = StandinError(
            "privacy/no-random",
            "The host provides no secure random bytes, from which the key of the noise is made.",
            "Run standin where the system's cryptographic generator works.",
        )
    raise refusal


def check_random() -> None:
    """Draws a byte in vain: a host that cannot give the key is found out before anything is read or charged.

    Raises ``privacy/no-random``.
    """
    fresh_bytes(1)
