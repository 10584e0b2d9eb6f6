// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A structured log with one line for each entry, on standard error.
///
/// Messages are constant, so that lines can be searched and counted; variable parts are facts. Level and format can change at runtime.
package final class Log: Sendable {
    private struct Style: Sendable {
        var level: LogLevel
        var format: LogFormat
    }

    private let style: Mutex<Style>
    private let clock: WallClock
    private let write: @Sendable ([UInt8]) -> Void

    package init(
        level: LogLevel = .info, format: LogFormat = .logfmt, clock: WallClock = .system,
        write: @escaping @Sendable ([UInt8]) -> Void = Log.writeToStandardError
    ) {
        style = Mutex(Style(level: level, format: format))
        self.clock = clock
        self.write = write
    }

    package func debug(_ message: StaticString, _ facts: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]) {
        log(.debug, message, facts)
    }

    package func info(_ message: StaticString, _ facts: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]) {
        log(.info, message, facts)
    }

    package func warning(_ message: StaticString, _ facts: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]) {
        log(.warning, message, facts)
    }

    package func error(_ message: StaticString, _ facts: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]) {
        log(.error, message, facts)
    }

    /// Changes level and format of later lines.
    package func change(level: LogLevel, format: LogFormat) {
        style.withLock { $0 = Style(level: level, format: format) }
    }

    private func log(_ level: LogLevel, _ message: StaticString, _ facts: () -> KeyValuePairs<String, LogValue>) {
        let style = style.withLock { $0 }
        guard level >= style.level else { return }
        write(LogLine(time: clock.now(), level: level, message: "\(message)", facts: facts()).bytes(style.format))
    }

    /// Writes a line with one call, so that lines of threads do not mix. A line that cannot be written is dropped instead of waiting.
    static func writeToStandardError(_ line: [UInt8]) {
        _ = unsafe Glibc.write(STDERR_FILENO, line, line.count)
    }
}
