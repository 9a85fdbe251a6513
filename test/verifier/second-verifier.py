"""A verifier of proof bundles, written from docs/guides/write-a-verifier.md alone. It shares no code with the first one.

Reads a JSON list of {bundle: base64, keys: [verifier key], headers: {height: hex} or null, receipt_hash: hex or null,
easiest: hex or null, policy: text or null, quorum: number or null} and writes a list of {claim: state}, or null for a bundle that cannot be read.
"""

import base64
import json
import sys

from second.notes import key_id, read_checkpoint, signature_fits, signers, verifier_key
from second.reading import HEX, TIME, Wrong, attempt, canonical, count, from_base64, items, leaf_of, need, proof
from second.reading import read_canonical, read_json, shape, text
from second.timestamps import timestamp_state
from second.trees import consistent, included, mac, sha256
from second.witnesses import read_policy, witnesses_state


def read_bundle(data):
    need(len(data) <= 2621440)
    value = read_json(data, 16, 16384)
    shape(value, ("format", "entry", "keys", "anchors"), ("disclosed", "unplaced", "inclusion", "head", "checkpoint"))
    need(value["format"] == "counterfoil-proof/1")
    bundle = {"entry": from_base64(value["entry"], 524288), "place": None, "disclosed": None}
    bundle["keys"] = [leaf_of(shape(key, ("leaf", "index", "inclusion"))) for key in items(value["keys"], 16)]
    bundle["anchors"] = [read_anchor(anchor) for anchor in items(value["anchors"], 16)]
    need(sum(anchor is not None for anchor in bundle["anchors"]) <= 4)
    if "disclosed" in value:
        disclosed = shape(value["disclosed"], ("salt", "content", "metadata", "source"), ("query",))
        shown = {name: disclosed.get(name) for name in ("content", "metadata", "source", "query")}
        most = {"content": 1048576, "metadata": 65536, "source": 65536, "query": 65536}
        for name, one in shown.items():
            need(one is None or isinstance(one, str) and len(one.encode()) <= most[name])
        bundle["disclosed"] = from_base64(disclosed["salt"], 32, 32), shown
    there = [name in value for name in ("inclusion", "head", "checkpoint")]
    need(all(there) or not any(there) and not bundle["keys"] and not bundle["anchors"])
    if "unplaced" in value:
        need(not any(there) and len(text(value["unplaced"]).encode()) <= 1024)
    if all(there):
        head = shape(value["head"], ("leaf", "tag_key", "index", "inclusion"))
        tag_key = from_base64(head["tag_key"], 32, 32)
        bundle["place"] = proof(value["inclusion"]), leaf_of(head), tag_key, note_of(value)
    return bundle


def note_of(value):
    note = text(value["checkpoint"])
    need(len(note.encode()) <= 16384)
    return note


def read_anchor(value):
    need(isinstance(value, dict) and "type" in value)
    if text(value["type"], "[a-z0-9-]{1,64}") != "opentimestamps":
        return None
    shape(value, ("type", "ots"), ("headers", "checkpoint", "consistency"))
    headers = value.get("headers", {})
    need(isinstance(headers, dict) and len(headers) <= 16 and ("checkpoint" in value) == ("consistency" in value))
    read = {int(text(at, "0|[1-9][0-9]{0,9}")): bytes.fromhex(text(one, HEX + "{80}")) for at, one in headers.items()}
    later = (note_of(value), proof(value["consistency"])) if "checkpoint" in value else None
    return from_base64(value["ots"], 65536), read, later


def read_entry(data):
    entry = read_canonical(data)
    names = "v", "seq", "receipt_id", "kind", "workspace_id", "recorded_at", "prev_hash", "actor", "body"
    need(isinstance(entry, dict) and all(name in entry for name in names))
    need(entry["v"] == 1 and entry["v"] is not True and count(entry["seq"]) >= 1)
    for name in ("receipt_id", "kind", "workspace_id"):
        need(1 <= len(text(entry[name]).encode("utf-16-be")) <= 1024)
    text(entry["recorded_at"], TIME)
    text(entry["prev_hash"], HEX + "{32}")
    need(isinstance(entry["actor"], dict) and isinstance(entry["body"], dict))
    return {**entry, "hash": sha256(b"\0", data)}


