#!/usr/bin/env python3
"""Every call by which the project's own code asks the system for something fails: at each call
site the first, the second and the last call, on one rank of 1, 2 and 3 (interpose.c; calls.py says
what is tried and expected).

make check-faults runs all, goes on where it was stopped, and writes a table of the calls to
build/faults/.

    BUILD=build python3 tests/faults/faults.py [--sample] [--seed N] [--only REGEX] [--at REGEX]
                                               [--allocations [--each K] | --gpu]

--only: scenarios by their names; --at: call sites by what is told of them. --sample: one of each
kind (kind_of) from the scenarios SAMPLE, which have all. --allocations: instead every single
allocation of the scenarios ALLOCATED, or every Kth from one of the first K on. --gpu: every call
site of the GPU's runtime, once, on 1 and 2 ranks (gpu.c). The seed is that of the draws.
"""

import argparse
import concurrent.futures
import glob
import hashlib
import json
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

from calls import CALLS, HALF, OTHERS, OTHERWISE, SILENT, reason_to_go_on
import scenarios

BUILD = os.path.realpath(os.environ.get('BUILD', 'build'))
PRELOAD = os.path.join(BUILD, 'tests/faults/interpose.so')
if not os.path.exists(
        PRELOAD):  # with sanitizers: allocations alone, of programs of which they are a part
    PRELOAD = None
MODULES = {2: 'libapsp_mpi.so', 3: 'libapsp.so'}
SITE = struct.Struct('<I3II44s')  # struct site of strike.h
LIMIT = 60  # seconds that a run may take
TRIES = 3
OLD = 'what was there before'
KEPT, CHECKPOINT = 'kept', r'checkpoint\.([12]|core)'  # a folder, and the files in it
ROWS = r'\.[a-z.]+\.[0-9a-f]{1,16}\.apsp-tmp'  # a result that a checkpoint goes on with
JOBS = int(os.environ.get('JOBS', 4 * os.cpu_count()))  # they wait, for mpirun above all

ENVIRONMENT = dict(os.environ,
                   OMPI_ALLOW_RUN_AS_ROOT='1',
                   OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1',
                   OMPI_MCA_odls_base_sigkill_timeout='0',
                   OMPI_MCA_pml='ob1',
                   OMPI_MCA_mpi_yield_when_idle='1',
                   HWLOC_PLUGINS_PATH='/nonexistent',
                   OMP_NUM_THREADS='1',
                   APSP_MPI_MODULE=os.path.join(BUILD, 'libapsp_mpi.so'),
                   LC_ALL='C')


