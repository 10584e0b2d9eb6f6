// SPDX-License-Identifier: Apache-2.0

/// Records errors and crashes. `LiveCrashes` sends them to the daemon; `InMemoryCrashes` keeps them for tests.
///
/// Calls may come from any thread and do not wait for the network.
public protocol Crashes: Sendable {
    /// Whether the previous launch crashed. The report is queued.
    var didCrashDuringPreviousRun: Bool { get }

    /// Records an error that the app handled, with the call stack.
    func record(error: any Error)

    /// Records a message without a stack.
    func record(message: String, level: CrashLevel)

    /// Adds a log line that is attached to later reports.
    func log(_ message: String)

    /// Sets a custom value that is attached to later reports; `nil` removes it.
    func setCustomValue(_ value: ParameterValue?, forKey key: String)

    /// Sets the user ID of reports; `nil` uses the user ID of `Analytics`.
    func setUserID(_ id: String?)

    /// Enables or disables collection; the same switch as that of `Analytics`.
    func setCollectionEnabled(_ isEnabled: Bool)
}

/// The severity of a report.
public enum CrashLevel: String, Sendable, CaseIterable {
    /// Details for debugging.
    case debug
    /// Normal operation.
    case info
    /// A possible problem.
    case warning
    /// A failure that the app handled.
    case error
}
