// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The restrictions of a worker: a program of the operator's that carries out functions.
///
/// They keep mistakes in and are no jail for hostile code: the worker has the daemon's user and the network. It reads the system and its own
/// folders, writes one folder, stays in a group of processes that can be killed as a whole, and ends with the daemon.
package struct WorkerConfinement: Sendable {
    /// The folders that it reads besides the system's.
    package var readable: [String] = []
    /// The folders that it may change.
    package var writable: [String] = []
    /// The private memory of one of its processes.
    package var memoryBytes: UInt64 = 1 << 30
    /// Whether it starts only where the kernel has Landlock; otherwise its files are not restricted.
    package var needsLandlock = true

    /// The open files of one process, and the size of a file that it writes.
    private static let files: UInt64 = 1_024
    private static let fileBytes: UInt64 = 1 << 30
    /// The processes and threads of the user, the daemon's among them. The unit allows 512.
    package static let processes: UInt64 = 384

    /// The parts of the system that programs need. Configuration is left out, since it has secrets.
    package static let system = [
        "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/proc", "/sys/devices/system/cpu", "/sys/fs/cgroup",
        "/sys/kernel/mm/transparent_hugepage", "/run/systemd/resolve",
    ]
    private static let configuration = [
        "alternatives", "ca-certificates", "ca-certificates.conf", "debian_version", "gai.conf", "group", "host.conf", "hosts", "java-17-openjdk",
        "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "mime.types", "nsswitch.conf", "os-release", "passwd", "protocols", "python3",
        "python3.11", "resolv.conf", "services", "ssl", "timezone",
    ].map { "/etc/" + $0 }
    private static let devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"]

    package init() {}

    /// Restricts this process, which must have one thread, and replaces it by a program with this process's environment.
    ///
    /// - Parameter command: The path of the program, and its arguments.
    package func execute(_ command: [String]) throws(SystemError) {
        let error = unsafe withCStrings(Self.system + Self.configuration + readable) { readable in
            unsafe withCStrings(writable) { writable in
                unsafe withCStrings(Self.devices) { devices in
                    unsafe withCStrings(command) { arguments in
                        unsafe become(command[0], arguments, readable, writable, devices)
                    }
                }
            }
        }
        throw SystemError(number: error)
    }

    private typealias CStrings = UnsafePointer<UnsafeMutablePointer<CChar>?>

    private func become(_ program: String, _ arguments: CStrings, _ readable: CStrings, _ writable: CStrings, _ devices: CStrings) -> Int32 {
        var worker = unsafe clinux_worker(
            readable: readable, writable: writable, devices: devices, memory: memoryBytes, descriptors: Self.files, processes: Self.processes,
            file_size: Self.fileBytes, needs_landlock: needsLandlock ? 1 : 0)
        let error = unsafe clinux_confine_worker(&worker)
        guard error == 0 else { return error }
        unsafe execve(program, arguments, environ)
        return errno
    }
}
