#!/usr/bin/env python3
"""python3 docs/tree.py >docs/tree.svg: the picture of a grid's elimination tree in
docs/internals/sparse.md.

The grid is cut by its middle column or row, again and again, until three vertices are left.
Boundaries are not drawn by hand: they are the vertices outside of a region that have a neighbour
in it, which is what elimination makes of them.
"""

SIDE = 7
STEP, LEFT, TOP = 38, 40, 54  # of the grid, in pixels
LEVEL = ["#1b4f8a", "#4a86c5", "#9cc3e6", "#dcebf7"]  # of a node's vertices, from the root down
MARK = "#d9480f"


class Node:
    def __init__(self, columns, rows, depth):
        """The region of these columns and rows: its separator and the nodes of what that leaves."""
        self.depth, self.parent, self.children = depth, None, []
        self.region = {(x, y) for x in columns for y in rows}
        if len(self.region) <= 3:
            self.own = self.region
        elif len(columns) >= len(rows):
            middle = columns[len(columns) // 2]
            self.own = {(middle, y) for y in rows}
            self.children = [Node(part, rows, depth + 1) for part in halves(columns)]
        else:
            middle = rows[len(rows) // 2]
            self.own = {(x, middle) for x in columns}
            self.children = [Node(columns, part, depth + 1) for part in halves(rows)]
        for child in self.children:
            child.parent = self
        self.boundary = {at for here in self.region for at in neighbours(here)} - self.region

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()


def halves(line):
    return line[: len(line) // 2], line[len(line) // 2 + 1 :]


def neighbours(at):
    near = ((at[0] + dx, at[1] + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)))
    return {(x, y) for x, y in near if 0 <= x < SIDE and 0 <= y < SIDE}


def place(at):
    return LEFT + STEP * at[0], TOP + STEP * at[1]


def text(x, y, words, more=""):
    print(f'<text x="{x}" y="{y}" {more}>{words}</text>')


def line(a, b, more):
    print(f'<line x1="{a[0]}" y1="{a[1]}" x2="{b[0]}" y2="{b[1]}" {more}/>')


def circle(at, radius, fill, stroke, width):
    print(
        f'<circle cx="{at[0]}" cy="{at[1]}" r="{radius}" fill="{fill}" stroke="{stroke}" '
        f'stroke-width="{width}"/>'
    )


def draw_grid(root, chosen):
    xs, ys = zip(*map(place, chosen.region))
    print(
        f'<rect x="{min(xs) - 17}" y="{min(ys) - 17}" width="{max(xs) - min(xs) + 34}" '
        f'height="{max(ys) - min(ys) + 34}" '
        f'rx="10" fill="none" stroke="{MARK}" stroke-width="1.5" stroke-dasharray="5 3"/>')
    for here in sorted(root.region):
        for there in sorted(neighbours(here)):
            if here < there:
                line(place(here), place(there), 'stroke="#aaa"')
    for node in root.walk():
        for at in sorted(node.own):
            circle(place(at), 9, LEVEL[node.depth], "#555", 1)
    for at in sorted(chosen.own):
        text(
            place(at)[0],
            place(at)[1] + 4, "S", 'text-anchor="middle" font-size="11" font-weight="bold"')
    for at in sorted(chosen.boundary):
        circle(place(at), 12, "none", MARK, 2)


def draw_tree(root, chosen):
    left, width, row = 360, 384, 76
    leaves = [node for node in root.walk() if not node.children]
    for i, node in enumerate(leaves):
        node.x = left + width * (i + 0.5) / len(leaves)
    for node in reversed(list(root.walk())):
        if node.children:
            node.x = sum(child.x for child in node.children) / len(node.children)
        node.y = TOP + row * node.depth
    path = [chosen]
    while path[-1].parent:
        path.append(path[-1].parent)
    for node in root.walk():
        if node.parent:
            line((node.x, node.y), (node.parent.x, node.parent.y),
                 f'stroke="{MARK}" stroke-width="2.5"' if node in path else 'stroke="#888"')
    for node in root.walk():
        print(
            f'<rect x="{node.x - 21}" y="{node.y - 14}" width="42" height="28" rx="6" '
            f'fill="{LEVEL[node.depth]}" '
            f'stroke="{MARK if node is chosen else "#555"}" '
            f'stroke-width="{2.5 if node is chosen else 1}"/>'
        )
        text(node.x, node.y + 4, f"{len(node.own)} | {len(node.boundary)}",
             f'text-anchor="middle" fill="{"white" if node.depth < 2 else "black"}"')
    text(chosen.x - 28, chosen.y + 4, "t", f'text-anchor="end" font-style="italic" fill="{MARK}"')


root = Node(list(range(SIDE)), list(range(SIDE)), 0)
chosen = root.children[0].children[0]
print(
    '<svg xmlns="http://www.w3.org/2000/svg" width="760" height="380" font-family="sans-serif" '
    'font-size="12">'
)
print('<rect width="760" height="380" fill="white"/>')
draw_grid(root, chosen)
draw_tree(root, chosen)
text(LEFT - 12, 24, "A grid, and its separators")
text(372, 24, "The elimination tree: sizes of S and B of each node")
text(
    LEFT - 12, 336,
    f'Node t has the {len(chosen.own)} vertices S; dashed: its region, all vertices from t down; '
    f'ringed: its boundary B, {len(chosen.boundary)} vertices.')
text(
    LEFT - 12, 358,
    "Every path out of the region passes the boundary, and that lies on the path from t to the "
    "root."
)
print("</svg>")