def check_content(entry, salt, shown):
    for name, one in shown.items():
        need(one is None or mac(salt, one) == entry["body"].get(name + "_commitment"))


def check_inclusion(entry, log, place):
    path, (leaf, index, head_path), tag_key, _ = place
    head = shape(read_canonical(leaf), ("head_hash", "root", "size", "tag", "type", "v"))
    need(head["type"] == "head" and head["v"] == 1 and head["v"] is not True)
    for name in ("head_hash", "root", "tag"):
        text(head[name], HEX + "{32}")
    size, seq = count(head["size"]), count(entry["seq"])
    need(mac(tag_key, entry["workspace_id"]) == head["tag"] and seq <= size)
    need(seq != size or head["head_hash"] == entry["hash"].hex())
    included(entry["hash"], seq - 1, size, path, bytes.fromhex(head["root"]))
    included(sha256(b"\0", leaf), index, log["size"], head_path, log["root"])


def read_keys(keys, log):
    read, last = [], -1
    for leaf, index, path in keys:
        need(index > last)
        last = index
        included(sha256(b"\0", leaf), index, log["size"], path, log["root"])
        read.append(read_key_leaf(leaf))
    disowned = [one["key"] for one in read if one["reason"] == "disowned" and one["log"] == log["origin"]]
    for one in read:
        need(one["log"] == log["origin"] if one["reason"] else one["key"][0] == log["origin"] or one["key"] in disowned)
    return read


def read_key_leaf(leaf):
    names = ["algorithm", "endorsements", "name", "public_key", "type", "v"]
    key = read_canonical(leaf)
    ends = isinstance(key, dict) and key.get("type") == "key_end"
    shape(key, names + (["after", "log", "reason"] if ends else ["not_before"]))
    need(key["algorithm"] == "ed25519" and key["v"] == 1 and key["v"] is not True)
    need(ends or key["type"] == "key")
    text(key["name"], r"[^\s+]+")
    if ends:
        text(key["reason"], "retired|disowned")
        text(key["log"])
        need(count(key["after"]) == 0 or key["reason"] == "retired")
    else:
        text(key["not_before"], TIME)
    public = from_base64(key["public_key"], 32, 32)
    endorsements = []
    for one in items(key.pop("endorsements"), 16):
        shape(one, ("key_id", "signature"))
        endorsements.append((text(one["key_id"], HEX + "{4}"), from_base64(one["signature"], 64, 64)))
    return {
        "key": (key["name"], key_id(key["name"], 1, public), 1, public),
        "log": key.get("log", key["name"]),
        "reason": key.get("reason"),
        "after": key.get("after"),
        "endorsements": endorsements,
        "message": (b"counterfoil-key-end/1\n" if ends else b"counterfoil-key/1\n") + canonical(key).encode(),
    }


def trusted_keys(given, logged):
    trusted = list(given)
    for leaf in logged:
        trusted = with_end(trusted, leaf) if leaf["reason"] else with_key(trusted, leaf)
    return trusted


def with_key(trusted, leaf):
    key, until = leaf["key"], -1
    if any(one[:4] == key for one in trusted):
        return trusted
    for identity, signature in leaf["endorsements"]:
        endorser = next((one for one in trusted if one[:3] == (key[0], identity, 1)), None)
        if endorser:
            signature_fits(endorser[3], leaf["message"], signature)
            if endorser[4] is None:
                return trusted + [key + (None,)]
            until = max(until, endorser[4])
    return trusted if until < 0 else trusted + [key + (until,)]


def with_end(trusted, leaf):
    key, after = leaf["key"], leaf["after"]
    for identity, signature in leaf["endorsements"]:
        for one in trusted:
            if one[:3] == (leaf["log"], identity, 1) and one[4] is None and one[:4] != key:
                signature_fits(one[3], leaf["message"], signature)
                ended = lambda old: after if old is None else min(old, after)
                return [one[:4] + (ended(one[4]),) if one[:4] == key else one for one in trusted]
    return trusted


