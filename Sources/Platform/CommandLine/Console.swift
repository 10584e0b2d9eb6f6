// SPDX-License-Identifier: Apache-2.0

/// Output and confirmation prompts of commands.
package enum Console {
    /// The exit code that shells use for SIGPIPE.
    private static let brokenPipeCode: Int32 = 128 + 13

    package static func print(_ text: String) throws(Failure) {
        try put(Array(text.utf8) + [0x0a])
    }

    /// Prints untrusted text: unchanged to a program, without control characters to a terminal.
    package static func put(_ bytes: [UInt8]) throws(Failure) {
        try write(StandardStream.output.isTerminal ? Array(TerminalText(String(decoding: bytes, as: UTF8.self)).text.utf8) : bytes)
    }

    /// Prints text unchanged, also to a terminal.
    package static func write(_ bytes: [UInt8]) throws(Failure) {
        do throws(SystemError) {
            try StandardStream.output.write(bytes)
        } catch {
            // A reader such as `head` has closed the pipe. Exit silently with the code of SIGPIPE.
            if error.isReaderGone { OwnProcess.end(code: Console.brokenPipeCode) }
            throw Failure("Standard output cannot be written: \(error.reason).", hint: "Is the disk full?")
        }
    }

    /// Prints a line to standard error and ignores errors.
    package static func complain(_ line: String, of program: String) {
        paint("\(program): \(TerminalText(cell: line).text)\n")
    }

    /// Asks for confirmation of a destructive action. Without a terminal `--yes` is required.
    package static func confirm(_ question: String, _ arguments: Arguments, _ yes: Option) throws {
        if arguments.has(yes) { return }
        guard OwnProcess.hasPerson else { throw UsageError(what: "\(question) Standard input is not a terminal.", hint: "Confirm with \(yes.name).") }
        ask("\(question) [y/N] ")
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
            throw Failure("Nothing was deleted.", hint: "Answer y to delete.")
        }
    }

    /// Prints a message that is not part of the output to standard error.
    package static func ask(_ question: String) {
        paint(TerminalText(question).text)
    }

    /// Prints trusted or escaped text to standard error unchanged.
    static func paint(_ text: String) {
        try? StandardStream.error.write(Array(text.utf8))
    }
}
