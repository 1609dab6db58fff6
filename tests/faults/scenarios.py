"""The runs whose calls fail, and their inputs."""

import gzip
import os
import re
import shutil
import signal
import struct
import subprocess

SEEDS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../fuzz/seeds')


def filled(words, inputs, out):
    return [word.replace('IN/', inputs + '/').replace('OUT/', out + '/') for word in words]


class Scenario:
    """`words`: the command line, with IN/ and OUT/ for the folders. rank: the one whose calls
    fail; 'none': that of no launcher. prints: what goes to stdout is always the same. before: a
    file that is in OUT/ already.

    kept: there are checkpoints in OUT/kept, at first a copy of that folder of IN/, but for a file
    of rows, which is in OUT/; '': none. resumes: the command line that goes on from them; its last
    word is a file like `result`. code: the exit code as it is. preloaded: variables for the
    interposer, which is there in any case. under: a command that starts the program."""

    def __init__(self,
                 name,
                 words,
                 ranks=1,
                 rank=None,
                 environment=None,
                 stdin=None,
                 program='apsp',
                 prints=False,
                 gpu=False,
                 before=None,
                 kept=None,
                 resumes='IN/graph.bin OUT/again',
                 result='out',
                 code=0,
                 preloaded=None,
                 under=''):
        self.ranks, self.program, self.prints = ranks, program, prints
        self.gpu, self.before = gpu, before
        self.kept, self.resumes, self.result = kept, resumes.split(), result
        self.code, self.preloaded, self.under = code, preloaded or {}, under.split()
        self.rank = 'none' if ranks == 1 else rank
        self.name = name if ranks == 1 else f'{name}, rank {rank} of {ranks}'
        self.line, self.environment, self.source = words, environment or {}, stdin
        self.begin = 'apsp: ' if gpu else program + ': '

    def words(self, inputs, out):
        own = ['--no-progress', '--write-retry', '0'] if self.begin == 'apsp: ' else []
        if own:
            own += ['--device', 'gpu', '--share-gpus'
                    ] if self.gpu else ['--device', 'cpu', '--threads', '1']
        return own + filled(self.line.split(), inputs, out)

    def stdin(self, inputs):
        return os.path.join(inputs, self.source) if self.source else os.devnull


def make_inputs(folder, build):
    def path(name):
        return os.path.join(folder, name)

    def run(program, *words):
        subprocess.run([os.path.join(build, program), *words], check=True, capture_output=True)

    run('apsp-gen', 'random', '-n', '50', '-d', '4', '-s', '1', '-w', '1:1000', '-o',
        path('graph.bin'))
    run('apsp-gen', 'random', '-n', '50', '-s', '1', '-w', '1:1', '-o', path('equal.bin'))
    run('apsp-gen', 'random', '-n', '12', '-d', '3', '-s', '2', '-w', '1:9', '-o', path('small.gr'))
    run('apsp-gen', 'random', '-n', '30', '-d', '3', '-s', '4', '-w', '0:20', '--potential', '40',
        '-o', path('negative.mtx'))
    with open(path('small.gr')) as file:
        edges = [line.split()[1:] for line in file if line.startswith('a ')]
    with open(path('named.csv'), 'w') as file:
        file.writelines(f'v{u},v{v},{w}\n' for u, v, w in edges)
    with open(path('decimals.csv'), 'w') as file:
        file.writelines(f'v{u},v{v},{int(w) / 10}\n' for u, v, w in edges)
    with open(path('graph.bin'), 'rb') as file, gzip.open(path('graph.bin.gz'), 'wb') as packed:
        shutil.copyfileobj(file, packed)
    for kind in os.listdir(SEEDS):
        for name in os.listdir(os.path.join(SEEDS, kind)):
            shutil.copy(os.path.join(SEEDS, kind, name), path(f'{kind}-{name}'))
    run('apsp', '--device', 'cpu', '--names', path('names'), path('named.csv'), path('raw'))
    for name in 'array.npy', 'pairs.csv':
        run('apsp', '--device', 'cpu', '--force', '--json',
            path('report' if name == 'array.npy' else 'other'), path('named.csv'), path(name))
    run('apsp', '--device', 'cpu', '--save-order', path('order'), path('graph.bin'))
    run('apsp', '--device', 'cpu', '--checkpoint-keep', '--checkpoint', path('two'),
        *CHECKPOINTS.split(), path('graph.bin'))
    shutil.copytree(path('two'), path('damaged'))
    with open(path('damaged/checkpoint.1'), 'r+b') as file:  # the younger of the two
        file.seek(5000)
        file.write(b'damage')
    run('apsp-gen', 'random', '-n', '200', '-d', '4', '-s', '1', '-w', '1:1000', '-o',
        path('blocks.bin'))
    keep = [
        '--device', 'cpu', '--threads', '1', '--checkpoint-keep', *SPARSE_CHECKPOINTS.split(),
        path('blocks.bin')
    ]
    run('apsp', *keep, '--checkpoint', path('sums'), '--stats', path('sums.csv'))
    run('apsp', *keep, '--checkpoint', path('rows'), path('whole'))
    # as if the run had not ended: its result has the name that the checkpoints know
    with open(path('rows/checkpoint.1'), 'rb') as file:
        name = re.search(rb'\.whole\.[0-9a-f]+\.apsp-tmp', file.read())[0].decode()
    os.rename(path('whole'), path('rows/' + name))
    make_matrices(path)
    for kind in 'i32', 'f32', 'f64':
        run('apsp', '--device', 'cpu', '--output-type', kind, path('decimals.csv'),
            path(f'decimals.{kind}'))
    run('apsp', '--device', 'cpu', '--targets', 'v3,v7', path('decimals.csv'), path('columns.f64'))


