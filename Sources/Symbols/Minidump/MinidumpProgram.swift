// SPDX-License-Identifier: Apache-2.0

package import Crashes
import Glibc

/// Reads minidumps in a child process, which may be lost if a dump makes it crash, hang or use too much memory.
///
///     uploads/minidumps/1/7f3a                          →  {"id":"","kind":"fatal","type":"SIGSEGV / SEGV_MAPERR",…}
///     uploads/minidumps/1/7f3a c0bc…d9e6=symbols/1/9f…  →  the same, with stacks walked by the records of a Breakpad file
///     uploads/minidumps/1/9c01                          →  it is truncated
package final class MinidumpProgram: Sendable {
    /// The time that a caller has.
    package enum Patience: Sendable {
        /// A request waits.
        case request
        /// Background work waits.
        case background
    }

    /// The result of the program for a dump.
    package enum Reading: Sendable, Equatable {
        /// A crash report as JSON.
        case report([UInt8])
        /// The reason why the dump cannot be read.
        case invalid(String)
        /// The child did not survive the dump, or had too little time.
        case lost
    }

    private let programs: LineProgramPool
    /// The time within which a lost child is replaced for a second attempt.
    private static let soon = Duration.seconds(1)

    /// Creates a reader from a program that calls `answerLines`. Symbol files are named as in `folder`.
    package init(_ command: ReaderCommand, folder: String, _ patience: Patience) {
        let limits = LineProgram.Limits(
            line: patience == .request ? .seconds(5) : .seconds(60), call: patience == .request ? .seconds(5) : .seconds(120),
            resultBytes: 16 << 20, memoryBytes: 2 << 30, maxFailures: 0, linesPerChild: 1_000)
        programs = LineProgramPool { LineProgram(command.reading($0), in: folder, probe: "", limits: limits) }
    }

    /// Ends the child until the next dump.
    package func rest() {
        programs.end()
    }

    package func stop() {
        programs.stop()
    }

    /// The child's process ID, for tests that kill it.
    package var process: Int32? { programs.process }

    /// Reads the dump at a path without spaces. `files` are the Breakpad files of its modules, all in the folders that the child may read.
    package func read(_ path: String, files: [DebugID: String] = [:], reading folders: [String]) throws(ProgramError) -> Reading {
        let words = [path] + files.map { "\($0.key.text)=\($0.value)" }.sorted()
        let line = Array(words.joined(separator: " ").utf8)
        let start = ContinuousClock.now
        var answer = try programs.ask([line], reading: folders)
        // A child that was killed while it was idle says nothing about this dump.
        if answer == [nil], ContinuousClock.now - start < MinidumpProgram.soon { answer = try programs.ask([line], reading: folders) }
        guard let bytes = answer.first ?? nil else { return .lost }
        if bytes.first == UInt8(ascii: "{") { return .report(bytes) }
        return .invalid(String(decoding: bytes.prefix(256), as: UTF8.self))
    }

    // MARK: Child

    /// Answers each line of standard input until it ends. `document` writes a report as one line of JSON.
    package static func answerLines(_ document: (CrashReport) -> [UInt8]) {
        var files = BreakpadFiles()
        while let line = readLine() {
            let answer = answer(line.split(separator: " ").map(String.init), &files, document)
            print(String(decoding: answer.filter { $0 != 0x0a && $0 != 0x0d }, as: UTF8.self))
            fflush(nil)
        }
    }

    private static func answer(_ words: [String], _ files: inout BreakpadFiles, _ document: (CrashReport) -> [UInt8]) -> [UInt8] {
        guard let path = words.first else { return [] }
        var names: [DebugID: String] = [:]
        for word in words.dropFirst() {
            let pair = word.split(separator: "=", maxSplits: 1)
            if pair.count == 2, let id = DebugID(String(pair[0])) { names[id] = String(pair[1]) }
        }
        do {
            let source = try ByteSource(path: path)
            let dump = try Minidump(source.read(at: 0, count: source.count))
            let found = files.open(names)
            return document(dump.report { found[$0] })
        } catch let error as MinidumpError {
            return Array(error.description.utf8)
        } catch {
            return Array("it could not be opened".utf8)
        }
    }
}

/// The Breakpad files that the child has indexed. A dump of the same build follows soon.
private struct BreakpadFiles {
    private static let most = 64
    private static let mostBytes = 256 << 20

    private var known: [String: BreakpadFile] = [:]

    /// Returns the readable files by the debug IDs that name them.
    mutating func open(_ names: [DebugID: String]) -> [DebugID: BreakpadFile] {
        if known.count > BreakpadFiles.most || known.values.reduce(0, { $0 + $1.bytes }) > BreakpadFiles.mostBytes { known = [:] }
        var found: [DebugID: BreakpadFile] = [:]
        for (id, name) in names {
            guard let file = known[name] ?? (try? BreakpadFile(path: name)) else { continue }
            known[name] = file
            found[id] = file
        }
        return found
    }
}
