// SPDX-License-Identifier: Apache-2.0

/// The command line of a child that reads untrusted files.
///
///     llvm-symbolizer that may read /data/symbols/1  →  ingestd confined --read /data/symbols/1 -- /usr/bin/llvm-symbolizer --inlines
///     ingestd resolve                                →  ingestd confined -- resolve
package struct ReaderCommand: Sendable {
    /// The program that reads, which error messages name.
    let program: String
    private let arguments: [String]
    /// The ingestd executable, whose command `confined` restricts the child; nil for a child without restrictions.
    private let launcher: String?
    private var folders: [String] = []

    /// - Parameter launcher: The ingestd executable, which may be the program itself.
    package init(_ program: String, _ arguments: [String] = [], launcher: String? = nil) {
        (self.program, self.arguments, self.launcher) = (program, arguments, launcher)
    }

    /// Returns the command with access to folders.
    func reading(_ folders: [String]) -> ReaderCommand {
        var command = self
        command.folders = folders
        return command
    }

    var words: [String] {
        guard let launcher else { return [program] + arguments }
        let reader = launcher == program ? arguments : [program] + arguments
        return [launcher, "confined"] + folders.flatMap { ["--read", $0] } + ["--"] + reader
    }
}