class Run:
    """One run of a scenario in a folder of its own, with what it left; and of one that goes on
    from its checkpoints, if it has left any, the exit code, the distances and what it says."""

    def __init__(self, work, scenario, faults):
        self.folder = tempfile.mkdtemp(prefix='r', dir=work.folder)
        self.out = os.path.join(self.folder, 'out')
        temporary = os.path.join(self.folder, 't')
        self.log = os.path.join(self.folder, 'struck')
        os.mkdir(self.out)
        os.mkdir(temporary)
        if scenario.before:
            with open(os.path.join(self.out, scenario.before), 'w') as file:
                file.write(OLD)
        if scenario.kept:
            shutil.copytree(os.path.join(work.inputs, scenario.kept), os.path.join(self.out, KEPT))
            for name in os.listdir(os.path.join(self.out, KEPT)):
                if re.fullmatch(ROWS, name):
                    os.rename(os.path.join(self.out, KEPT, name), os.path.join(self.out, name))
        environment = dict(ENVIRONMENT, TMPDIR=temporary, **scenario.environment, **(faults or {}))
        program = os.path.join(
            BUILD,
            scenario.program if PRELOAD or scenario.gpu else 'tests/faults/' + scenario.program)
        if faults:
            environment.update(APSP_FAULT_RANK=str(scenario.rank), APSP_FAULT_LOG=self.log)
        if faults and PRELOAD and not scenario.gpu:
            environment.update(APSP_FAULT_TEXT=work.text_of(program))
        if (faults or scenario.preloaded) and PRELOAD and not scenario.gpu:
            environment.update(scenario.preloaded, LD_PRELOAD=PRELOAD)
        environment.update(APSP_FAULT_PROGRAM=program)
        command = scenario.under + [program] + scenario.words(work.inputs, self.out)
        if scenario.ranks > 1:
            command = ['mpirun', '--oversubscribe', '--bind-to', 'none', '-n',
                       str(scenario.ranks)] + command
        self._start(command, environment, scenario.stdin(work.inputs))
        self.struck = os.path.exists(self.log)
        self.files = self._files()
        if scenario.before and self.files.get(scenario.before) == hashlib.sha256(
                OLD.encode()).hexdigest():
            del self.files[scenario.before]  # as it was
        self.strays = [name for name in os.listdir(temporary) if 'apsp' in name]
        self.report = self._report()
        self.again = self._go_on(work, scenario) if os.path.exists(os.path.join(self.out,
                                                                                KEPT)) else None
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start(self, command, environment, stdin):
        self.hung = False
        with open(stdin) as source:
            process = subprocess.Popen(command,
                                       stdin=source,
                                       stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE,
                                       env=environment,
                                       cwd=self.out,
                                       start_new_session=True)
        try:
            self.stdout, stderr = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            self.hung = True
            self._end(process)
            self.stdout, stderr = b'', b''
        self.status = process.returncode if process.returncode >= 0 else 128 - process.returncode
        self.stderr = stderr.decode(errors='replace')

    def is_mpirun_fault(self, scenario):
        """Its exit code is 1 for errors of its own, and never ours."""
        own = scenario.ranks > 1 and self.status == 1 and scenario.begin not in self.stderr
        if own:
            print(f'# mpirun has failed by itself: {self.stderr}', flush=True)
        return own

    @staticmethod
    def _end(process):
        """mpirun ends its ranks when it is asked to."""
        for kind in signal.SIGTERM, signal.SIGKILL:
            try:
                os.killpg(process.pid, kind)
                process.wait(5)
            except (subprocess.TimeoutExpired, ProcessLookupError):
                pass

    @staticmethod
    def _hash(path):
        if not os.path.isfile(path):
            return 'no file'
        with open(path, 'rb') as file:
            return hashlib.sha256(file.read()).hexdigest()

    def _files(self):
        """By their paths; of a folder with nothing in it, too."""
        found = {}
        for folder, folders, names in os.walk(self.out):
            for name in names or ([''] if not folders and folder != self.out else []):
                path = os.path.join(folder, name)
                found[os.path.relpath(path, self.out)] = self._hash(path)
        return found

    def _go_on(self, work, scenario):
        """None where there are no checkpoints. A file of rows that is left then is none that they
        know. mpirun may end a moment before its last rank, which still holds the folder's lock."""
        kept = os.path.join(self.out, KEPT)
        if not any(re.fullmatch(CHECKPOINT, name) for name in os.listdir(kept)):
            return None
        words = scenarios.filled(scenario.resumes, work.inputs, self.out)
        for _ in range(LIMIT):
            run = subprocess.run([
                'timeout',
                str(LIMIT),
                os.path.join(BUILD, 'apsp'), '--device', 'cpu', '--quiet', '--resume', kept, *words
            ],
                                 env=dict(ENVIRONMENT, TMPDIR=self.folder),
                                 capture_output=True,
                                 text=True)
            if 'another run has its checkpoints there' not in run.stderr:
                break
            time.sleep(1)
        self.strays += [name for name in os.listdir(self.out) if re.fullmatch(ROWS, name)]
        return run.returncode, self._hash(words[-1]), run.stderr

    def _report(self):
        try:
            with open(os.path.join(self.out, 'json')) as file:
                return json.load(file)
        except (OSError, ValueError):
            return None


