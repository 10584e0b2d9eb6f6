// SPDX-License-Identifier: Apache-2.0

import Platform

/// Restricts a reader of symbol files before it reads anything.
///
///     confined --read /data/symbols/1 -- resolve                    →  `ingestd resolve`, which may read that folder only
///     confined --read /data/symbols/1 -- /usr/bin/llvm-symbolizer   →  the program, which may also read the system's libraries
enum ConfinedCommand {
    static let name = "confined"
    private static let readable = Option("--read", .text("PATH"), "A file or folder that the reader may read.").repeatable
    private static let readers: [(name: String, read: @Sendable () -> Void)] = [
        (DemangleCommand.name, DemangleCommand.read), (ResolveCommand.name, ResolveCommand.read), (MinidumpCommand.name, MinidumpCommand.read),
    ]
    private static let names = readers.map(\.name).joined(separator: ", ")

    static let command = Command(
        name, "Runs a reader of symbol files that can reach nothing else.", operands: ["READER", "[ARGUMENT]…"], options: [readable],
        details:
            """
            READER is the path of a program, or one of \(names). It cannot read other files, write files, open sockets, \
            start other programs or signal other processes. The daemon runs its readers so, because symbol files, names and dumps are untrusted. \
            If the kernel lacks a restriction, the others apply, and the daemon logs a warning at its start.
            """
    ) { _ in
        // `enter` has run it.
    }

    /// Becomes the confined reader if the words ask for it, and returns otherwise.
    ///
    /// It runs before other threads start, as the restrictions are those of a thread, and starts none: Dispatch reads what is forbidden.
    static func enter(_ words: [String]) throws {
        guard words.first == name, case .run(let command, let arguments) = try Invocation(words, of: .ingestd), command.name == name else { return }
        let (reader, files) = (arguments.operand(0), arguments.all(readable.name))
        do {
            if reader.hasPrefix("/") { try ProcessConfinement.execute(reader, Array(arguments.operands.dropFirst()), reading: files) }
            guard let read = readers.first(where: { $0.name == reader })?.read else {
                throw UsageError(what: "«\(reader)» is not a reader.", hint: "Name a program by its absolute path, or one of \(names).")
            }
            try ProcessConfinement.confine(reading: files)
            read()
            OwnProcess.end(code: 0)
        } catch let error as SystemError {
            throw Failure("cannot confine \(reader): \(error.reason)", hint: "Run it without `\(name)` to see whether it works.")
        }
    }
}
