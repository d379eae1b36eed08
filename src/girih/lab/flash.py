"""Tables of a key as an image for a device's flash: what girih_mldsa_vk_check and girih_mldsa_sk_check accept there.

The public table stands first; the secret one, where it is asked for, behind it, both at multiples of 64 bytes. Where the
image begins in flash must be such a multiple too.
"""

from __future__ import annotations

from girih import SigningKey, VerificationKey, _core

KERNELS = {"c32": 4, "c32-small": 5}  # girih_backend: c32-packed, c32-small
ALIGN = 64  # GIRIH_TABLE_ALIGN


def flash_image(
    key: VerificationKey | SigningKey, kernel: str = "c32", with_secret: bool = False
) -> tuple[bytearray, int]:
    """The image, and where in it the secret table begins (its end, where there is none).

    key: a SigningKey for a secret table, else ValueError. kernel: "c32" or "c32-small", the device's Keccak.
    The image of a secret table signs for whoever reads it: the caller wipes it.
    """
    backend, secret = KERNELS[kernel], None
    number = int(key.parameter_set.name.removeprefix("ML-DSA-"))
    if with_secret:
        if not isinstance(key, SigningKey):
            raise ValueError("a secret table is made of a signing key")
        public, secret = _core.mldsa_packed_tables(number, backend, key.seed() or key.to_bytes(), True)
    else:
        vk = key.verification_key if isinstance(key, SigningKey) else key
        public, _ = _core.mldsa_packed_tables(number, backend, vk.to_bytes(), False)
    image = bytearray(public)
    image += bytes(-len(image) % ALIGN)
    at = len(image)
    if secret is not None:
        image += secret
        secret[:] = bytes(len(secret))
    return image, at
