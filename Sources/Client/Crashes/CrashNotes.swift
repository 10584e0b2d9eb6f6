// SPDX-License-Identifier: Apache-2.0

/// The log lines, custom values and user ID attached to reports, within the daemon's limits.
struct CrashNotes: Sendable {
    private static let logBytes = 64_000
    private static let valueCount = 64
    private static let valueBytes = 1_024

    private(set) var values: [String: ParameterValue] = [:]
    private var lines: [String] = []
    private var bytes = 0
    var userID: String?

    /// The log lines joined; `nil` if there are none.
    var log: String? { lines.isEmpty ? nil : lines.joined(separator: "\n") }

    /// The custom values as JSON fields without braces.
    var json: [UInt8] {
        var json = JSONText()
        for (key, value) in values { value.write(to: &json, as: key) }
        return json.bytes
    }

    /// Appends a line and drops the oldest lines beyond the limit.
    mutating func add(_ line: String) {
        let line = String(line.prefix(CrashNotes.logBytes / 8))
        lines.append(line)
        bytes += line.utf8.count + 1
        guard bytes > CrashNotes.logBytes else { return }
        var gone = 0
        // Drop a quarter at once, so that removal is not done for every line.
        while bytes > CrashNotes.logBytes * 3 / 4 {
            bytes -= lines[gone].utf8.count + 1
            gone += 1
        }
        lines.removeFirst(gone)
    }

    mutating func set(_ value: ParameterValue?, for key: String) {
        var value = value
        if case .text(let text) = value, text.utf8.count > CrashNotes.valueBytes {
            value = .text(String(decoding: text.utf8.prefix(CrashNotes.valueBytes), as: UTF8.self))
        }
        if value == nil || values[key] != nil || values.count < CrashNotes.valueCount { values[key] = value }
    }
}
