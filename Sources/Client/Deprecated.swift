// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Names of release 0.1, kept so that existing apps compile.

extension SignalboxApp.Status {
    /// The number of queued records.
    @available(*, deprecated, renamed: "pending")
    public var waiting: Int { pending }
    /// The number of dropped records.
    @available(*, deprecated, renamed: "dropped")
    public var lost: Int { dropped }
    /// The error of the last delivery attempt.
    @available(*, deprecated, renamed: "lastError")
    public var trouble: SignalboxError? { lastError }
}

extension SignalboxOptions.Environment {
    /// The longest time an event waits for others, in seconds.
    @available(*, deprecated, renamed: "flushInterval")
    public var sendsAfter: TimeInterval {
        get { flushInterval }
        set { flushInterval = newValue }
    }
    /// The number of queued events at which a batch is sent at once.
    @available(*, deprecated, renamed: "flushAt")
    public var sendsAt: Int {
        get { flushAt }
        set { flushAt = newValue }
    }
    /// Whether the client logs to standard error.
    @available(*, deprecated, renamed: "isLoggingEnabled")
    public var logs: Bool {
        get { isLoggingEnabled }
        set { isLoggingEnabled = newValue }
    }

    /// Creates a custom environment.
    @available(*, deprecated, renamed: "init(name:flushInterval:flushAt:isLoggingEnabled:)")
    public init(name: String, sendsAfter: TimeInterval, sendsAt: Int, logs: Bool) {
        self.init(name: name, flushInterval: sendsAfter, flushAt: sendsAt, isLoggingEnabled: logs)
    }
}
