"""Hashes and the proofs of trees (section 3 of the page)."""

import hashlib
import hmac

from .reading import need


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def mac(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def included(leaf, index, size, path, root):
    need(index < size)
    node, last, found = index, size - 1, leaf
    for one in path:
        need(last > 0)
        if node % 2 or node == last:
            found = sha256(b"\1", one, found)
            while node % 2 == 0 and node > 0:
                node, last = node // 2, last // 2
        else:
            found = sha256(b"\1", found, one)
        node, last = node // 2, last // 2
    need(last == 0 and found == root)


def consistent(start, start_root, end, end_root, path):
    if start == end:
        return need(not path and start_root == end_root and (start > 0 or start_root == sha256()))
    need(0 < start < end)
    path = ([start_root] if start & (start - 1) == 0 else []) + path
    need(path)
    node, last = start - 1, end - 1
    while node % 2:
        node, last = node // 2, last // 2
    older = later = path[0]
    for one in path[1:]:
        need(last > 0)
        if node % 2 or node == last:
            older, later = sha256(b"\1", one, older), sha256(b"\1", one, later)
            while node % 2 == 0 and node > 0:
                node, last = node // 2, last // 2
        else:
            later = sha256(b"\1", later, one)
        node, last = node // 2, last // 2
    need(last == 0 and older == start_root and later == end_root)
