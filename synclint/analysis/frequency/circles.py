"""Functions that call each other in a circle, and what else waits for them."""

from __future__ import annotations

from collections.abc import Collection, Mapping


def in_turn(nodes: Collection[str], followers: Mapping[str, Collection[str]]) -> list[list[str]]:
    """The circles among nodes, and the nodes in none by themselves, each group before those that follow from it."""
    order = _finished(nodes, followers)
    before: dict[str, list[str]] = {node: [] for node in nodes}
    for node in nodes:
        for follower in followers.get(node, ()):
            if follower in before:
                before[follower].append(node)
    groups: list[list[str]] = []
    placed: set[str] = set()
    for node in reversed(order):
        if node not in placed:
            placed.add(node)
            group, waiting = [], [node]
            while waiting:
                group.append(waiting.pop())
                new = [one for one in before[group[-1]] if one not in placed]
                placed.update(new)
                waiting += new
            groups.append(group)
    return groups


def _finished(nodes: Collection[str], followers: Mapping[str, Collection[str]]) -> list[str]:
    """The nodes in the order in which a search through all that follows from them is done with them."""
    known = set(nodes)
    seen: set[str] = set()
    order: list[str] = []
    for start in sorted(nodes):
        if start in seen:
            continue
        seen.add(start)
        open_nodes = [(start, iter(sorted(known.intersection(followers.get(start, ())))))]
        while open_nodes:
            node, left = open_nodes[-1]
            following = next((one for one in left if one not in seen), None)
            if following is None:
                order.append(node)
                open_nodes.pop()
            else:
                seen.add(following)
                open_nodes.append((following, iter(sorted(known.intersection(followers.get(following, ()))))))
    return order
