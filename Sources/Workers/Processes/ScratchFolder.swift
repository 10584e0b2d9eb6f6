// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// The folder for scratch folders of workers, outside the data folder. Those of daemons that were killed are removed at the start.
final class ScratchFolder: Sendable {
    private static let prefix = "signalbox-workers-"

    let path: String
    /// Holds the lock, which ends with the process.
    private let lock: File

    init() throws {
        let parent = ProcessEnvironment.variables["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        ScratchFolder.removeAbandoned(in: parent)
        path = "\(parent)/\(ScratchFolder.prefix)\(getpid())-\(UInt64.random(in: .min ... .max))"
        try ScratchFolder.makeFolder(path)
        lock = try File(path + "/lock", .new)
        _ = try lock.lock()
    }

    /// Removes folders of this user whose daemon has ended.
    private static func removeAbandoned(in parent: String) {
        for name in (try? Folder.names(in: parent)) ?? [] where name.hasPrefix(prefix) {
            let path = parent + "/" + name
            guard OwnProcess.owns(path) == true, !Folder.isLink(path), let lock = try? File(path + "/lock", .read),
                (try? lock.lock()) == true
            else { continue }
            removeFolder(path)
        }
    }

    /// Makes a folder without syncing it, since none outlives the daemon.
    private static func makeFolder(_ path: String) throws(SystemError) {
        if mkdir(path, 0o700) != 0 { throw SystemError(number: errno) }
    }

    private static func removeFolder(_ path: String) {
        try? Folder.empty(path)
        try? Folder.removeEmpty(path)
    }

    /// Makes the folder of an instance.
    func make(_ number: Int) throws(SystemError) -> String {
        let folder = "\(path)/\(number)"
        try ScratchFolder.makeFolder(folder)
        return folder
    }

    /// Removes the folder of an instance without making the caller wait for it.
    func remove(_ folder: String) {
        Task.detached { ScratchFolder.removeFolder(folder) }
    }

    func remove() {
        ScratchFolder.removeFolder(path)
    }
}
