// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Platform

/// A control group of Linux (cgroup v2), which limits and kills processes as a whole.
package struct ControlGroup: Sendable, Equatable {
    package let path: String

    package init(path: String) { self.path = path }

    /// Moves this process into the group.
    package func join() throws(SystemError) { try write("0", to: "cgroup.procs") }

    /// Moves a process into the group.
    func add(_ process: pid_t) throws(SystemError) { try write(String(process), to: "cgroup.procs") }

    /// Kills all processes of the group. Kernels before Linux 5.14 cannot.
    func kill() { try? write("1", to: "cgroup.kill") }

    func make() throws(SystemError) {
        if mkdir(path, 0o755) != 0, errno != EEXIST { throw SystemError(number: errno) }
    }

    /// Removes the group. Returns false while processes of it are still ending.
    func remove() -> Bool { rmdir(path) == 0 || errno == ENOENT }

    /// The processes of the group; 0 for one that this process cannot see.
    func processes() throws(SystemError) -> [pid_t] {
        ControlGroup.numbers(in: try SmallFile.read(path + "/cgroup.procs", limit: ControlGroup.tableBytes))
    }

    /// The controllers that groups within this one may have.
    func controllers() -> Set<String> {
        let text = (try? SmallFile.read(path + "/cgroup.controllers", limit: ControlGroup.tableBytes)) ?? []
        return Set(String(decoding: text, as: UTF8.self).split { $0 == " " || $0 == "\n" }.map(String.init))
    }

    func write(_ text: String, to file: String) throws(SystemError) {
        let descriptor = open("\(path)/\(file)", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(number: errno) }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw SystemError(number: errno) }
    }

    private static let tableBytes = 16 << 20

    private static func numbers(in text: [UInt8]) -> [pid_t] {
        text.split(separator: UInt8(ascii: "\n")).compactMap { pid_t(String(decoding: $0, as: UTF8.self)) }
    }
}

extension ControlGroup {
    /// The group of this process; nil where version 2 is not mounted.
    package static func own() -> ControlGroup? {
        let groups = (try? SmallFile.read("/proc/self/cgroup", limit: tableBytes)) ?? []
        let mounts = (try? SmallFile.read("/proc/self/mountinfo", limit: tableBytes)) ?? []
        return ControlGroup(groups: String(decoding: groups, as: UTF8.self), mounts: String(decoding: mounts, as: UTF8.self))
    }

    /// Finds the group of a process in `/proc/PID/cgroup` and `/proc/PID/mountinfo`.
    ///
    ///     0::/system.slice/ingestd.service                                     →   /sys/fs/cgroup/system.slice/ingestd.service
    ///     31 24 0:26 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw
    init?(groups: String, mounts: String) {
        guard let line = groups.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return nil }
        let group = line.dropFirst(3)
        // A group outside of what this process sees begins with "/..".
        guard !group.split(separator: "/").contains(".."), !group.hasSuffix(" (deleted)") else { return nil }
        for mount in mounts.split(separator: "\n") {
            let fields = mount.split(separator: " ")
            guard let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count, fields[dash + 1] == "cgroup2", dash > 4 else { continue }
            let (root, point) = (fields[3] == "/" ? "" : String(fields[3]), String(fields[4]))
            guard root.isEmpty || group == root || group.hasPrefix(root + "/") else { continue }
            let rest = group.dropFirst(root.count)
            self.init(path: rest == "/" || rest.isEmpty ? point : point + rest)
            return
        }
        return nil
    }
}