class Work:
    """The folder of all runs."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix='apsp-f')
        self.inputs = os.path.join(self.folder, 'in')
        self.lock = threading.Lock()
        os.mkdir(self.inputs)
        scenarios.make_inputs(self.inputs, BUILD)

    def text_of(self, program):
        """A file of the addresses of our own code in a program, where a library may be linked
        statically: of what has been compiled with debugging information."""
        path = os.path.join(self.folder, 'text-' + os.path.basename(program))
        with self.lock:
            if not os.path.exists(path):
                text = subprocess.run(['readelf', '--debug-dump=aranges', program],
                                      capture_output=True,
                                      text=True).stdout
                with open(path, 'w') as file:
                    for begin, length in re.findall('^ +([0-9a-f]{16}) ([0-9a-f]{16})$', text,
                                                    re.M):
                        if int(length, 16):
                            file.write(f'{int(begin, 16):x} {int(begin, 16) + int(length, 16):x}\n')
        return path

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Symbols:
    """Addresses of the modules as functions and lines of the source."""

    def __init__(self):
        self.known = {}
        self.lock = threading.Lock()

    def find(self, program, frames):
        wanted = {}
        for frame in frames:
            module, offset = frame >> 28, frame & 0xfffffff
            path = os.path.join(BUILD, MODULES.get(module, program))
            if module and (path, offset) not in self.known:
                wanted.setdefault(path, set()).add(offset)
        for path, offsets in wanted.items():
            offsets = sorted(offsets)
            text = [part for offset in offsets for part in (hex(offset), '?')]
            if shutil.which('addr2line'):
                text = subprocess.run(['addr2line', '-f', '-e', path] +
                                      [hex(offset) for offset in offsets],
                                      capture_output=True,
                                      text=True).stdout.split('\n')
            for i, offset in enumerate(offsets):
                line = re.sub(r' \(discriminator \d+\)', '', text[2 * i + 1])
                line = re.sub(r'^.*/(src/)', r'\1', line)
                self.known[path, offset] = text[2 * i], line

    def of(self, program, frame):
        if not frame:
            return '', ''
        return self.known[os.path.join(BUILD, MODULES.get(frame >> 28, program)), frame & 0xfffffff]


class Case:
    """One call of one site that fails with one cause."""

    def __init__(self, scenario, site, number, cause):
        self.scenario, self.site, self.number, self.cause = scenario, site, number, cause
        self.name = f'{scenario.name} {site.key:08x} {number} {cause}'

    def faults(self):
        faults = {'APSP_FAULT': f'{self.site.key:x} {self.number} {self.cause}'}
        if CALLS[self.site.call].group == 'MPI':  # the others have time to clean up
            faults['OMPI_MCA_odls_base_sigkill_timeout'] = '5'
        return faults

    def may_keep(self):
        """Whether complete files may stay of which the line does not tell: where a rank ends at
        once, the ranks had ended before."""
        return CALLS[self.site.call].group == 'MPI'

    def may_leave(self):
        """What cannot be removed stays, and so does what may be somebody else's."""
        return self.site.call in (
            'unlink', 'unlinkat', 'rmdir'
        ) or self.site.function == 'staged_name_is_held' or 'is_ours' in self.site.functions

    def describe(self):
        cause = os.strerror(self.cause) if self.cause != HALF else 'half of the bytes'
        return (f'{self.scenario.name}: {self.site.text}, call {self.number} of {self.site.calls}: '
                f'{cause}')


class Site:
    def __init__(self, key, frames, calls, call):
        self.key, self.frames, self.calls, self.call = key, frames, calls, call

    def name(self, symbols, program):
        places = [symbols.of(program, frame) for frame in self.frames if frame]
        self.functions = [function for function, _ in places]
        self.function = self.functions[0]
        self.text = f'{self.call}() in ' + ' < '.join(f'{function} ({line})'
                                                      for function, line in places)


