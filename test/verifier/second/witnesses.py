"""Policies of witnesses (section 10 of the page)."""

import re

from .notes import signers, verifier_key
from .reading import need

WORDS = "log", "witness", "group", "quorum"


def vkey_of(kind, text):
    try:
        key = verifier_key(text)
    except ValueError:
        need(False)
    need(key[2] == kind)
    return key


def read_policy(text, number):
    """The keys of logs, those of witnesses, and the rule: None, a key, or (how many, rules)."""
    need(len(text.encode("utf-16-be")) <= 2 * 65536)
    lines = [re.sub(r"(^|\s)#.*$", "", line).split() for line in text.split("\n")]
    lines = [line for line in lines if line]
    if any(line[0] in WORDS or len(line) > 1 for line in lines):
        return read_lines(lines, number)
    witnesses = []
    for [line] in lines:
        key = vkey_of(4, line)
        if key not in witnesses:
            add(witnesses, key)
    need(number is not None)
    return [], witnesses, of_all(witnesses, number)


def add(witnesses, key):
    need(len(witnesses) < 256 and all(one[3] != key[3] for one in witnesses))
    witnesses.append(key)


def of_all(witnesses, number):
    names = list(dict.fromkeys(key[0] for key in witnesses))
    need(1 <= number <= len(names))
    return number, [(1, [key for key in witnesses if key[0] == name]) for name in names]


def read_lines(lines, number):
    logs, witnesses, names, used, quorum = [], [], {}, set(), []

    def take(name):
        need(name in names and name not in used)
        used.add(name)
        return names[name]

    def define(name, rule):
        need(name != "none" and name not in names)
        names[name] = rule

    for word, *rest in lines:
        if word == "log":
            need(1 <= len(rest) <= 2)
            logs.append(vkey_of(1, rest[0]))
        elif word == "witness":
            need(2 <= len(rest) <= 3)
            key = vkey_of(4, rest[1])
            need(all(one[0] != key[0] for one in witnesses))
            add(witnesses, key)
            define(rest[0], key)
        elif word == "group":
            need(len(rest) >= 3)
            members = [take(name) for name in rest[2:]]
            least = {"all": len(members), "any": 1}.get(rest[1])
            if least is None:
                need(re.fullmatch("[1-9][0-9]{0,2}", rest[1]))
                least = int(rest[1])
            need(least <= len(members))
            define(rest[0], (least, members))
        else:
            need(word == "quorum" and len(rest) == 1 and not quorum)
            quorum.append(None if rest[0] == "none" else take(rest[0]))
    need(bool(quorum) != (number is not None))
    return logs, witnesses, quorum[0] if quorum else of_all(witnesses, number)


def reached(rule, signed):
    if isinstance(rule[1], list):
        return sum(reached(one, signed) for one in rule[1]) >= rule[0]
    return rule in signed


def witnesses_state(policy, log, later, own, attempt):
    """`later`: the later checkpoints that hold. `own`: the public keys of the log."""
    _, witnesses, rule = policy
    if log is None:
        return "failed"
    if rule is None:
        return "not checked"
    counted = [key for key in witnesses if key[0] != log["origin"] and key[3] not in own]
    signed = [attempt(lambda: signers(one, counted)) for one in [log, *later]]
    if None in signed:
        return "failed"
    return "verified" if any(reached(rule, one) for one in signed) else "failed"
