// SPDX-License-Identifier: Apache-2.0

import API
import Platform
import Synchronization

/// `ingestd export`: writes raw events to standard output in constant memory, at the reader's pace.
enum ExportCommand {
    static let command = Command(
        "export", "Writes an app's raw events to standard output, ordered by seq.",
        options: [
            .app.required,
            Option("--format", .choice(Exports.Format.allCases.map(\.rawValue)), "Lines of JSON (default) or a table."),
            Option("--from", .text("TIME"), "Start of the event times: 2026-11-21T00:00:00Z, or relative such as -7d."),
            Option("--to", .text("TIME"), "End of the event times, exclusive."),
            Option("--after", .number("SEQ", 0...Int64.max), "Resumes after this seq, the last of an interrupted export."),
            .data, .config,
        ]
    ) { arguments in
        let format = arguments.one("--format").flatMap(Exports.Format.init) ?? .ndjson
        let after = arguments.one("--after").flatMap { Int64($0) } ?? 0
        let output = ExportOutput(format, after: after)
        defer { output.progress?.end() }
        let folder = try DataFolder(arguments)
        do {
            try await folder.perform { try await copy(to: output, arguments, $0) }
        } catch let error where !(error is Failure) && output.records.lastSeq > after {
            let failure = Failure(error)
            let hint = failure.hint.map { " \($0)" } ?? ""
            throw Failure("The export was interrupted: \(failure.what)", hint: "Resume with --after \(output.records.lastSeq).\(hint)")
        }
    }

    /// Resumes a response that a slow reader or a restart interrupted, as long as each attempt makes progress.
    private static func copy(to output: ExportOutput, _ arguments: Arguments, _ socket: ControlSocket) async throws {
        while true {
            let before = output.begin()
            do {
                return try await socket.stream(target(arguments, output.format, after: before)) { try output.write($0) }
            } catch let error where !(error is Failure) && output.records.lastSeq > before {
                continue
            }
        }
    }

    private static func target(_ arguments: Arguments, _ format: Exports.Format, after: Int64) -> String {
        let times = ["from", "to"].compactMap { name in arguments.one("--\(name)").map { "&\(name)=\($0.percentEncoded)" } }
        return "/v1/export?app=\(arguments.required(.app).percentEncoded)&format=\(format.rawValue)&after=\(after)" + times.joined()
    }
}

/// Writes whole records only, so that an interrupted export can be resumed.
private final class ExportOutput: Sendable {
    let format: Exports.Format
    private let state: Mutex<ExportRecords>
    /// No progress line if the events themselves are on the screen.
    let progress = StandardStream.output.isTerminal ? nil : Progress()

    init(_ format: Exports.Format, after: Int64) {
        self.format = format
        state = Mutex(ExportRecords(isTable: format == .csv, after: after))
    }

    var records: ExportRecords { state.withLock { $0 } }

    /// The seq to resume after.
    func begin() -> Int64 {
        state.withLock { records in
            records.beginAgain()
            return records.lastSeq
        }
    }

    func write(_ bytes: [UInt8]) throws {
        let (whole, lastSeq) = state.withLock { ($0.take(bytes), $0.lastSeq) }
        try Console.put(whole)
        progress?.show("Exporting, last seq", Int(lastSeq))
    }
}
