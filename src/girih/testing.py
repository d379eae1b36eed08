"""The internal functions of FIPS 203 and 204, section 6 of both, with given randomness, and a choice of backend.

For known-answer tests and interoperability only (FIPS 203, section 3.3; FIPS 204, section 6: not to be used by
applications, other than for testing). `import girih` does not import it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from girih import _core

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from girih.mldsa import SigningKey, VerificationKey
    from girih.mlkem import EncapsulationKey
    from girih.xwing import EncapsulationKey as XWingEncapsulationKey

__all__ = [
    "ml_dsa_sign_internal",
    "ml_dsa_sign_mu_attempts",
    "ml_dsa_sign_mu_internal",
    "ml_dsa_verify_internal",
    "ml_kem_encaps_internal",
    "use_backend",
    "x_wing_encaps_internal",
]


def ml_dsa_sign_internal(sk: SigningKey, m_prime: Buffer, rnd: Buffer) -> bytes:
    """The signature of M' as it is.

    m_prime: bytes of any length. rnd: exactly 32 bytes, else ValueError; zeros for the deterministic variant.
    Source: FIPS 204, Algorithm 7 (ML-DSA.Sign_internal).
    """
    return _core.mldsa_sign_internal(sk, m_prime, rnd)


def ml_dsa_sign_mu_internal(sk: SigningKey, mu: Buffer, rnd: Buffer) -> bytes:
    """The signature of mu. mu: exactly 64 bytes; rnd: exactly 32 bytes, else ValueError.

    Source: FIPS 204, Algorithm 7 (ML-DSA.Sign_internal) from line 7 on.
    """
    return _core.mldsa_sign_mu_internal(sk, mu, rnd)[0]


def ml_dsa_sign_mu_attempts(sk: SigningKey, mu: Buffer, rnd: Buffer) -> tuple[bytes, int]:
    """`ml_dsa_sign_mu_internal`, and how many attempts (iterations of the loop of Algorithm 7) it took."""
    return _core.mldsa_sign_mu_internal(sk, mu, rnd)


def ml_dsa_verify_internal(vk: VerificationKey, sig: Buffer, m_prime: Buffer) -> bool:
    """Whether sig is a valid signature of M' as it is.

    sig: any bytes. m_prime: bytes of any length. Source: FIPS 204, Algorithm 8 (ML-DSA.Verify_internal).
    """
    return _core.mldsa_verify_internal(vk, sig, m_prime)


def ml_kem_encaps_internal(ek: EncapsulationKey, m: Buffer) -> tuple[bytearray, bytes]:
    """The shared secret and the ciphertext of given randomness. m: exactly 32 bytes, else ValueError.

    Source: FIPS 203, Algorithm 17 (ML-KEM.Encaps_internal).
    """
    return _core.mlkem_encaps_internal(ek, m)


def x_wing_encaps_internal(ek: XWingEncapsulationKey, eseed: Buffer) -> tuple[bytearray, bytes]:
    """The shared secret and the ciphertext of given randomness. eseed: exactly 64 bytes, else ValueError.

    Source: draft-connolly-cfrg-xwing-kem, section 5.4.1 (EncapsulateDerand).
    """
    from girih import xwing

    return xwing.encaps_derand(ek, eseed)


@contextmanager
def use_backend(name: str) -> Iterator[None]:
    """Keys that are made inside use this backend, one of `girih.backends()`, else ValueError. For the whole process."""
    before = _core.backend()
    _core.use_backend(name)
    try:
        yield
    finally:
        _core.use_backend(before)
