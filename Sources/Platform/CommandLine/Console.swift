// SPDX-License-Identifier: Apache-2.0

/// Where commands print and ask.
package enum Console {
    /// As shells tell of SIGPIPE.
    private static let readerGone: Int32 = 128 + 13

    package static func print(_ text: String) throws(Failure) {
        try put(Array(text.utf8) + [0x0a])
    }

    /// What others said: a program that reads it gets it as it is, a terminal without what would steer it.
    package static func put(_ bytes: [UInt8]) throws(Failure) {
        try write(StandardStream.output.isTerminal ? Array(TerminalText(String(decoding: bytes, as: UTF8.self)).text.utf8) : bytes)
    }

    /// As it is, also to a terminal.
    package static func write(_ bytes: [UInt8]) throws(Failure) {
        do throws(SystemError) {
            try StandardStream.output.write(bytes)
        } catch {
            // A reader like `head` has what it wanted: it ends quietly, and as if the signal had ended it.
            if error.isReaderGone { OwnProcess.end(code: Console.readerGone) }
            throw Failure("Standard output cannot be written: \(error.reason).", hint: "Is the disk full?")
        }
    }

    /// Prints one line to standard error; where even that is closed nobody is left to tell.
    package static func complain(_ line: String, of program: String) {
        paint("\(program): \(TerminalText(cell: line).text)\n")
    }

    /// Asks before something is lost for good; without a person to ask, only `--yes` will do.
    package static func confirm(_ question: String, _ arguments: Arguments, _ yes: Option) throws {
        if arguments.has(yes) { return }
        guard OwnProcess.hasPerson else { throw WrongUsage(what: "\(question) Nobody is there to ask.", hint: "Say so with \(yes.name).") }
        ask("\(question) [y/N] ")
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
            throw Failure("Nothing was deleted.", hint: "Answer y to delete.")
        }
    }

    /// Prints words for the person, which are no part of the output, to standard error.
    package static func ask(_ question: String) {
        paint(TerminalText(question).text)
    }

    /// Prints to standard error as it is, for text of our own and what has passed through `TerminalText`.
    static func paint(_ text: String) {
        try? StandardStream.error.write(Array(text.utf8))
    }
}