def make_matrices(path):
    """The distances of named.csv as others write them."""
    with open(path('names')) as file:
        names = file.read().split()
    n = len(names)
    with open(path('raw'), 'rb') as file:
        data = file.read()
    with gzip.open(path('raw.i32.gz'), 'wb') as file:
        file.write(data)
    numbers = ['inf' if d == 2 ** 30 - 1 else str(d) for d in struct.unpack(f'<{n * n}i', data)]
    rows = [numbers[i * n:i * n + n] for i in range(n)]
    with open(path('plain.txt'), 'w') as file:
        file.writelines(' '.join(row) + '\n' for row in rows)
    with open(path('table.csv'), 'w') as file:
        file.write(',' + ','.join(names) + '\n')
        file.writelines(','.join([name] + row) + '\n' for name, row in zip(names, rows))
    with open(path('array.mtx'), 'w') as file:
        file.write(f'%%MatrixMarket matrix array real general\n{n} {n}\n')
        file.writelines(rows[i][j] + '\n' for j in range(n) for i in range(n))


FILES = (
    '--quiet --verify=all --json OUT/json --predecessors OUT/trees.npy --betweenness '
    'OUT/values.csv IN/graph.bin '
    'OUT/out')
SPARSE = {'APSP_KAPPA': '4'}  # a core, which all ranks close
# Three, the last in place of the first.
CHECKPOINTS = '--method dense --tile 8 --checkpoint-every 0.0000001'
# Checkpoints of the order, the core, and blocks of rows.
SPARSE_CHECKPOINTS = '--method sparse --checkpoint-every 0.0000001'


# Every allocation of these fails.
ALLOCATED = r'^(dense|sparse|pairs npz|dense, rank [02] of 3|pairs npz, rank 1 of 2|' \
    r'sparse, rank [01] of 2|' \
            r'(checkpoint|resume)(, rank [01] of 2)?|(verify|query)[^,]*)$'

# What make check fails a sample of: they have every kind of faults.
SAMPLE = [
    'checkpoint', 'checkpoint asked for', 'dense, rank 1 of 2', 'estimate', 'hdf5',
    'host, rank 0 of 2', 'threads of 2', 'threads with few files', 'no space', 'query sources',
    'replaced', 'rows checkpoint', 'rows resume', 'sparse', 'statistics', 'stream',
    'verify raw, rank 0 of 2', 'verify report', 'without renameat2', 'without renameat2 linkat'
]


