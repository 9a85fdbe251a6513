"""OpenTimestamps files and block headers (section 8 of the page)."""

import hashlib
import re

from .reading import Wrong, attempt, need
from .trees import sha256

MAGIC = bytes.fromhex("004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e89294") + b"\1\x08"
BITCOIN, PROMISE = "0588960d73d71901", "83dfe30d2ef90c8e"
OTHER_CHAINS = ("06869a0d73d71b45", "30fe8087b5c7ead7")
FLOORS = ((1704067200, 35 * 10**12), (1577836800, 6 * 10**12), (0, 20 * 10**9))


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, length):
        need(self.at + length <= len(self.data))
        self.at += length
        return self.data[self.at - length : self.at]

    def number(self):
        value = 0
        for group in range(5):
            byte = self.take(1)[0]
            value += (byte & 127) << 7 * group
            if byte < 128:
                need(byte or not group)
                return value
        raise Wrong()

    def some(self, least, most):
        length = self.number()
        need(least <= length <= most)
        return self.take(length)

    def end(self):
        need(self.at == len(self.data))


def read_ots(data, digest):
    """(tag, height, message) of each attestation; the height is None where there is none."""
    file, found, operations, spent = Reader(data), [], 0, 0
    need(file.take(len(MAGIC)) == MAGIC and file.take(32) == digest)
    todo = [(digest, 1)]
    while todo:
        message, depth = todo.pop()
        tag = file.take(1)[0]
        if tag == 0xFF:
            todo.append((message, depth))
            tag = file.take(1)[0]
        if tag == 0:
            found.append(read_attestation(file, message))
            need(len(found) <= 256)
            continue
        operations, spent = operations + 1, spent + len(message)
        need(operations <= 2048 and spent <= 262144 and depth < 256)
        result = apply(tag, message, file)
        need(1 <= len(result) <= 4096)
        todo.append((result, depth + 1))
    file.end()
    return found


def read_attestation(file, message):
    tag, inside = file.take(8).hex(), Reader(file.some(0, 8192))
    height = None
    if tag == PROMISE:
        need(re.fullmatch(rb"[A-Za-z0-9._/:-]*", inside.some(0, 1000)))
        inside.end()
    elif tag == BITCOIN or tag in OTHER_CHAINS:
        height = inside.number()
        inside.end()
    return tag, height, message


def apply(tag, message, file):
    if tag in (0xF0, 0xF1):
        argument = file.some(1, 4096)
        return message + argument if tag == 0xF0 else argument + message
    if tag in (0x02, 0x03, 0x08):
        return hashlib.new({2: "sha1", 3: "ripemd160", 8: "sha256"}[tag], message).digest()
    need(tag in (0x67, 0xF2, 0xF3))
    return {0x67: keccak, 0xF2: lambda data: data[::-1], 0xF3: lambda data: data.hex().encode()}[tag](message)


def keccak(message):
    """Keccak-256 with the padding from before it became SHA-3."""
    mask, lanes = 2**64 - 1, [[0] * 5 for _ in range(5)]
    turn = lambda value, by: (value << by | value >> 64 - by) & mask if by else value
    padded = bytearray(message + b"\1" + bytes(-(len(message) + 1) % 136))
    padded[-1] |= 0x80
    for start in range(0, len(padded), 136):
        for i in range(17):
            lanes[i % 5][i // 5] ^= int.from_bytes(padded[start + 8 * i : start + 8 * i + 8], "little")
        state = 1
        for _ in range(24):
            sums = [a[0] ^ a[1] ^ a[2] ^ a[3] ^ a[4] for a in lanes]
            mixed = [sums[(x + 4) % 5] ^ turn(sums[(x + 1) % 5], 1) for x in range(5)]
            lanes = [[lane ^ mixed[x] for lane in lanes[x]] for x in range(5)]
            x, y, current = 1, 0, lanes[1][0]
            for t in range(24):
                x, y = y, (2 * x + 3 * y) % 5
                current, lanes[x][y] = lanes[x][y], turn(current, (t + 1) * (t + 2) // 2 % 64)
            lanes = [[lanes[x][y] ^ ~lanes[(x + 1) % 5][y] & lanes[(x + 2) % 5][y] for y in range(5)] for x in range(5)]
            for bit in range(7):
                state = (state << 1 ^ (state >> 7) * 0x71) % 256
                if state & 2:
                    lanes[0][0] ^= 1 << (1 << bit) - 1
    return b"".join(lanes[i % 5][i // 5].to_bytes(8, "little") for i in range(4))


def check_header(header, message, easiest):
    need(len(header) == 80)
    bits, time = int.from_bytes(header[72:76], "little"), int.from_bytes(header[68:72], "little")
    size, mantissa = bits >> 24, bits & 0x7FFFFF
    target = mantissa << 8 * (size - 3) if size > 3 else mantissa >> 8 * (3 - size)
    difficulty = next(floor for since, floor in FLOORS if time >= since)
    most = (0xFFFF << 208) // difficulty if easiest is None else easiest
    need(not bits & 0x800000 and 0 < target < 2**256 and target <= most)
    need(int.from_bytes(sha256(sha256(header)), "little") <= target and header[36:68] == message)


def timestamp_state(data, digest, headers, easiest):
    found = attempt(lambda: read_ots(data, digest))
    if found is None:
        return "failed"
    states = set()
    for tag, height, message in found:
        if tag != BITCOIN or height not in headers:
            continue
        held = attempt(lambda: check_header(headers[height], message, easiest) or True)
        states.add("verified" if held else "failed")
    return next((state for state in ("verified", "failed") if state in states), "not checked")
