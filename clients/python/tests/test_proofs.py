from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from knowledger import Verified, verify_proof
from knowledger.proofs import canonical

pytest.importorskip("cryptography")
#: What a service has answered: of events without and with a hideable field, one shown and one hidden, and of the last.
TOLD = json.loads(Path(__file__).with_name("proofs.json").read_text())


@pytest.mark.parametrize("proof", TOLD["proofs"], ids=lambda proof: str(proof["event"]["type"]))
def test_a_proof_of_a_service_is_right(proof: Any) -> None:
    assert verify_proof(proof, TOLD["keys"]) == Verified(leaf=True, tree=True, note=True)
    assert verify_proof(proof, TOLD["keys"]).all
    assert verify_proof({**proof, "event": None}, TOLD["keys"]).all  # type: ignore[typeddict-item]


def changed(change: Callable[[Any], object]) -> Any:
    proof = copy.deepcopy(TOLD["proofs"][0])
    change(proof)
    return proof


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (lambda p: p["event"]["data"].update(name="Other"), "leaf"),
        (lambda p: p["event"]["metadata"].update(actor="me"), "leaf"),
        (lambda p: p["event"].update(revision=p["event"]["revision"] + 1), "leaf"),
        (lambda p: p.update(leaf_hash="A" * 43 + "="), "leaf"),
        (lambda p: p.update(index=p["index"] ^ 1), "tree"),
        (lambda p: p.update(index=p["checkpoint"]["size"]), "tree"),
        (lambda p: p.update(index=-1), "tree"),
        (lambda p: p["hashes"].reverse(), "tree"),
        (lambda p: p["hashes"].pop(), "tree"),
        (lambda p: p["hashes"].append(p["hashes"][0]), "tree"),
        (lambda p: p["checkpoint"].update(note=p["checkpoint"]["note"].replace("\n", "x\n", 1)), "note"),
    ],
)
def test_a_part_that_is_changed_does_not_hold_and_the_others_do(change: Callable[[Any], object], wrong: str) -> None:
    found = vars(verify_proof(changed(change), TOLD["keys"]))
    assert {name for name, holds in found.items() if not holds} == {wrong}


def test_a_hidden_field_is_held_by_its_salt_or_hash() -> None:
    hidden = [proof for proof in TOLD["proofs"] if "hidden" in proof]
    assert hidden
    for proof in hidden:
        other = copy.deepcopy(proof)
        [(name, told)] = other["hidden"].items()
        if "salt" in told:
            other["event"]["data"][name] = "Other"
        else:
            told["hash"] = "A" * 43 + "="
        assert not verify_proof(other, TOLD["keys"]).leaf


def test_a_checkpoint_that_another_key_has_signed_or_that_names_another_tree_is_not_signed() -> None:
    proof = TOLD["proofs"][0]
    name, key_id, encoded = TOLD["keys"][0].split("+", 2)
    assert not verify_proof(proof, []).note
    assert not verify_proof(proof, [f"other+{key_id}+{encoded}"]).note
    assert not verify_proof(proof, [f"{name}+{key_id}+AQ{'A' * 42}"]).note
    size = changed(lambda p: p["checkpoint"].update(size=p["checkpoint"]["size"] + 1))
    assert not verify_proof(size, TOLD["keys"]).note


# Of RFC 8785, appendix B and section 3.2.3.
@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("0", "0"), ("-0.0", "0"), ("5e-324", "5e-324"), ("-1.7976931348623157e308", "-1.7976931348623157e+308"),
        ("9007199254740992", "9007199254740992"), ("295147905179352830000", "295147905179352830000"),
        ("1e21", "1e+21"), ("9.999999999999997e22", "9.999999999999997e+22"), ("1e-7", "1e-7"), ("0.000001", "0.000001"),
        ("333333333.33333329", "333333333.3333333"), ("0.00002", "0.00002"), ("1.0", "1"), ("4.50", "4.5"), ("2e-3", "0.002"),
    ],
)  # fmt: skip
def test_numbers_are_written_as_rfc_8785_says(number: str, text: str) -> None:
    assert canonical(json.loads(number)) == text


def test_texts_and_names_are_written_as_rfc_8785_says() -> None:
    names = {"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\U0001f600": 5, "\u0080": 6, "\u00f6": 7}
    assert [json.loads(name) for name in canonical(names)[1:-1].split(",") for name in [name.rpartition(":")[0]]] == [
        "\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33",
    ]  # fmt: skip
    assert canonical(['\u20ac$\u000f\nA\'B"\\\\"/', True, None]) == '["\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/",true,null]'
    assert canonical("\ud800") == '"\\ud800"'