def record(work, scenario, symbols):
    """The call sites of a scenario, and what a run without faults leaves."""
    path = os.path.join(work.folder, 'sites-' + re.sub('[^a-z0-9]', '-', scenario.name))
    right = Run(work, scenario, None)
    again = Run(work, scenario, {'APSP_FAULT_RECORD': path})
    for run in right, again:
        if run.status != scenario.code or run.hung:
            raise SystemExit(
                f'FAIL faults: {scenario.name} as it is: exit code {run.status}\n{run.stderr}')
    sites = []
    with open(path, 'rb') as file:
        for key, *frames, calls, call in SITE.iter_unpack(file.read()):
            if key:
                sites.append(Site(key, frames, calls, call.split(b'\0')[0].decode()))
    with symbols.lock:
        symbols.find(scenario.program, [frame for site in sites for frame in site.frames])
    for site in sites:
        site.name(symbols, scenario.program)
    return sites, right


def cases_of(scenario, sites, tried):
    """Sites that an earlier scenario of as many ranks has shown are not tried again."""
    cases = []
    for site in sorted(sites, key=lambda one: one.text):
        if (scenario.program, scenario.ranks, scenario.rank, site.key) in tried:
            continue
        tried.add((scenario.program, scenario.ranks, scenario.rank, site.key))
        for number in [1] if scenario.gpu else sorted({1, 2, site.calls}):
            if number <= site.calls:
                cases += [Case(scenario, site, number, cause) for cause in CALLS[site.call].causes]
    return cases


def kind_of(case):
    """The call and the cause; and what is to come of it, where that is not what the call's row
    says."""
    call, function = case.site.call, case.site.function
    return call, case.cause, function if (call, function) in OTHERWISE else reason_to_go_on(
        call, case.site.functions)


def sample_of(cases, draw):
    """One case of each kind."""
    kinds = {}
    for case in cases:
        kinds.setdefault(kind_of(case), []).append(case)
    return [draw.choice(kinds[kind]) for kind in sorted(kinds, key=str)]


def complaints(case, run, right):
    """What is wrong with a run, as lines; and what came of it, in a word."""
    call = CALLS[case.site.call]
    codes, word = OTHERWISE.get((case.site.call, case.site.function), (call.codes, call.word))
    wrong = []
    whole = run.status == case.scenario.code and (run.stdout == right.stdout
                                                  or not case.scenario.prints) and all(
                                                      run.files.get(name) == content
                                                      for name, content in right.files.items()
                                                      if name != 'json')
    lines = [line for line in run.stderr.split('\n') if line.startswith(case.scenario.begin)]
    if run.hung:
        return ['hangs'], 'hangs'
    wrong += checkpoints(case, run, right)
    if whole:
        told = any(
            os.strerror(case.cause).lower() in line.lower() for line in run.stderr.split('\n')
            if line.startswith(('note: ', case.scenario.begin)))
        if case.cause not in call.passes and call.group not in ('memory', 'GPU') and not told and \
                not reason_to_go_on(case.site.call, case.site.functions):
            wrong.append('goes on')
        strays = sorted(name for name in set(run.files) - set(right.files)
                        if not name.startswith('json.')) + run.strays
        return wrong + [f'leaves {name}' for name in strays if not case.may_leave()], \
            'the same, and a note' if told else 'same bytes'
    if case.cause in call.passes:
        wrong.append(f'exit code {run.status}, where the run is to go on')
    elif run.status not in codes:
        wrong.append(f'exit code {run.status}, not {sorted(codes)}')
    if case.scenario.code and case.may_keep():  # rank 0 may have told of its end before
        lines = [line for line in lines if 'goes on from there' not in line] or lines
    if len(lines) != 1:
        wrong.append(f'{len(lines)} lines tell of it')
    elif (os.strerror(case.cause) if word is None else word).lower() not in lines[0].lower():
        wrong.append('the line does not name the cause')
    if not case.may_leave():
        wrong += leftovers(case, run, right, lines)
    return wrong, f'exit {run.status}'


def checkpoints(case, run, right):
    """The folder has whole checkpoints that a run goes on from to the right bytes, or none."""
    if case.scenario.kept is None:
        return []
    if run.again is None:
        lost = run.status not in (0, 75) and case.scenario.kept
        return ['the checkpoints are lost'] if lost else []
    status, distances, said = run.again
    if status and re.search(r"the checkpoint's rows, in .* No such file",
                            said) and right.files[case.scenario.result] in run.files.values():
        return []  # they have become a result
    if status or distances != (right.files.get(case.scenario.result) or right.again[1]):
        return [f'a run that goes on from the checkpoints ends with {status}: {said}']
    return [f'a checkpoint is not whole: {said}'
            ] if said and case.scenario.kept != 'damaged' else []