def all_of():
    found = []

    def add(name, words, ranks=((1, 0),), **more):
        found.extend(Scenario(name, words, count, rank, **more) for count, rank in ranks)

    some = (1, 0), (2, 0), (2, 1), (3, 0), (3, 2)
    add('dense', '--method dense --tile 16 ' + FILES, some)
    add('sparse', '--method sparse ' + FILES, some, environment=SPARSE)
    add('pairs npz', '--quiet --targets 1-9 --nearest 3 IN/graph.bin OUT/out.npz', some)
    add('pairs csv', '--quiet --targets 1-9 --within 900 IN/graph.bin OUT/out.csv',
        ((1, 0), (2, 1)))
    add('pairs mtx', '--quiet --targets 1-9 --within 900 IN/graph.bin OUT/out.mtx',
        ((1, 0), (2, 1)))
    add('statistics', '--stats OUT/stats.json --count all --plot OUT/plot.svg IN/graph.bin', some)
    add('statistics csv', '--quiet --stats OUT/stats.csv --count in,harmonic IN/graph.bin',
        ((1, 0), (2, 1)))
    add('hdf5', '--quiet --verify=all IN/graph.bin OUT/out.h5', ((1, 0), (2, 0), (2, 1)))
    add('names', '--quiet --names OUT/names --sort-names IN/named.csv OUT/out.npy',
        ((1, 0), (2, 1)))
    add('decimals',
        '--quiet --json OUT/json --verify=all --output-type i32 IN/decimals.csv OUT/out.npy',
        ((1, 0), (2, 0), (2, 1)))
    add('negative', '--quiet --verify=all IN/negative.mtx OUT/out.npy', some)
    add('paranoid', '--quiet --paranoid IN/graph.bin OUT/out', ((1, 0), (2, 0), (2, 1)))
    add('order', '--quiet --order IN/order --save-order OUT/order IN/graph.bin OUT/out',
        ((1, 0), (2, 0), (2, 1)))
    add('host', '--quiet --method dense --transport host --tile 16 IN/graph.bin OUT/out',
        ((2, 0), (2, 1), (3, 1)))
    add('nodes', '--quiet --method dense --ranks-per-node 1 --tile 16 IN/graph.bin OUT/out',
        ((2, 0), (3, 2)))
    add('largest', '--quiet --largest-component --undirected IN/graph.bin OUT/out',
        ((1, 0), (2, 1)))
    add('checkpoint',
        f'--quiet {CHECKPOINTS} --json OUT/json --checkpoint OUT/kept IN/graph.bin OUT/out',
        some,
        kept='')
    add('checkpoint asked for',
        f'--quiet {CHECKPOINTS} --json OUT/json --checkpoint OUT/kept IN/graph.bin OUT/out',
        some,
        kept='',
        code=75,
        preloaded={'APSP_FAULT_ASKS': str(int(signal.SIGUSR1))})
    add('resume',
        f'--quiet {CHECKPOINTS} --json OUT/json --resume OUT/kept IN/graph.bin OUT/out',
        some,
        kept='two')
    add('resume damaged',
        f'--quiet {CHECKPOINTS} --resume OUT/kept IN/graph.bin OUT/out', ((1, 0), (2, 1)),
        kept='damaged')
    from_rows = {'resumes': 'IN/blocks.bin OUT/again'}
    from_sums = {'resumes': 'IN/blocks.bin --stats OUT/again.csv', 'result': 'stats.csv'}
    few = (1, 0), (2, 0), (2, 1)
    line = f'--quiet {SPARSE_CHECKPOINTS} {{}} OUT/kept IN/blocks.bin'
    add('rows checkpoint', line.format('--checkpoint') + ' OUT/out', few, kept='', **from_rows)
    add('rows resume', line.format('--resume') + ' OUT/out', few, kept='rows', **from_rows)
    add('sums checkpoint',
        line.format('--checkpoint') + ' --stats OUT/stats.csv',
        few,
        kept='',
        **from_sums)
    add('sums asked for',
        line.format('--checkpoint') + ' --stats OUT/stats.csv',
        few,
        kept='',
        **from_sums,
        code=75,
        preloaded={'APSP_FAULT_ASKS': str(int(signal.SIGUSR1))})
    add('sums resume',
        line.format('--resume') + ' --stats OUT/stats.csv',
        few,
        kept='sums',
        **from_sums)
    add('stream', '--quiet - -', stdin='graph.bin', prints=True)
    add('replaced', '--quiet --force IN/graph.bin OUT/out', ((1, 0), (2, 0)), before='out')
    for lacking in 'renameat2', 'renameat2 linkat':
        add(f'without {lacking}',
            '--quiet IN/graph.bin OUT/out',
            preloaded={'APSP_FAULT_NEVER': lacking})
    add('no space',
        '--quiet --write-retry 9 IN/graph.bin OUT/out', ((1, 0), (2, 1)),
        preloaded={'APSP_FAULT_FULL': 'pwritev'})
    add('refused', '--quiet --format gr IN/named.csv OUT/out', code=3)
    add('packed', '--quiet IN/graph.bin.gz OUT/out', ((1, 0), (2, 0), (2, 1)))
    add('estimate', '--estimate --json OUT/json IN/graph.bin OUT/out')
    for count in 2, 3:
        add(f'threads of {count}', f'--ranks {count} --quiet --verify=all IN/graph.bin OUT/out')
    add('threads with few files', '--ranks 2 --quiet IN/graph.bin OUT/out',
        under='prlimit --nofile=70:4096')
    for name in 'bzip2 xz zstd'.split():
        add(name, f'--quiet IN/any-{name} OUT/out.npy')
    for kind, names in (('gml', 'ids labels'), ('graphml', 'bare keys'), ('list',
                                                                          'header numbers quoted'),
                        ('metis', 'plain weighted'), ('mtx', 'array pattern'), ('npy', 'i4 f2'),
                        ('npz', 'coo csc csr'), ('gr', 'small'), ('edges32', 'small')):
        for name in names.split():
            add(f'{kind} {name}', f'--quiet --format {kind} IN/{kind}-{name} OUT/out.npy')
    add('generate', 'grid -n 40 -s 3 -o OUT/out.gr', program='apsp-gen')
    add('generate binary', 'random -n 40 -s 3 -o OUT/out.bin', program='apsp-gen')
    tool = {'program': 'apsp-verify', 'prints': True}
    for name in 'raw array.npy pairs.csv plain.txt table.csv array.mtx raw.i32.gz'.split():
        add(f'verify {name}', f'IN/named.csv IN/{name}',
            ((1, 0), (2, 0), (2, 1)) if name == 'raw' else ((1, 0), ), **tool)
    for kind in 'i32', 'f32', 'f64':
        add(f'verify decimals.{kind}', f'IN/decimals.csv IN/decimals.{kind}', **tool)
    add('verify report', '--report IN/report IN/named.csv IN/array.npy', **tool)
    add('verify columns', 'IN/decimals.csv IN/columns.f64 --targets v3,v7', ((1, 0), (2, 1)),
        **tool)
    tool = {'program': 'apsp-query', 'prints': True}
    add('query', 'IN/named.csv IN/array.npy v3 v7 --path', **tool)
    add('query table', 'IN/named.csv IN/table.csv --from v3 --nearest 3 --path', **tool)
    add('query sources', 'IN/named.csv IN/raw --sources IN/names --from v3 --all', **tool)
    add('query decimals', 'IN/decimals.csv IN/decimals.f32 v3 v7 --path', **tool)
    return found


