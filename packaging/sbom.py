# SPDX-License-Identifier: Apache-2.0

"""Prints the parts of a package as SPDX 2.3: sbom.py VERSION FOLDER PATH, with its files in a folder and the path of the list in it.

The parts are the files, what is linked in statically (the Swift library), copied texts, and the Debian packages of shared libraries. The same
files give the same text; SOURCE_DATE_EPOCH is its time.
"""

import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def identifier(kind, name):
    return f"SPDXRef-{kind}-" + re.sub("[^A-Za-z0-9.-]", "-", name)


def part(name, version, purl, license="NOASSERTION", place="NOASSERTION"):
    return {
        "SPDXID": identifier("Package", name), "name": name, "versionInfo": version, "downloadLocation": place, "filesAnalyzed": False,
        "licenseConcluded": license, "licenseDeclared": license, "copyrightText": "NOASSERTION", "supplier": "NOASSERTION",
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}] if purl else [],
    }


def swift_parts():
    """The libraries that `--static-swift-stdlib` links in."""
    version = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
    names = ["swift", "swift-corelibs-libdispatch", "swift-foundation", "swift-corelibs-foundation", "swift-foundation-icu"]
    return [part(name, version, f"pkg:github/swiftlang/{name}@swift-{version}-RELEASE", "Apache-2.0 WITH Swift-exception",
                 f"https://github.com/swiftlang/{name}") for name in names]


def libraries(program):
    """The paths of the shared libraries that a program names itself."""
    needed = set(re.findall(r"\[(\S+)\]", "".join(line for line in output("readelf", "--dynamic", program).splitlines() if "(NEEDED)" in line)))
    found = re.findall(r"^\s*(\S+) => (/\S+)", output("ldd", program), re.MULTILINE)
    return {os.path.realpath(path) for name, path in found if name in needed}


def debian_parts(programs):
    """The Debian packages of all shared libraries."""
    names = set()
    for path in sorted(set().union(*map(libraries, programs))):
        # Files of /usr/lib may be listed under /lib.
        for candidate in [path, path.removeprefix("/usr")]:
            found = subprocess.run(["dpkg", "--search", candidate], capture_output=True, text=True)
            if found.returncode == 0:
                names.add(found.stdout.split(": ")[0].split(",")[0])
                break
        else:
            raise SystemExit(f"sbom: no package has {path}")
    parts = []
    for name in sorted(names):
        package, version, architecture = output("dpkg-query", "--show", "--showformat", "${Package} ${Version} ${Architecture}", name).split()
        parts.append(part(package, version, f"pkg:deb/debian/{package}@{version}?arch={architecture}&distro=debian-12"))
    return parts


def file_part(folder, path):
    contents = path.read_bytes()
    sums = [{"algorithm": name.upper(), "checksumValue": hashlib.new(name, contents).hexdigest()} for name in ["sha1", "sha256"]]
    name = str(path.relative_to(folder))
    return {
        "SPDXID": identifier("File", name), "fileName": f"./{name}", "checksums": sums,
        "fileTypes": ["BINARY" if name.startswith("usr/bin/") else "ARCHIVE" if name.endswith(".gz") else "TEXT"],
        "licenseConcluded": "Apache-2.0", "licenseInfoInFiles": ["NOASSERTION"], "copyrightText": "NOASSERTION",
    }


def own_part(version, files, list_path):
    """The package itself. Its code is that of SPDX: the SHA-1 of the sorted SHA-1s of all files but the list itself."""
    sums = sorted(sum["checksumValue"] for file in files for sum in file["checksums"] if sum["algorithm"] == "SHA1")
    code = {"packageVerificationCodeValue": hashlib.sha1("".join(sums).encode()).hexdigest(),
            "packageVerificationCodeExcludedFiles": [f"./{list_path}"]}
    return part("signalbox", version, None, "Apache-2.0") | {
        "filesAnalyzed": True, "packageVerificationCode": code, "licenseInfoFromFiles": ["NOASSERTION"]}


def document(version, folder, list_path):
    programs = sorted((folder / "usr/bin").iterdir())
    files = [file_part(folder, path) for path in sorted(folder.rglob("*")) if path.is_file()]
    words = part("zxcvbn", "NOASSERTION", "pkg:github/dropbox/zxcvbn", "MIT", "https://github.com/dropbox/zxcvbn")
    static, shared = [*swift_parts(), words], debian_parts(programs)
    own = own_part(version, files, list_path)
    digest = hashlib.sha256("".join(sum["checksumValue"] for file in files for sum in file["checksums"]).encode()).hexdigest()
    time = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.timezone.utc)
    related = [("SPDXRef-DOCUMENT", "DESCRIBES", own["SPDXID"])]
    related += [(own["SPDXID"], "CONTAINS", item["SPDXID"]) for item in files]
    related += [(own["SPDXID"], "CONTAINS" if item is words else "STATIC_LINK", item["SPDXID"]) for item in static]
    related += [(own["SPDXID"], "DYNAMIC_LINK", item["SPDXID"]) for item in shared]
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"signalbox-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/signalbox-{version}-{digest[:32]}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: signalbox-scripts-deb"]},
        "packages": [own, *static, *shared], "files": files,
        "relationships": [{"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other} for one, kind, other in related],
    }


print(json.dumps(document(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]), indent=1, ensure_ascii=True))
