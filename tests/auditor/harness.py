"""girih behind the JSON lines that `pq-verify --audit-harness` speaks (those of Crucible).

The first line that is written names the implementation and its functions. Then each line read is a request,
{"function": …, "inputs": {name: hex}, "params": {"param_set": 44}}, and each line written its answer, {"outputs": {name: hex}}
or {"error": text}. Messages are M' of FIPS 204, so that signing and verifying go through girih.testing; so does
encapsulation, whose m is given.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

import girih
from girih import MlDsa44, MlDsa65, MlDsa87, MlKem512, MlKem768, MlKem1024, testing
from girih.mldsa import ParameterSet
from girih.mlkem import DecapsulationKey, EncapsulationKey

SETS = {44: MlDsa44, 65: MlDsa65, 87: MlDsa87}
KEM_SETS = {512: MlKem512, 768: MlKem768, 1024: MlKem1024}
Inputs = Mapping[str, bytes]
Outputs = dict[str, bytes]


def key_gen(parameter_set: ParameterSet, inputs: Inputs) -> Outputs:
    """Algorithm 6."""
    vk, sk = parameter_set.key_gen(inputs["seed"])
    return {"pk": vk.to_bytes(), "sk": bytes(sk.to_bytes())}


def sign(parameter_set: ParameterSet, inputs: Inputs) -> Outputs:
    """Algorithm 7."""
    sk = parameter_set.signing_key(inputs["sk"])
    return {"signature": testing.ml_dsa_sign_internal(sk, inputs["message"], inputs["rnd"])}


def verify(parameter_set: ParameterSet, inputs: Inputs) -> Outputs:
    """Algorithm 8."""
    vk = parameter_set.verification_key(inputs["pk"])
    return {"valid": bytes([testing.ml_dsa_verify_internal(vk, inputs["signature"], inputs["message"])])}


def kem_key_gen(number: int, inputs: Inputs) -> Outputs:
    """FIPS 203, Algorithm 16."""
    ek, dk = KEM_SETS[number].key_gen(inputs["randomness"])
    return {"ek": ek.to_bytes(), "dk": bytes(dk.to_bytes())}


def kem_encaps(_: int, inputs: Inputs) -> Outputs:
    """FIPS 203, Algorithm 17, after the check of section 7.2."""
    key, c = testing.ml_kem_encaps_internal(EncapsulationKey.from_bytes(inputs["ek"]), inputs["randomness"])
    return {"c": c, "K": bytes(key)}


def kem_decaps(_: int, inputs: Inputs) -> Outputs:
    """FIPS 203, Algorithm 21."""
    return {"K": bytes(DecapsulationKey.from_bytes(inputs["dk"]).decaps(inputs["c"]))}


FUNCTIONS: dict[str, Callable[[int, Inputs], Outputs]] = {
    "ML_DSA_KeyGen": lambda number, inputs: key_gen(SETS[number], inputs),
    "ML_DSA_Sign": lambda number, inputs: sign(SETS[number], inputs),
    "ML_DSA_Verify": lambda number, inputs: verify(SETS[number], inputs),
    "ML_KEM_KeyGen": kem_key_gen,
    "ML_KEM_Encaps": kem_encaps,
    "ML_KEM_Decaps": kem_decaps,
}


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to one request. What girih refuses is an error; what this program does wrong ends it."""
    function = FUNCTIONS.get(request["function"])
    if function is None:
        return {"unsupported": True}
    inputs = {name: bytes.fromhex(value) for name, value in request["inputs"].items()}
    try:
        outputs = function(request.get("params", {}).get("param_set", 0), inputs)
    except ValueError as error:
        return {"error": str(error)}
    return {"outputs": {name: value.hex() for name, value in outputs.items()}}


def main() -> None:
    """Answer until the input ends."""
    name = f"girih {girih.__version__} ({girih.backend()})"
    print(json.dumps({"implementation": name, "functions": list(FUNCTIONS)}), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
