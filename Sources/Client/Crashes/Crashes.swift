// SPDX-License-Identifier: Apache-2.0

/// What goes wrong in an app, beyond an event: `LiveCrashes` sends it, `InMemoryCrashes` shows it to the app's tests.
///
/// Nothing of this waits for disk or network.
public protocol Crashes: Sendable {
    /// Whether the app crashed when it ran before this; its report is on its way.
    var didCrashDuringPreviousRun: Bool { get }

    /// Something failed, and the app goes on.
    func record(error: any Error)

    /// Something is worth a look.
    func record(message: String, level: CrashLevel)

    /// A line that goes with what is recorded from now on.
    func log(_ message: String)

    /// Something that is so when something goes wrong; nil takes it away.
    func setCustomValue(_ value: ParameterValue?, forKey key: String)

    /// Who it happens to; nil is whom `Analytics` names.
    func setUserID(_ id: String?)

    /// Whether anything may be collected: the same switch as that of `Analytics`.
    func setCollectionEnabled(_ isEnabled: Bool)
}

/// How bad it is.
public enum CrashLevel: String, Sendable, CaseIterable {
    /// For whoever writes the app.
    case debug
    /// Nothing is wrong.
    case info
    /// Something may be wrong.
    case warning
    /// Something is.
    case error
}
