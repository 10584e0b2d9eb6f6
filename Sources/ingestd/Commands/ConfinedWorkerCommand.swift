// SPDX-License-Identifier: Apache-2.0

import Platform
import Workers

/// Restricts a worker of a function before it starts.
///
///     confined-worker --read /srv/receipt --write /tmp/scratch -- /usr/bin/python3 receipt.py
enum ConfinedWorkerCommand {
    static let name = "confined-worker"
    private static let readable = Option("--read", .text("PATH"), "A folder that the program may read and execute, besides the system's.").repeatable
    private static let writable = Option("--write", .text("PATH"), "A folder that the program may change.").repeatable
    private static let memory = Option("--memory", .number("MIB", 16...1_048_576), "The private memory of a process; 1024 by default.")
    private static let group = Option("--group", .text("PATH"), "The folder of a control group that the program joins.")
    private static let unconfined = Option("--unconfined", .none, "Does not restrict files. Everything else applies.")

    static let command = Command(
        name, "Runs a worker program of a function with the restrictions of the daemon.", operands: ["PROGRAM", "[ARGUMENT]…"],
        options: [readable, writable, memory, group, unconfined],
        details: """
            PROGRAM is an absolute path. It reads the system and the named folders, changes only the folders of --write, opens no Unix sockets, \
            cannot leave its process group, has no privileges and ends with the process that started it. It may use the network. The daemon runs \
            the workers of functions so; with this command an operator sees what a worker is not allowed to do.
            """
    ) { _ in
        // `enter` has run it.
    }

    /// Becomes the worker if the words ask for it, and returns otherwise. It runs before other threads start.
    static func enter(_ words: [String]) throws {
        guard words.first == name, case .run(let command, let arguments) = try Invocation(words, of: .ingestd), command.name == name else { return }
        let program = arguments.operand(0)
        guard program.hasPrefix("/") else {
            throw UsageError(what: "«\(program)» is not an absolute path.", hint: "Name a program such as /usr/bin/python3.")
        }
        if let path = arguments.one(group.name) { try join(path) }
        var confinement = WorkerConfinement()
        confinement.readable = arguments.all(readable.name)
        confinement.writable = arguments.all(writable.name)
        if let mebibytes = arguments.one(memory.name).flatMap(UInt64.init) { confinement.memoryBytes = mebibytes << 20 }
        confinement.needsLandlock = !arguments.has(unconfined)
        do { try confinement.execute(arguments.operands) } catch {
            let hint = error.isUnsupported ? "The kernel has no Landlock: use --unconfined." : "Check the path and its permissions."
            throw Failure("cannot run \(program): \(error.reason)", hint: hint)
        }
    }

    private static func join(_ path: String) throws {
        do { try ControlGroup(path: path).join() } catch {
            throw Failure("cannot join the control group \(path): \(error.reason)", hint: "Name the folder of a group that was delegated.")
        }
    }
}