def leftovers(case, run, right, lines):
    wrong = []
    at_once = CALLS[case.site.call].group in ('MPI', 'GPU')
    for name, content in run.files.items():
        if re.fullmatch(f'{KEPT}/{CHECKPOINT}',
                        name) or (name == KEPT and at_once) or (run.again
                                                                and re.fullmatch(ROWS, name)):
            continue
        if name == 'json':
            trace = run.report
            if not trace or not run.status or str(run.status) not in json.dumps(trace):
                wrong.append('the report is not that of the failure')
        elif content not in right.files.values() and not name.startswith('json.'):
            wrong.append(f'leaves {name}')
        elif not case.may_keep() and not any(f'/{name}' in line and 'complete' in line
                                             for line in lines):
            wrong.append(f'keeps {name} untold')
    return wrong + [
        f'leaves {name}'
        for name in run.strays if not any(name in line and 'complete' in line for line in lines)
    ]


class Results:
    """What has come of the cases, kept in a file, so that a run goes on where the last one was
    stopped."""

    def __init__(self, path):
        self.path, self.done = path, {}
        self.lock = threading.Lock()
        if path and os.path.exists(path):
            with open(path) as file:
                for line in file:
                    entry = json.loads(line)
                    self.done[entry['case']] = entry

    def add(self, entry):
        with self.lock:
            self.done[entry['case']] = entry
            if self.path:
                with open(self.path, 'a') as file:
                    file.write(json.dumps(entry) + '\n')


def strike(work, scenario, faults, again=False):
    """A run; another one if mpirun has ended it by itself or, `again`, nothing was struck in it."""
    for _ in range(TRIES):
        run = Run(work, scenario, faults)
        if (run.struck or not again) and not run.is_mpirun_fault(scenario):
            break
    return run


def try_case(work, case, right):
    run = strike(work, case.scenario, case.faults(), again=True)
    # How often some calls are made, or whether one has to wait, is a matter of time.
    if not run.struck:
        sure = case.number == 1 and CALLS[case.site.call].group not in ('MPI', 'processes') and \
            not reason_to_go_on(case.site.call, case.site.functions)
        wrong, seen = ['the call was not made'] if sure else [], 'not made'
    else:
        wrong, seen = complaints(case, run, right)
    return {
        'case': case.name, 'call': case.site.call, 'cause': case.cause,
        'ranks': case.scenario.ranks, 'text': case.describe(), 'function': case.site.function,
        'site': f'{case.site.key:x}', 'seen': seen, 'wrong': wrong,
        'stderr': run.stderr[-600:] if wrong else ''
    }


def fingerprint():
    parts = hashlib.sha256()
    for folder, names in ((BUILD,
                           sorted({
                               'apsp', 'apsp-gen', 'apsp-query', 'apsp-verify', 'libapsp_mpi.so'
                           })), (BUILD, ['tests/faults/interpose.so', 'tests/gpu/apsp-faults'])):
        for name in names:
            if not os.path.exists(os.path.join(folder, name)):
                continue
            with open(os.path.join(folder, name), 'rb') as file:
                parts.update(file.read())
    return parts.hexdigest()[:16]


def show(entry):
    print(f"# {entry['text']}: {'; '.join(entry['wrong'] or [entry['seen']])}")
    for line in entry['stderr'].split('\n'):
        if line.startswith(('apsp', 'note: ')) or (line and entry['wrong']
                                                   and CALLS[entry['call']].group == 'GPU'):
            print('#     ' + line)
    sys.stdout.flush()


