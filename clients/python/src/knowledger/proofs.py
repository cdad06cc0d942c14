"""Checks that the event log has an event: RFC 9162, RFC 8785 and C2SP signed notes."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .types import InclusionProof


@dataclass(frozen=True)
class Verified:
    """The parts of a proof, each of which holds or not. All together prove that the log has the event."""

    #: The leaf is the event of the answer, and its hash that of the leaf.
    leaf: bool
    #: The leaf is in the tree whose root the checkpoint names (RFC 9162, section 2.1.3.2).
    tree: bool
    #: A key of the log has signed the checkpoint (C2SP signed-note, Ed25519).
    note: bool

    @property
    def all(self) -> bool:
        return self.leaf and self.tree and self.note


def verify_proof(proof: InclusionProof, keys: Iterable[str]) -> Verified:
    """
    Checks an inclusion proof, such as `prove_inclusion` answers.

    `keys` are verifier keys of the log, from where the caller trusts them: those that the service answers prove no more
    than that it agrees with itself. Needs `cryptography`: pip install "knowledger-client[proofs]".
    """
    leaf = _sha256(b"\0", proof["leaf"].encode())
    checkpoint = proof["checkpoint"]
    note = checkpoint["note"]
    named = note.split("\n")[1:3] == [str(checkpoint["size"]), checkpoint["root_hash"]]
    return Verified(
        leaf=_base64(leaf) == proof["leaf_hash"] and _is_leaf_of(proof),
        tree=_is_in_tree(
            proof["index"], checkpoint["size"], leaf, proof["hashes"], base64.b64decode(checkpoint["root_hash"])
        ),
        note=named and _is_signed(note, keys),
    )


def _is_leaf_of(proof: InclusionProof) -> bool:
    event = proof.get("event")
    if event is None:
        return True
    leaf: dict[str, Any] = json.loads(proof["leaf"])
    hashes = leaf.pop("hidden", {})
    data, data_hash = leaf.pop("data", None), leaf.pop("data_hash", None)
    hidden: dict[str, Any] = proof.get("hidden", {})
    for name, told in hidden.items():
        told_hash = told.get("hash")
        if told_hash is None:
            salt = base64.b64decode(told["salt"])
            told_hash = _base64(_sha256(salt, canonical(event["data"].get(name)).encode()))
        if told_hash != hashes.get(name):
            return False
    shown = {name: event[name] for name in ("id", "stream", "revision", "type", "metadata")}
    if canonical(leaf) != canonical(shown):
        return False
    opened = canonical({name: value for name, value in event["data"].items() if name not in hidden})
    if data_hash is None:
        return canonical(data) == opened
    return bool(data_hash == _base64(_sha256(opened.encode())))


def _is_in_tree(index: int, size: int, leaf: bytes, hashes: Sequence[str], root: bytes) -> bool:
    """RFC 9162, section 2.1.3.2."""
    if not 0 <= index < size:
        return False
    at, last, digest = index, size - 1, leaf
    for encoded in hashes:
        sibling = base64.b64decode(encoded)
        if last == 0:
            return False
        if at % 2 == 1 or at == last:
            digest = _sha256(b"\1", sibling, digest)
            while at % 2 == 0 and at != 0:
                at, last = at // 2, last // 2
        else:
            digest = _sha256(b"\1", digest, sibling)
        at, last = at // 2, last // 2
    return last == 0 and digest == root


def _is_signed(note: str, keys: Iterable[str]) -> bool:
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError as error:
        raise ImportError('signatures need cryptography: pip install "knowledger-client[proofs]"') from error
    text, _, signatures = note.partition("\n\n")
    for key in keys:
        name, key_id, encoded = key.split("+", 2)
        algorithm, *public = base64.b64decode(encoded)
        for by, signature in re.findall(r"^— (\S+) (\S+)$", signatures, re.MULTILINE):
            signed = base64.b64decode(signature)
            if algorithm != 1 or by != name or signed[:4].hex() != key_id:
                continue
            try:
                Ed25519PublicKey.from_public_bytes(bytes(public)).verify(signed[4:], f"{text}\n".encode())
                return True
            except InvalidSignature:
                continue
    return False


def canonical(value: Any) -> str:
    """JSON of RFC 8785."""
    if isinstance(value, dict):
        # By UTF-16 code units.
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(canonical(one) for one in value) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _number(float(value))
    text = json.dumps(value, ensure_ascii=False)
    return re.sub(r"[\ud800-\udfff]", lambda lone: f"\\u{ord(lone[0]):04x}", text)


def _number(value: float) -> str:
    """As ECMAScript writes it (ECMA-262, 6.1.6.1.20); the shortest digits are those of `repr`."""
    if not math.isfinite(value):
        raise ValueError("JSON has no such number")
    if value == 0:
        return "0"
    if value < 0:
        return f"-{_number(-value)}"
    mantissa, _, exponent = f"{value!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    # Place of the decimal point, counted from the first digit.
    point = len(whole.lstrip("0")) or len(fraction.lstrip("0")) - len(fraction)
    point += int(exponent or 0)
    digits = digits.rstrip("0")
    if len(digits) <= point <= 21:
        return digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    sign = "-" if point <= 0 else "+"
    shown = f"{digits[0]}.{digits[1:]}" if len(digits) > 1 else digits
    return f"{shown}e{sign}{abs(point - 1)}"


def _sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
