"""python3 sbom.py LIBRARY VERSION FILE...: what libapsp carries, with licences, as SPDX 2.3 in
JSON.

Each FILE is a library beside LIBRARY or an archive that is linked in. Its version is that of
Debian's package, where dpkg knows the file. One that LICENCES lacks is an error.
"""

import json
import os
import re
import subprocess
import sys
import time
import uuid

NVIDIA = "LicenseRef-NVIDIA-CUDA-Toolkit-EULA"
GCC = "GPL-3.0-or-later WITH GCC-exception-3.1"
LICENCES = {  # by the name of the library, as Debian and SPDX have them
    "libapsp": "BSD-3-Clause",
    "apsp-gomp": GCC,
    "libgomp": GCC,
    "libgcc": GCC,
    "libgcc_eh": GCC,
    "libstdc++": GCC,
    "libcjson": "MIT",
    "libmetis": "Apache-2.0",
    "libcudart_static": NVIDIA,
    "libcudadevrt": NVIDIA,
    "libc_nonshared": "LGPL-2.1-or-later",
}


def version_of(path):
    command = ["dpkg", "-S", os.path.realpath(path)]
    owner = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if owner.returncode:
        return "NOASSERTION"
    package = owner.stdout.decode().split(": ")[0]
    command = ["dpkg-query", "-W", "-f=${Version}", package]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode()


def package(path, version):
    name = re.match(r"[\w+-]+", os.path.basename(path))[0]
    if name not in LICENCES:
        sys.exit("%s: packaging/sbom.py knows no licence of it" % path)
    return {
        "SPDXID": "SPDXRef-" + re.sub("[^a-zA-Z0-9.-]", "-", name),
        "name": name,
        "versionInfo": version,
        "filesAnalyzed": False,
        "downloadLocation": "NOASSERTION",
        "licenseConcluded": LICENCES[name],
        "licenseDeclared": LICENCES[name],
        "copyrightText": "NOASSERTION",
    }


def relation(subject, verb, other):
    return {"spdxElementId": subject, "relationshipType": verb, "relatedSpdxElement": other}


def main(library, version, *carried):
    packages = [package(library, version)] + [package(path, version_of(path)) for path in carried]
    when = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": "apsp-" + version,
        "documentNamespace": uuid.uuid5(uuid.NAMESPACE_OID, repr(packages)).urn,
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when)),
            "creators": ["Tool: apsp-sbom"],
        },
        "packages": packages,
        "hasExtractedLicensingInfos": [{
            "licenseId": NVIDIA,
            "name": "End User License Agreement of the NVIDIA CUDA Toolkit",
            "extractedText": "The runtime of CUDA may be distributed with programs (Attachment A).",
        }],
        "relationships": [
            relation("SPDXRef-DOCUMENT", "DESCRIBES", packages[0]["SPDXID"]),
            *(relation(packages[0]["SPDXID"], "CONTAINS", part["SPDXID"]) for part in packages[1:]),
        ],
    }
    json.dump(document, sys.stdout, indent=1)


main(*sys.argv[1:])
