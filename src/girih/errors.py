"""What can go wrong, by cause.

A mistake in the calling program raises TypeError or ValueError; a bad signature is False from `verify` and
InvalidSignature from `require`. The rest is here.
"""

from __future__ import annotations

__all__ = [
    "AttemptsExhausted",
    "FaultDetected",
    "GirihError",
    "InvalidCache",
    "InvalidKey",
    "InvalidSignature",
    "RandomnessError",
    "StateError",
]


class GirihError(Exception):
    """Base of everything below."""


class InvalidSignature(GirihError):
    """`require` was given bytes that are not a valid signature."""


class InvalidKey(GirihError, ValueError):
    """An encoded key has the wrong length, is out of range, or contradicts itself."""


class InvalidCache(GirihError, ValueError):
    """What was exported of a key's caches belongs to another key, set or version, or was changed. Derive it instead."""


class RandomnessError(GirihError):
    """The operating system gave no random bytes. No key, no signature and no shared secret was made."""


class FaultDetected(GirihError):
    """A computed signature failed its check before release (`checked=True`). The hardware, or memory, is not to be trusted."""


class StateError(GirihError):
    """The state of a stateful signing key is missing, in use elsewhere or used up."""


class AttemptsExhausted(GirihError):
    """The budget `max_attempts` ran out: an outcome that the caller asked for. Sign again, with fresh randomness."""