def checkpoint_state(log, logged, given, trusted):
    if log is None or logged is None or trusted is None:
        return "failed"
    own_word = all(key[2] != 1 for key in given)
    own = [leaf["key"] + (None,) for leaf in logged if not leaf["reason"]]
    signed = attempt(lambda: signers(log, own + given if own_word else trusted))
    if signed is None:
        return "failed"
    if own_word:
        return "not checked"
    return "verified" if any(key[2] == 1 and key[0] == log["origin"] for key in signed) else "failed"


def follow(log, later, keys):
    """The text that was anchored, and Wrong when it does not stand for the log."""
    need(log is not None)
    if later is None:
        return log["text"]
    anchored = read_checkpoint(later[0])
    need(anchored["origin"] == log["origin"])
    consistent(log["size"], log["root"], anchored["size"], anchored["root"], later[1])
    signers(anchored, keys)
    return anchored["text"]


def state(held):
    return "failed" if held is None else "verified"


def verify(case):
    bundle = read_bundle(base64.b64decode(case["bundle"]))
    place, disclosed = bundle["place"], bundle["disclosed"]
    policy = case.get("policy") and read_policy(case["policy"], case.get("quorum"))
    given = [verifier_key(key) for key in case["keys"]] + (policy[0] if policy else [])
    entry = attempt(lambda: read_entry(bundle["entry"]))
    log = attempt(lambda: read_checkpoint(place[3])) if place else None
    claims = dict.fromkeys(
        ("entry", "content", "inclusion", "checkpoint", "consistency", "opentimestamps", "ethereum"), "absent"
    )
    if policy:
        claims["witnesses"] = "absent"
    expected = case.get("receipt_hash")
    claims["entry"] = state(entry and (entry if expected in (None, entry["hash"].hex()) else None))
    if disclosed and any(one is not None for one in disclosed[1].values()):
        claims["content"] = state(entry and attempt(lambda: check_content(entry, *disclosed) or True))
    if place:
        claims["inclusion"] = state(entry and log and attempt(lambda: check_inclusion(entry, log, place) or True))
        logged = log and attempt(lambda: read_keys(bundle["keys"], log))
        trusted = attempt(lambda: trusted_keys(given, logged)) if logged is not None else given
        claims["checkpoint"] = checkpoint_state(log, logged, given, trusted)
        anchors = [anchor for anchor in bundle["anchors"] if anchor]
        texts = [attempt(lambda: follow(log, anchor[2], given if trusted is None else trusted)) for anchor in anchors]
        later = [body for body, anchor in zip(texts, anchors) if anchor[2]]
        if later:
            claims["consistency"] = "failed" if None in later else "verified"
        states = [anchor_state(body, anchor, case) for body, anchor in zip(texts, anchors)]
        if states:
            order = "failed", "verified", "not checked"
            claims["opentimestamps"] = next(one for one in order if one in states)
        if None in bundle["anchors"]:
            claims["ethereum"] = "not checked"
        if policy:
            own = [leaf["key"][3] for leaf in logged or []] + [key[3] for key in given if key[2] == 1]
            held = [read_checkpoint(anchor[2][0]) for body, anchor in zip(texts, anchors) if anchor[2] and body]
            claims["witnesses"] = witnesses_state(policy, log, held, own, attempt)
    return claims


def anchor_state(body, anchor, case):
    if body is None:
        return "failed"
    given, easiest = case.get("headers"), case.get("easiest")
    headers = anchor[1] if given is None else {int(at): bytes.fromhex(one) for at, one in given.items()}
    return timestamp_state(anchor[0], sha256(body.encode()), headers, easiest and int(easiest, 16))


def answer(case):
    try:
        return verify(case)
    except Wrong:
        return None


sys.setrecursionlimit(10000)
print(json.dumps([answer(case) for case in json.load(sys.stdin)]))
