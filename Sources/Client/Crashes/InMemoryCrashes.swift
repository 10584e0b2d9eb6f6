// SPDX-License-Identifier: Apache-2.0

/// Crashes for an app's own tests: what was told, and nobody hears it.
public final class InMemoryCrashes: Crashes {
    /// A report as it was recorded.
    public struct Report: Sendable, Equatable {
        /// The error or the message.
        public var text: String
        /// How bad it is.
        public var level: CrashLevel
    }

    private struct Told {
        var reports: [Report] = []
        var lines: [String] = []
        var values: [String: ParameterValue] = [:]
        var userID: String?
        var isCollectionEnabled = true
    }

    private let told = Locked(Told())

    /// What the app is to believe.
    public let didCrashDuringPreviousRun: Bool

    /// Nothing was told yet.
    public init(didCrashDuringPreviousRun: Bool = false) {
        self.didCrashDuringPreviousRun = didCrashDuringPreviousRun
    }

    /// The reports, in their order.
    public var reports: [Report] { told.withLock { $0.reports } }
    /// The lines that were logged.
    public var lines: [String] { told.withLock { $0.lines } }
    /// The custom values.
    public var values: [String: ParameterValue] { told.withLock { $0.values } }
    /// The person.
    public var userID: String? { told.withLock { $0.userID } }
    /// What `setCollectionEnabled` said last.
    public var isCollectionEnabled: Bool { told.withLock { $0.isCollectionEnabled } }

    /// Keeps it in `reports`.
    public func record(error: any Error) {
        record(message: "\(error)", level: .error)
    }

    /// Keeps it in `reports`.
    public func record(message: String, level: CrashLevel) {
        note { $0.reports.append(Report(text: message, level: level)) }
    }

    /// Keeps it in `lines`.
    public func log(_ message: String) {
        note { $0.lines.append(message) }
    }

    /// Keeps it in `values`.
    public func setCustomValue(_ value: ParameterValue?, forKey key: String) {
        note { $0.values[key] = value }
    }

    /// Keeps it in `userID`.
    public func setUserID(_ id: String?) {
        note { $0.userID = id }
    }

    /// Forgets everything with false, as the live one does.
    public func setCollectionEnabled(_ isEnabled: Bool) {
        told.withLock { told in
            if !isEnabled { told = Told() }
            told.isCollectionEnabled = isEnabled
        }
    }

    private func note(_ change: (inout Told) -> Void) {
        told.withLock { told in
            if told.isCollectionEnabled { change(&told) }
        }
    }
}
