"""Other implementations' figures, for comparison: executed instructions and bytes under the same emulator and the
same way of counting.

Images of the low-RAM and the default build of mldsa-native hold a harness of 1,204 bytes (verify only: 944); sign is
the mean of 50 messages, of 20 or fewer for pqm4. Hardening was off. pqm4 has assembly for Armv7E-M."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Peer:
    """One implementation on one core. Instructions and stack (bytes) of keygen, sign and verify; of keygen, encaps and
    decaps."""

    name: str
    scheme: str
    core: str
    flags: str
    image: int
    instructions: tuple[int, int, int]
    stack: tuple[int, int, int]


PEERS = (
    Peer(
        "mldsa-native, low RAM", "ml-dsa-44", "m33", "-Os", 13624, (1920886, 11030000, 1995357), (13276, 14828, 11148)
    ),
    Peer(
        "mldsa-native, low RAM", "ml-dsa-65", "m33", "-Os", 13224, (3365613, 21670000, 3353765), (16348, 18996, 12220)
    ),
    Peer(
        "mldsa-native, low RAM", "ml-dsa-87", "m33", "-Os", 13440, (5652353, 29420000, 5751787), (20444, 23092, 14540)
    ),
    Peer("mldsa-native", "ml-dsa-65", "m33", "-Os", 14824, (3331094, 9290000, 3288391), (49516, 74508, 45380)),
    Peer("pqm4 m4f", "ml-dsa-44", "m4", "-O3", 29744, (1284005, 3710000, 1262201), (38288, 44776, 8864)),
    Peer("pqm4 m4fstack", "ml-dsa-44", "m4", "-O3", 31740, (1642819, 11170000, 2509704), (4400, 5040, 2664)),
    Peer("pqm4 m4f", "ml-dsa-65", "m4", "-O3", 29232, (2256325, 5290000, 2153496), (60816, 68832, 9840)),
    Peer("pqm4 m4fstack", "ml-dsa-65", "m4", "-O3", 30972, (3052520, 19080000, 4442320), (4400, 6576, 2664)),
    Peer("pqm4 m4f", "ml-dsa-87", "m4", "-O3", 29488, (3812949, 7210000, 3750221), (97680, 107744, 11904)),
    Peer("pqm4 m4fstack", "ml-dsa-87", "m4", "-O3", 31228, (5056606, 26590000, 7670150), (4400, 8104, 2672)),
    Peer("mlkem-native", "ml-kem-512", "m7", "-Os", 10688, (524146, 596765, 754211), (7636, 10268, 10996)),
    Peer("mlkem-native", "ml-kem-768", "m7", "-Os", 10464, (846077, 970192, 1187012), (11740, 14876, 15924)),
    Peer("mlkem-native", "ml-kem-1024", "m7", "-Os", 10816, (1317837, 1463848, 1740986), (17116, 20764, 22292)),
    Peer("pqm4 m4fspeed", "ml-kem-512", "m4", "-O3", 26584, (349849, 347236, 377287), (4364, 5428, 5404)),
    Peer("pqm4 m4fspeed", "ml-kem-768", "m4", "-O3", 26840, (566613, 581074, 620512), (5388, 6460, 6444)),
    Peer("pqm4 m4fspeed", "ml-kem-1024", "m4", "-O3", 27352, (898361, 908749, 959438), (6428, 7492, 7476)),
)

# Verify-only images of mldsa-native on the M33, with a harness of 944 bytes.
VERIFY_ONLY = {"ml-dsa-44": 9776, "ml-dsa-65": 9568, "ml-dsa-87": 9584}

# Permutations on the M33.
KECCAK = (("mldsa-native, C", 13248), ("best published assembly for Armv7-M", 9162))


def peers_of(scheme: str, core: str) -> list[Peer]:
    """The peers that were counted on a core."""
    return [peer for peer in PEERS if (peer.scheme, peer.core) == (scheme, core)]