def of_gpu():
    """Of the command whose calls of the GPU's runtime can fail."""
    found = []

    def add(name, words, ranks, **more):
        found.extend(
            Scenario(name, words, count, rank, program='tests/gpu/apsp-faults', gpu=True, **more)
            for count, rank in ranks)

    add('gpu dense', '--method dense ' + FILES, ((1, 0), (2, 0), (2, 1)))
    add('gpu host', '--quiet --method dense --transport host IN/graph.bin OUT/out',
        ((2, 0), (2, 1)))
    add('gpu sparse', '--method sparse ' + FILES, ((1, 0), (2, 1)))
    add('gpu statistics', '--quiet --stats OUT/stats.json --count all IN/graph.bin',
        ((1, 0), (2, 1)))
    add('gpu paranoid', '--quiet --method dense --paranoid IN/graph.bin OUT/out', ((1, 0), (2, 1)))
    add('gpu pairs', '--quiet --targets 1-9 --nearest 3 IN/graph.bin OUT/out.npz', ((1, 0),))
    add('gpu betweenness',
        '--quiet --betweenness OUT/out.csv --betweenness-edges IN/equal.bin', ((1, 0), (2, 1)))
    add('gpu checkpoint',
        f'--quiet {CHECKPOINTS} --checkpoint OUT/kept IN/graph.bin OUT/out', ((1, 0), (2, 1)),
        kept='')
    add('gpu resume',
        f'--quiet {CHECKPOINTS} --resume OUT/kept IN/graph.bin OUT/out', ((1, 0), (2, 1)),
        kept='two')
    return found
