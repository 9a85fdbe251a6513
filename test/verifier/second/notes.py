"""Ed25519 by the formulas of RFC 8032 §5.1, notes and verifier keys (section 4 of the page)."""

import hashlib
import re

from .reading import from_base64, need, text
from .trees import sha256

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def point_add(a, b):
    e, f = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    g, h = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = f - e, h - g, h + g, f + e
    return e * f % P, g * h % P, f * g % P, e * h % P


def point_times(scalar, point):
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = point_add(result, point)
        point, scalar = point_add(point, point), scalar >> 1
    return result


def same_point(a, b):
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 and (a[1] * b[2] - b[1] * a[2]) % P == 0


def point(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    need(y < P)
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    need((x * x - square) % P == 0 and not (x == 0 and sign))
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


BASE = point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def encoded(one):
    inverse = pow(one[2], -1, P)
    x, y = one[0] * inverse % P, one[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def of_small_order(one):
    return same_point(point_times(8, one), (0, 1, 1, 0))


def signature_fits(public, message, signature):
    need(len(signature) == 64)
    key, commitment = point(public), point(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    need(scalar < ORDER and not of_small_order(key) and not of_small_order(commitment))
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % ORDER
    minus = -key[0] % P, key[1], key[2], -key[3] % P
    need(encoded(point_add(point_times(scalar, BASE), point_times(challenge, minus))) == signature[:32])


def key_id(name, kind, public):
    return sha256(name.encode(), b"\n", bytes([kind]), public)[:4].hex()


def verifier_key(vkey):
    """Name, key id, type, public key, and the leaves of the largest checkpoint that it signs or None."""
    vkey, _, after = vkey.partition(" retired-after=")
    name, identity, data = vkey.split("+", 2)
    data = from_base64(data, 33, 33)
    need(data[0] in (1, 4) and identity == key_id(name, data[0], data[1:]))
    return name, identity, data[0], data[1:], int(text(after, "0|[1-9][0-9]{0,14}")) if after else None


def read_note(note):
    need(len(note.encode()) <= 2**20 and not re.search("[\0-\x09\x0b-\x1f]", note) and "\n\n" in note)
    at = note.rindex("\n\n")
    body, lines = note[: at + 1], note[at + 2 :].split("\n")
    need(lines.pop() == "" and 1 <= len(lines) <= 8)
    signatures = {}
    for line in lines:
        found = re.fullmatch(r"— ([^\s+]+) (\S+)", line)
        need(found)
        data = from_base64(found[2], 2**20, 5)
        signer = found[1], data[:4].hex()
        need(signer not in signatures)
        signatures[signer] = data[4:]
    return body, signatures


def read_checkpoint(note):
    body, signatures = read_note(note)
    origin, size, root, *more = body.split("\n")[:-1] if body.count("\n") >= 3 else [""] * 3
    need(origin and "" not in more)
    size = int(text(size, "0|[1-9][0-9]{0,15}"))
    need(size < 2**53)
    return {"text": body, "signatures": signatures, "origin": origin, "size": size, "root": from_base64(root, 32, 32)}


def signers(checkpoint, keys):
    """The keys that have signed, and Wrong for one wrong signature of any of them. Retired ones sign nothing later."""
    found, keys = [], [key for key in keys if key[4] is None or checkpoint["size"] <= key[4]]
    for (name, identity), signature in checkpoint["signatures"].items():
        for key in keys:
            if key[:2] != (name, identity) or key in found:
                continue
            message = checkpoint["text"].encode()
            if key[2] == 4:
                need(len(signature) == 72 and int.from_bytes(signature[:8], "big") < 2**53)
                message = f"cosignature/v1\ntime {int.from_bytes(signature[:8], 'big')}\n".encode() + message
                signature = signature[8:]
            signature_fits(key[3], message, signature)
            found.append(key)
            break
    return found
