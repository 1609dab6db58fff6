#!/bin/sh
# sh python/tests/wheel_gpu.sh WHEEL [PYTHON]: the wheel on a machine with a GPU and any Python 3,
# without pip, network or NumPy: it is unpacked to a folder, and solves on the CPU and on the GPU.
# Of more than the wheel nothing of this folder is needed.
set -eu
wheel=$1
python=${2:-python3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" -m zipfile -e "$wheel" "$folder"
"$python" --version
unset APSP_LIBRARY
PYTHONPATH=$folder PYTHONDONTWRITEBYTECODE=1 "$python" - <<'END'
import array, random, time
import apsp
from apsp import _arrays

print("apsp", apsp.__version__, "from", apsp.__file__, "with" if _arrays.numpy else "without", "NumPy")
n, degree, chance = 6000, 8, random.Random(1)
edges = apsp.Edges(n, array.array("i", (e // degree for e in range(n * degree))),
                   array.array("i", (chance.randrange(n) for _ in range(n * degree))),
                   array.array("i", (chance.randrange(1, 1000) for _ in range(n * degree))))
found = {}
for device in "cpu", "gpu":
    for method in "dense", "sparse":
        begun = time.time()
        with apsp.solve(edges, method=method, device=device, dtype="int32", verify=16) as solution:
            solved = time.time() - begun
            found[device, method] = bytes(solution.distances())
            facts = solution.facts
            print("%s, %-6s: %s; %d rows proved right; solve %.4f s, call %.3f s, with rows %.3f s" % (
                device, method, facts["device"], facts["verified"], facts["seconds"]["solve"], solved, time.time() - begun))
            trees = bytes(solution.predecessors([0, n - 1]))
            assert len(trees) == 2 * n * 4
assert len(set(found.values())) == 1
with apsp.solve(edges, dtype="native") as solution:
    print("auto:", solution.facts["method"], "on", solution.facts["device"], "as", solution.dtype)
print("wheel_gpu: passed")
END