def run_all(work, cases, rights, results, tells):
    """All cases that have no result yet; the entries of this selection. tells: of each as it
    comes."""
    todo = [case for case in cases if case.name not in results.done]
    begun = last = time.time()
    count = 0

    def attempt(case):
        entry = try_case(work, case, rights[case.scenario.name])
        results.add(entry)
        return entry

    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for entry in pool.map(attempt, todo):
            count += 1
            if entry['wrong'] or tells:
                show(entry)
            if time.time() - last > 10:
                last = time.time()
                left = (last - begun) / count * (len(todo) - count) / 60
                print(
                    f'# {len(cases) - len(todo) + count} of {len(cases)}, {left:.0f} minutes left',
                    flush=True)
    return [results.done[case.name] for case in cases if case.name in results.done]


def table(entries, gpu):
    """Markdown: a line for each call and cause."""
    rows = {}
    for entry in entries:
        row = rows.setdefault((entry['call'], entry['cause']),
                              {'sites': set(), 'seen': {}, 'ranks': set(), 'wrong': 0})
        row['sites'].add(entry['site'])
        row['ranks'].add(entry['ranks'])
        row['seen'][entry['seen']] = row['seen'].get(entry['seen'], 0) + 1
        row['wrong'] += bool(entry['wrong'])
    lines = [
        '| call | fails with | sites | ranks | expected | seen | wrong |',
        '|---|---|---|---|---|---|---|'
    ]
    for name, call in CALLS.items():
        if gpu != (call.group == 'GPU'):
            continue
        for cause in call.causes:
            row = rows.get((name, cause))
            expected = 'same bytes' if cause in call.passes else 'exit ' + ', '.join(
                map(str, sorted(call.codes)))
            what = 'half the bytes' if cause == HALF \
                else 'an error' if call.group in ('MPI', 'libraries', 'GPU') \
                else os.strerror(cause)
            seen = ', '.join(f'{count} {what}'
                             for what, count in sorted(row['seen'].items())) if row else 'no site'
            lines.append(
                f"| {name} | {what} | {len(row['sites']) if row else 0} | "
                f"{', '.join(map(str, sorted(row['ranks']))) if row else ''} | {expected} | "
                f"{seen} | "
                f"{row['wrong'] if row else ''} |")
    return '\n'.join(lines) + '\n'


def table_of_silent():
    """Markdown: where a run may go on."""
    lines = ['| why the run may go on | functions | calls |', '|---|---|---|']
    for reason, functions, calls in SILENT:
        lines.append(
            f"| {reason} | {functions.replace(' ', ', ')} | "
            f"{calls.replace(' ', ', ') if calls else 'all'} |"
        )
    return '\n'.join(lines) + '\n'


def unknown_imports():
    """Functions that our objects call and no table speaks of."""
    called, ours = set(), set()
    objects = os.path.join(BUILD, 'obj')
    # A folder that was built for a GPU before still has objects of its sources.
    of_c = [path for path in glob.glob(os.path.join(objects, '*', '*.o'))
            if os.path.exists(os.path.join('src', os.path.relpath(path, objects)[:-1] + 'c'))]
    for path in [os.path.join(BUILD, 'libapsp_internal.a')] + of_c:
        for line in subprocess.run(['nm', path], capture_output=True, text=True).stdout.split('\n'):
            kind, name = line.split()[-2:] if len(line.split()) > 1 else ('', '')
            (called if kind == 'U' else ours).add(name.replace('__isoc99_', ''))
    return sorted(name for name in called - ours - set(CALLS) if not OTHERS.fullmatch(name))


def check(name, good):
    print(('ok' if good else 'FAIL') + ' faults: ' + name, flush=True)
    return bool(good)


