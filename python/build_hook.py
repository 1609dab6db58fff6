"""Puts libapsp, and what it needs, into the wheel, and names the oldest C library that they run
with.

The libraries are those of the folder APSP_CARRY, or make builds them: with a GPU's code where nvcc
or hipcc is, unless GPU says otherwise. With APSP_LIBRARY, or APSP_SYSTEM=1, there are none: the
package then takes that library, or the system's, when it is imported.
"""

import os
import re
import subprocess

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def build_libraries(root):
    build = os.environ.get("APSP_BUILD", "build/pip")
    jobs = "-j%d" % len(os.sched_getaffinity(0))
    subprocess.run(["make", "-s", jobs, "-C", root, "BUILD=" + build, "python-library"], check=True)
    return os.path.join(root, build, "package", "carry")


def oldest_libc(paths):
    """The highest version of glibc's symbols that any of them asks for, and their machine."""
    versions, machine = [(2, 17)], None
    for path in paths:
        command = ["readelf", "-hV", path]
        text = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode()
        versions += [(int(a), int(b)) for a, b in re.findall(r"Name: GLIBC_(\d+)\.(\d+)", text)]
        machine = re.search(r"Machine: .*(X86-64|AArch64)", text)[1]
    names = {"X86-64": "x86_64", "AArch64": "aarch64"}
    return "manylinux_%d_%d_%s" % (max(versions) + (names[machine],))


class Libraries(BuildHookInterface):
    def initialize(self, version, build_data):
        if os.environ.get("APSP_LIBRARY") or os.environ.get("APSP_SYSTEM"):
            return
        folder = os.environ.get("APSP_CARRY") or build_libraries(os.path.dirname(self.root))
        names = [name for name in sorted(os.listdir(folder)) if ".so" in name]
        include = build_data["force_include"]
        include.update({os.path.join(folder, name): "apsp/" + name for name in names})
        include[os.path.join(folder, "licenses")] = "apsp/licenses"
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + oldest_libc(os.path.join(folder, name) for name in names)
