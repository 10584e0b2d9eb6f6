// SPDX-License-Identifier: Apache-2.0

/// Crash reporting for an app's tests: keeps all calls in memory and sends nothing.
public final class InMemoryCrashes: Crashes {
    /// A recorded report.
    public struct Report: Sendable, Equatable {
        /// The error's description or the message.
        public var text: String
        /// The severity.
        public var level: CrashLevel
    }

    private struct Recorded {
        var reports: [Report] = []
        var lines: [String] = []
        var values: [String: ParameterValue] = [:]
        var userID: String?
        var isCollectionEnabled = true
    }

    private let recorded = Locked(Recorded())

    /// The value given at creation.
    public let didCrashDuringPreviousRun: Bool

    /// Creates an empty recorder with collection enabled.
    public init(didCrashDuringPreviousRun: Bool = false) {
        self.didCrashDuringPreviousRun = didCrashDuringPreviousRun
    }

    /// The reports in order.
    public var reports: [Report] { recorded.withLock { $0.reports } }
    /// The log lines.
    public var lines: [String] { recorded.withLock { $0.lines } }
    /// The custom values.
    public var values: [String: ParameterValue] { recorded.withLock { $0.values } }
    /// The user ID.
    public var userID: String? { recorded.withLock { $0.userID } }
    /// Whether collection is enabled.
    public var isCollectionEnabled: Bool { recorded.withLock { $0.isCollectionEnabled } }

    /// Appends to `reports`.
    public func record(error: any Error) {
        record(message: "\(error)", level: .error)
    }

    /// Appends to `reports`.
    public func record(message: String, level: CrashLevel) {
        note { $0.reports.append(Report(text: message, level: level)) }
    }

    /// Appends to `lines`.
    public func log(_ message: String) {
        note { $0.lines.append(message) }
    }

    /// Sets or removes an entry of `values`.
    public func setCustomValue(_ value: ParameterValue?, forKey key: String) {
        note { $0.values[key] = value }
    }

    /// Sets `userID`.
    public func setUserID(_ id: String?) {
        note { $0.userID = id }
    }

    /// Clears everything when disabling, like `LiveCrashes`.
    public func setCollectionEnabled(_ isEnabled: Bool) {
        recorded.withLock { recorded in
            if !isEnabled { recorded = Recorded() }
            recorded.isCollectionEnabled = isEnabled
        }
    }

    private func note(_ change: (inout Recorded) -> Void) {
        recorded.withLock { recorded in
            if recorded.isCollectionEnabled { change(&recorded) }
        }
    }
}
