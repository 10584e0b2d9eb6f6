// SPDX-License-Identifier: Apache-2.0

import Functions
import Platform

/// The command and the folders of an instance of a worker.
///
///     /usr/bin/python3 receipt.py in /srv/receipt   →   reads the system and /srv/receipt, changes /tmp/signalbox-workers-x/1
///     /srv/fn/venv/bin/python in /srv/fn            →   reads /srv/fn, too, and the lib beside the program's own folder
struct WorkerPlace {
    let command: [String]
    /// The folder in which it runs.
    let folder: String
    let scratch: String
    private let readable: [String]
    private let group: ControlGroup?
    private let options: WorkerOptions

    /// Throws a reason if the worker could read the data folder.
    init(
        _ program: WorkerProgram, scratch: String, dataFolder: String, in group: ControlGroup?, _ options: WorkerOptions
    ) throws(WorkerPlaceError) {
        let file = program.command[0]
        let real = (try? Folder.real(file)) ?? file
        (command, self.scratch, self.group, self.options) = (program.command, scratch, group, options)
        folder = program.folder ?? WorkerPlace.folder(of: file)
        let own =
            [folder]
            + [file, real].flatMap { file in
                let folder = WorkerPlace.folder(of: file)
                return [folder] + ["lib", "lib64", "pyvenv.cfg"].map { WorkerPlace.folder(of: folder) + "/" + $0 }
            }
        let data = (try? Folder.real(dataFolder)) ?? dataFolder
        readable = own
        for path in own + WorkerConfinement.system {
            let path = (try? Folder.real(path)) ?? path
            guard !options.mayBeUnconfined || ProcessConfinement.supported.contains(.files) else { continue }
            guard !WorkerPlace.isWithin(path, data), !WorkerPlace.isWithin(data, path) else { throw .reachesData(path) }
        }
    }

    /// Returns the command line of the launcher.
    func words(launcher: String) -> [String] {
        let isUnconfined = options.mayBeUnconfined && !ProcessConfinement.supported.contains(.files)
        var words = [launcher, "confined-worker", "--memory", "\(options.memoryBytes >> 20)"]
        if isUnconfined { words.append("--unconfined") }
        if let group { words += ["--group", group.path] }
        for path in readable { words += ["--read", path] }
        return words + ["--write", scratch, "--"] + command
    }

    private static func folder(of path: String) -> String {
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
        return folder.isEmpty ? "/" : folder
    }

    /// Whether a path is a folder or beneath it: `/a/b` is within `/a`.
    static func isWithin(_ path: String, _ folder: String) -> Bool {
        path == folder || path.utf8.starts(with: (folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/").utf8)
    }
}

/// The reason why a worker is not started.
enum WorkerPlaceError: Error, CustomStringConvertible {
    case reachesData(String)

    var description: String {
        switch self {
        case .reachesData(let path): "its folder \(path) and the data folder lie within each other"
        }
    }
}
