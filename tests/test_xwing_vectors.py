"""X-Wing against the first test vector of its draft, and against its parts put together by hand."""

from __future__ import annotations

import hashlib

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from girih import MlKem768, XWing, testing
from girih.xwing import encaps_derand

# draft-connolly-cfrg-xwing-kem, appendix C, the first vector.
SEED = bytes.fromhex("7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26")
ESEED = bytes.fromhex(
    "3cb1eea988004b93103cfb0aeefd2a686e01fa4a58e8a3639ca8a1e3f9ae57e2"
    "35b8cc873c23dc62b8d260169afa2f75ab916a58d974918835d25e6a435085b2"
)
SHARED_SECRET = "d2df0522128f09dd8e2c92b1e905c793d8f57a54c3da25861f10bf4ca613e384"
LABEL = bytes.fromhex("5c2e2f2f5e5c")  # \.//^\


def test_the_first_vector_of_the_draft() -> None:
    ek, dk = XWing.key_gen(SEED)
    ss, ct = encaps_derand(ek, ESEED)
    assert ss.hex() == SHARED_SECRET
    assert dk.decaps(ct) == ss


def test_the_label_comes_last_and_everything_in_its_order() -> None:
    """A label in front was the bug of one library's releases."""
    expanded = hashlib.shake_256(SEED).digest(96)
    ek_m, _ = MlKem768.key_gen(expanded[:64])
    pk_x = X25519PrivateKey.from_private_bytes(expanded[64:]).public_key().public_bytes_raw()
    ek, _ = XWing.key_gen(SEED)
    assert ek.to_bytes() == ek_m.to_bytes() + pk_x
    ss_m, ct_m = testing.ml_kem_encaps_internal(ek_m, ESEED[:32])
    ephemeral = X25519PrivateKey.from_private_bytes(ESEED[32:])
    ct_x = ephemeral.public_key().public_bytes_raw()
    ss_x = ephemeral.exchange(X25519PublicKey.from_public_bytes(pk_x))
    ss, ct = encaps_derand(ek, ESEED)
    assert ct == ct_m + ct_x
    assert bytes(ss) == hashlib.sha3_256(bytes(ss_m) + ss_x + ct_x + pk_x + LABEL).digest()
