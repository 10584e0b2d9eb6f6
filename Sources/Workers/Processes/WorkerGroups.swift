// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// The limits of the control group of one instance of a worker, with all processes that it starts.
struct WorkerGroupLimits: Equatable {
    /// The period of the limit of processor time, in microseconds.
    private static let period = 100_000

    /// Files that a kernel without swap does not have.
    static let optional: Set<String> = ["memory.swap.max"]

    let memoryBytes: Int
    /// Processes and threads.
    let tasks: Int
    /// 100 for one processor; 0 for no limit.
    let processorPercent: Int

    init(_ options: WorkerOptions) {
        (memoryBytes, tasks, processorPercent) = (options.memoryBytes, options.tasks, options.processorPercent)
    }

    /// The contents of the group's files by controller.
    ///
    ///     1 GiB, 128 tasks, 100 %   →   memory.max 1073741824, memory.swap.max 0, memory.oom.group 1; pids.max 128; cpu.max "100000 100000"
    var files: [(controller: String, name: String, text: String)] {
        let time = processorPercent == 0 ? "max" : String(processorPercent * WorkerGroupLimits.period / 100)
        return [
            ("memory", "memory.max", String(memoryBytes)), ("memory", "memory.swap.max", "0"), ("memory", "memory.oom.group", "1"),
            ("pids", "pids.max", String(tasks)), ("cpu", "cpu.max", "\(time) \(WorkerGroupLimits.period)"),
        ]
    }
}

/// Control groups for instances of workers, below one that the service manager delegated to the daemon (`Delegate=`).
///
///     /sys/fs/cgroup/system.slice/ingestd.service            delegated; a group whose children have limits has no processes itself
///     /sys/fs/cgroup/system.slice/ingestd.service/daemon     the daemon and its readers of symbol files
///     /sys/fs/cgroup/system.slice/ingestd.service/worker-91c2f3-7   instance 7
final class WorkerGroups {
    static let controllers = ["cpu", "memory", "pids"]
    private static let daemon = "daemon"
    /// Processes that start while others are moved are moved in a later round.
    private static let rounds = 20

    private let base: ControlGroup
    /// The beginning of the names of groups, which differs from those of other daemons.
    private let prefix = "worker-\(String(UInt32.random(in: .min ... .max), radix: 16))"
    private let enabled: Set<String>
    /// The groups whose last processes are still ending.
    private var leaving: [ControlGroup] = []

    /// Takes a delegated group over: moves the processes of the daemon into a group below it, and enables the controllers.
    ///
    /// - Parameter delegated: The delegated group; the own group of this process unless it is given.
    init(below delegated: ControlGroup? = nil) throws(WorkerGroupError) {
        guard let own = delegated ?? ControlGroup.own() else { throw .notMounted }
        // A desk of the same process may have moved it before.
        let hasMoved = own.path.hasSuffix("/" + WorkerGroups.daemon)
        let base = hasMoved ? ControlGroup(path: String(own.path.dropLast(WorkerGroups.daemon.utf8.count + 1))) : own
        let controllers = base.controllers().intersection(WorkerGroups.controllers)
        (self.base, enabled) = (base, controllers)
        guard access(base.path + "/cgroup.subtree_control", W_OK) == 0, access(base.path, W_OK) == 0 else { throw .notDelegated(base.path) }
        do throws(SystemError) {
            try WorkerGroups.empty(base)
            let words = controllers.sorted().map { "+" + $0 }
            if !words.isEmpty { try base.write(words.joined(separator: " "), to: "cgroup.subtree_control") }
        } catch {
            if error.number == EBUSY { throw .hasOthers(base.path) }
            throw .failed(base.path, error)
        }
        removeAbandoned()
    }

    /// Removes groups without processes, which a daemon that was killed has left.
    private func removeAbandoned() {
        for name in (try? Folder.names(in: base.path)) ?? [] where name.hasPrefix("worker-") {
            _ = ControlGroup(path: "\(base.path)/\(name)").remove()
        }
    }

    /// The controllers that are not delegated, so that their limits do not apply.
    var lacking: [String] { WorkerGroups.controllers.filter { !enabled.contains($0) } }

    /// Moves the processes of a group, which must all be this one and its descendants, into a group below it.
    private static func empty(_ base: ControlGroup) throws(SystemError) {
        let target = ControlGroup(path: base.path + "/" + daemon)
        for _ in 0..<rounds {
            let processes = try base.processes()
            if processes.isEmpty { return }
            guard processes.allSatisfy(isOwn) else { throw SystemError(number: EBUSY) }
            try target.make()
            for process in processes {
                do throws(SystemError) { try target.add(process) } catch {
                    // It has ended meanwhile.
                    if error.number != ESRCH { throw error }
                }
            }
        }
        throw SystemError(number: EAGAIN)
    }

    /// Whether a process is this one or descends from it.
    private static func isOwn(_ process: pid_t) -> Bool {
        var next = process
        while next > 1, next != getpid() {
            guard let parent = parent(of: next) else { return !Folder.exists("/proc/\(next)") && next == process }
            next = parent
        }
        return next == getpid()
    }

    /// Reads the parent from `/proc/PID/stat`: `977 (python3 x) S 961 …`.
    private static func parent(of process: pid_t) -> pid_t? {
        let stat = (try? SmallFile.read("/proc/\(process)/stat", limit: 4 << 10)) ?? []
        guard let end = stat.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = stat[end...].split(separator: UInt8(ascii: " "))
        return fields.count > 2 ? pid_t(String(decoding: fields[2], as: UTF8.self)) : nil
    }

    // MARK: Instances

    /// Makes the group of an instance, with its limits.
    func make(_ number: Int, _ limits: WorkerGroupLimits) throws(SystemError) -> ControlGroup {
        let group = ControlGroup(path: "\(base.path)/\(prefix)-\(number)")
        try group.make()
        do throws(SystemError) {
            for file in limits.files where enabled.contains(file.controller) {
                if WorkerGroupLimits.optional.contains(file.name), !Folder.exists("\(group.path)/\(file.name)") { continue }
                try group.write(file.text, to: file.name)
            }
        } catch {
            remove(group)
            throw error
        }
        return group
    }

    /// Removes the group of an instance that has ended, at once or as soon as its last process is gone.
    func remove(_ group: ControlGroup) {
        group.kill()
        if !group.remove() { leaving.append(group) }
    }

    /// Removes groups whose last processes have ended since.
    func removeLeaving() { leaving.removeAll { $0.remove() } }
}

/// The reason why instances of workers have no control groups.
enum WorkerGroupError: Error, CustomStringConvertible {
    case notMounted
    case notDelegated(String)
    case hasOthers(String)
    case failed(String, SystemError)

    var description: String {
        switch self {
        case .notMounted: "control groups of version 2 are not mounted"
        case .notDelegated(let path): "the control group \(path) is not delegated; set Delegate=cpu memory pids in the unit"
        case .hasOthers(let path): "the control group \(path) has other processes"
        case .failed(let path, let error): "the control group \(path) cannot be used: \(error.reason)"
        }
    }
}
