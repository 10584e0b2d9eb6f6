// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Restrictions of a process that reads untrusted files, and of the program that it becomes. They cannot be lifted.
package struct ProcessConfinement: OptionSet, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Only named files are readable, none is writable, and only one program is executable: Landlock.
    package static let files = ProcessConfinement(rawValue: Int32(CLINUX_CONFINES_FILES))
    /// No sockets, processes and changes of files: a filter of system calls.
    package static let calls = ProcessConfinement(rawValue: Int32(CLINUX_CONFINES_CALLS))
    package static let all: ProcessConfinement = [.files, .calls]

    /// The restrictions that this kernel, and the unit of systemd, allow.
    package static var supported: ProcessConfinement { ProcessConfinement(rawValue: clinux_confinement_support()) }

    /// The restrictions that do not work, in words; nil if all do.
    package var lack: String? {
        if contains(.all) { return nil }
        let missing = [contains(.files) ? nil : "Landlock", contains(.calls) ? nil : "filters of system calls (seccomp)"].compactMap(\.self)
        return "the kernel does not allow \(missing.joined(separator: " and "))"
    }

    /// Restricts this process, which must have one thread, to reading some files and folders. Parts that are not supported are left out.
    package static func confine(reading paths: [String]) throws(SystemError) {
        try confine(reading: paths, executing: [])
    }

    /// Replaces this process by a program that reads some files and folders, and its libraries.
    package static func execute(_ program: String, _ arguments: [String], reading paths: [String]) throws(SystemError) {
        let (real, start) = (program.realPath ?? program, (try? SmallFile.read(program, limit: 256)) ?? [])
        let folders = SharedLibraries.folders + (real.lastIndex(of: "/").map { [real[..<$0] + "/../lib"] } ?? [])
        try confine(reading: paths + folders, executing: [real, SharedLibraries.loader] + interpreter(in: start))
        let error = unsafe withCStrings([program] + arguments) { arguments in
            unsafe withCStrings([]) { nothing in
                unsafe execve(program, arguments, nothing)
                return errno
            }
        }
        throw SystemError(number: error)
    }

    /// Returns the program that runs a script: `#!/bin/sh -e` → `/bin/sh`.
    static func interpreter(in start: [UInt8]) -> [String] {
        guard start.starts(with: [0x23, 0x21]), let line = start.dropFirst(2).split(separator: 0x0a).first,
            let word = line.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 }).first
        else { return [] }
        return [String(decoding: word, as: UTF8.self)]
    }

    private static func confine(reading paths: [String], executing programs: [String]) throws(SystemError) {
        let error = unsafe withCStrings(paths) { paths in
            unsafe withCStrings(programs) { programs in
                unsafe clinux_confine_self(paths, programs)
            }
        }
        guard error == 0 else { throw SystemError(number: error) }
    }
}

/// The places of the system's libraries.
private enum SharedLibraries {
    static let folders = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/dev/null"]

    #if arch(arm64)
        static let loader = "/lib/ld-linux-aarch64.so.1"
    #else
        static let loader = "/lib64/ld-linux-x86-64.so.2"
    #endif
}

extension String {
    /// The path without links; nil if there is no such file.
    fileprivate var realPath: String? { try? Folder.real(self) }
}
