"""Matrices as tables of text in all dresses, for tables.sh: python3 tables.py FOLDER. Each table
NAME has a line in FOLDER/cases: NAME, the file of NumPy with its distances by Floyd and Warshall,
the names of its vertices, options."""
import sys
import numpy as np

folder = sys.argv[1]
cases = open(f"{folder}/cases", "w", encoding="utf-8")
random = np.random.default_rng(5)
rights = 0


def distances(matrix):
    """NaN is no edge."""
    d = np.where(np.isnan(matrix), np.inf, matrix)
    np.fill_diagonal(d, 0)
    for k in range(len(d)):
        d = np.minimum(d, d[:, k, None] + d[None, k])
    return d


def quoted(text):
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',;\t" ') else text


def case(file, lines, matrix, names, options="-"):
    global rights
    rights += 1
    with open(f"{folder}/{file}", "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")
    np.save(f"{folder}/right{rights}.npy", distances(matrix))
    with open(f"{folder}/names{rights}", "w", encoding="utf-8") as out:
        out.write("".join(f"{name}\n" for name in names))
    print(file, f"right{rights}.npy", f"names{rights}", options, sep="|", file=cases)


def rows(matrix, separator, missing, number=lambda w: f"{w:g}"):
    return [separator.join(missing if np.isnan(w) else number(w) for w in row) for row in matrix]


def make(n, scale, density=0.4):
    matrix = random.integers(1, 90, (n, n)) / scale
    matrix[random.random((n, n)) > density] = np.nan
    np.fill_diagonal(matrix, 0)
    return matrix


def headed(matrix, names, separator, missing, rows_order):
    """As pandas.DataFrame.to_csv."""
    lines = [separator.join(["", *map(quoted, names)])]
    body = rows(matrix, separator, missing)
    return lines + [quoted(names[i]) + separator + body[i] for i in rows_order]


words = ["Zoë", "a, b", 'the "old" one', "x", "7", "8 a", "i", "j", "k"]
for scale in 1, 10:
    for n in 3, 9, 300:
        names = words[:n] if n <= len(words) else [f"v{i * i}" for i in range(n)]
        matrix, numbers = make(n, scale), range(n)
        for separator, missing in (",", ""), (";", "NaN"), ("\t", "inf"), ("|", "0"):
            if n == 300 and separator != ",":
                continue
            key = f"{scale}-{n}-{ord(separator)}"
            case(f"whole{key}.csv", headed(matrix, names, separator, missing, numbers), matrix,
                 names)
            case(f"moved{key}.csv", headed(matrix, names, separator, missing,
                                           random.permutation(n)), matrix, names)
            case(f"head{key}.csv",
                 [separator.join(map(quoted, names))] + rows(matrix, separator, missing), matrix,
                 names, "--format table" if n < 4 else "-")
            case(f"side{key}.csv",
                 headed(matrix, names, separator, missing, numbers)[1:], matrix, names)
            case(f"counted{key}.csv",
                 headed(matrix, list(map(str, numbers)), separator, missing, numbers), matrix,
                 numbers)
            case(f"bare{key}.csv", rows(matrix, separator, missing), matrix, numbers,
                 "--format table" if n < 4 else "-")
        # As numpy.savetxt, and as R's write.table.
        case(f"saved{scale}-{n}.txt",
             ["# of numpy"] + rows(matrix, " ", "nan", lambda w: f"{w:.18e}"), matrix, numbers)
        plain = [name.replace('"', "'") for name in names]
        case(f"table{scale}-{n}.txt", [" ".join(f'"{name}"' for name in plain)] +
             [f'"{name}" {row}' for name, row in zip(plain, rows(matrix, " ", "NA"))], matrix,
             plain)
# What is no edge is the user's to say: 0 then is a weight.
matrix = make(6, 1)
np.fill_diagonal(matrix, np.nan)
matrix[2, 3] = 0
case("zeros.csv", rows(matrix, ",", "-1"), matrix, range(6), "--no-edge -1 --format table")