def every_allocation(work, scenario, first, each):
    """The Nth of all allocations, until a run needs fewer."""
    right = Run(work, scenario, None)
    site = Site(0, [0, 0, 0], 0, 'malloc')
    site.function, site.functions, site.text = '', [''], 'an allocation'
    cause = CALLS['malloc'].causes[0]

    def attempt(number):
        run = strike(work, scenario, {'APSP_FAULT': f'memory {number} {cause}'})
        told = complaints(Case(scenario, site, number, cause), run, right)[0] if run.struck else []
        if told:
            print(f"# allocation {number}: {'; '.join(told)}\n{run.stderr}", flush=True)
        return run.struck, told

    tried = reached = 0
    good = right.status == scenario.code
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        while reached == tried:
            some = range(first, first + 4 * JOBS * each, each)
            for struck, told in pool.map(attempt, some):
                reached += struck
                good &= not told
            tried += len(some)
            first = some.stop
    return check(f'{reached} allocations of {scenario.name}', good and reached)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--sample', action='store_true')
    parser.add_argument('--seed', type=int, default=random.SystemRandom().randrange(1 << 24))
    parser.add_argument('--only', default='')
    parser.add_argument('--at', default='')
    parser.add_argument('--gpu', action='store_true')
    parser.add_argument('--allocations', action='store_true')
    parser.add_argument('--each', type=int, default=1)
    options = parser.parse_args()
    work, symbols = Work(), Symbols()
    try:
        return 0 if test(options, work, symbols) else 1
    finally:
        work.close()


def choose(options):
    """The scenarios."""
    chosen = [
        scenario for scenario in (scenarios.of_gpu() if options.gpu else scenarios.all_of())
        if re.search(options.only or (scenarios.ALLOCATED if options.allocations else ''), scenario.
                     name) and not (options.sample and scenario.name not in scenarios.SAMPLE) and (
                         PRELOAD or not scenario.preloaded)
    ]
    if not shutil.which('mpirun'):
        print('skip faults: several ranks need mpirun')
        chosen = [scenario for scenario in chosen if scenario.ranks == 1]
    return chosen


def record_all(work, symbols, chosen):
    """All cases, and of each scenario the kinds of them and a run as it is."""
    cases, kinds, rights, tried = [], {}, {}, set()
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for scenario, (sites,
                       right) in zip(chosen, pool.map(lambda one: record(work, one, symbols),
                                                      chosen)):
            rights[scenario.name] = right
            kinds[scenario.name] = {kind_of(case) for case in cases_of(scenario, sites, set())}
            cases += cases_of(scenario, sites, tried)
    return cases, kinds, rights


def check_sample(kinds):
    """The sample has every kind."""
    lacking = set().union(*kinds.values()) - set().union(*(kinds.get(name, ())
                                                           for name in scenarios.SAMPLE))
    return check(', '.join(['the sample of make check has every kind'] + sorted(map(str, lacking))),
                 not lacking)


def test(options, work, symbols):
    chosen, draw, good = choose(options), random.Random(options.seed), True
    if options.sample or options.each > 1:
        print(f'# seed {options.seed}')
    if options.allocations:
        return all([
            every_allocation(work, scenario, 1 + draw.randrange(options.each), options.each)
            for scenario in chosen
        ])
    if not options.gpu:
        unknown = unknown_imports()
        good &= check(', '.join(['every function that is called is in a table'] + unknown),
                      not unknown)
    cases, kinds, rights = record_all(work, symbols, chosen)
    cases = [case for case in cases if re.search(options.at, case.site.text)]
    if options.sample:
        cases, results = sample_of(cases, draw), Results(None)
    else:
        folder = os.path.join(BUILD, 'faults')
        os.makedirs(folder, exist_ok=True)
        results = Results(os.path.join(folder, ('gpu-' if options.gpu else '') + fingerprint()))
        print(
            f'# {len(cases)} cases, {sum(case.name in results.done for case in cases)} done before',
            flush=True)
    entries = run_all(work, cases, rights, results, options.gpu)
    if not options.sample:
        with open(os.path.join(folder, 'gpu-table.md' if options.gpu else 'table.md'), 'w') as file:
            file.write(
                table(entries, options.gpu) + ('' if options.gpu else '\n' + table_of_silent()))
    if not options.sample and not options.gpu and not options.only + options.at:
        good &= check_sample(kinds)
    for name in sorted({entry['case'].rsplit(' ', 3)[0] for entry in entries}):
        ours = [entry for entry in entries if entry['case'].rsplit(' ', 3)[0] == name]
        good &= check(f'{name}, {len(ours)} calls', not any(entry['wrong'] for entry in ours))
    return good


if __name__ == '__main__':
    sys.exit(main())
