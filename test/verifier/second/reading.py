"""JSON, its canonical form, and the shapes of values (sections 1 and 2 of the page)."""

import base64
import json
import math
import re


class Wrong(Exception):
    pass


def need(condition):
    if not condition:
        raise Wrong()


def attempt(read):
    try:
        return read()
    except Wrong:
        return None


# JSON


def read_json(data, levels, values):
    count = 0

    def members(pairs):
        need(len({name for name, _ in pairs}) == len(pairs))
        return dict(pairs)

    def number(text):
        value = float(text)
        need(math.isfinite(value))
        return value

    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode()
        depth, inside, escaped = 0, False, False
        for character in text:
            if inside:
                inside = escaped or character != '"'
                escaped = character == "\\" and not escaped
            elif character == '"':
                inside = True
            elif character in "[{":
                depth += 1
                need(depth <= levels + 1)
            elif character in "]}":
                depth -= 1
        value = json.loads(text, object_pairs_hook=members, parse_int=number, parse_float=number, parse_constant=number)
        need(not text.startswith("\ufeff"))
        todo = [(value, 1)]
        while todo:
            one, depth = todo.pop()
            count += 1
            need(count <= values)
            inner = list(one.values()) if isinstance(one, dict) else one if isinstance(one, list) else []
            need(not inner or depth <= levels)
            todo += [(member, depth + 1) for member in inner]
            for string in list(one) if isinstance(one, dict) else [one] if isinstance(one, str) else []:
                string.encode()
        return value
    except (ValueError, RecursionError, OverflowError):
        raise Wrong()


def canonical(value):
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, float):
        return ecmascript(value)
    return json.dumps(value, ensure_ascii=False)


def ecmascript(value):
    """ECMA-262, Number::toString: the shortest digits, which are also Python's, with the point where it belongs."""
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, exponent = f"{abs(value)!r}e0".split("e")[:2]
    whole, _, fraction = mantissa.partition(".")
    fraction = fraction if fraction != "0" else ""
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    if len(digits) <= point <= 21:
        return sign + digits.ljust(point, "0")
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    tail = f"e{'+' if point > 0 else '-'}{abs(point - 1)}"
    return sign + digits[0] + ("." + digits[1:] if len(digits) > 1 else "") + tail


def read_canonical(data):
    value = read_json(data, 200, 16384)
    need(canonical(value).encode() == data)
    return value


# Shapes


def shape(value, required, optional=()):
    need(isinstance(value, dict) and set(required) <= set(value) <= set(required) | set(optional))
    return value


def text(value, pattern=r"[\s\S]*"):
    need(isinstance(value, str) and re.fullmatch(pattern, value))
    return value


def count(value):
    need(isinstance(value, float) and value.is_integer() and 0 <= value < 2**53 and math.copysign(1, value) > 0)
    return int(value)


def from_base64(value, most, least=0):
    need(isinstance(value, str))
    try:
        data = base64.b64decode(value.encode(), validate=True)
    except ValueError:
        raise Wrong()
    need(base64.b64encode(data).decode() == value and least <= len(data) <= most)
    return data


def items(value, most):
    need(isinstance(value, list) and len(value) <= most)
    return value


def proof(value):
    return [from_base64(one, 32, 32) for one in items(value, 64)]


def leaf_of(value):
    return from_base64(value["leaf"], 65535), count(value["index"]), proof(value["inclusion"])


HEX = r"(?:[0-9a-f]{2})"
TIME = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z"
