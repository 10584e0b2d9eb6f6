// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The destination of events and the settings of the queue.
public struct SignalboxOptions: Sendable {
    /// The time from which a logged event survives the end of the process.
    public enum Durability: Sendable {
        /// At most one second after logging. Logging makes no system call that writes.
        case withinASecond
        /// As soon as `logEvent` returns. Each call writes to the queue file, and waits for the writes of other calls and of the upload.
        case immediate
    }

    /// A deployment environment: the name stored with each event, and how often and how verbosely the client sends.
    public struct Environment: Sendable, Equatable {
        /// The value of `context.environment` in each event.
        public var name: String
        /// The longest time an event waits for others before a batch is sent, in seconds.
        public var flushInterval: TimeInterval
        /// The number of queued events at which a batch is sent at once.
        public var flushAt: Int
        /// Whether the client logs to standard error: names, counts and states; never keys, values or user IDs.
        public var isLoggingEnabled: Bool

        /// Creates a custom environment.
        public init(name: String, flushInterval: TimeInterval, flushAt: Int, isLoggingEnabled: Bool) {
            self.name = name
            self.flushInterval = flushInterval
            self.flushAt = flushAt
            self.isLoggingEnabled = isLoggingEnabled
        }

        /// For development: events are sent within a second, and the client logs what it does.
        public static let development = Environment(name: "development", flushInterval: 1, flushAt: 100, isLoggingEnabled: true)
        /// For released apps: at most one request every 30 seconds unless 500 events are queued, and no log output.
        public static let production = Environment(name: "production", flushInterval: 30, flushAt: 500, isLoggingEnabled: false)
    }

    /// The address of the daemon, such as `https://signals.example.org`.
    public var address: URL
    /// A key of the app with the role `ingest`.
    public var key: String
    /// The name or number of the app, as `ingestd app list` shows it. Functions and files of nobody signed in need it; a signed-in user's ID
    /// token names it.
    public var app: String?
    /// The deployment environment; `production` by default.
    public var environment = Environment.production
    /// The folder of the queue and the installation ID; by default a subfolder of the app's Application Support folder.
    public var folder: URL?
    /// The time from which a logged event survives the end of the process.
    public var durability = Durability.withinASecond
    /// The size limits of the queue on disk.
    public var limits = QueueLimits()
    /// The app and device fields of each event.
    public var context = AppContext.current
    /// The session timeout: the number of seconds without an event after which a session ends.
    public var sessionTimeout: TimeInterval = 30 * 60
    /// Whether data is collected until `setCollectionEnabled` is called for the first time. Later launches use the stored choice.
    public var isCollectionEnabled = true
    /// Whether events are validated by the daemon without being stored. User properties, errors and crashes are not sent.
    public var validatesOnly = false
    /// Whether a crash is captured and reported at the next launch.
    public var capturesCrashes = true
    /// Called for each record that the daemon corrected, quarantined, deduplicated or rejected.
    public var onVerdict: (@Sendable (Verdict) -> Void)?
    /// Called with the number of messages that the daemon dropped because its queue for this device was full.
    public var onMissedMessages: (@Sendable (Int) -> Void)?
    /// Receives the client's log, a line a call. Without it, lines go to standard error if the environment enables logging.
    public var onLog: (@Sendable (String) -> Void)?

    /// Creates options with the two values that have no default.
    public init(address: URL, key: String) {
        self.address = address
        self.key = key
    }

    // MARK: Replaced in tests

    var now: @Sendable () -> Date = { Date() }
    var backoff = Backoff()
    var streamSilence = MessageReceiver.silence

    func log(_ line: @autoclosure () -> String) {
        if let onLog { return onLog(line()) }
        if environment.isLoggingEnabled { FileHandle.standardError.write(Data("signalbox: \(line())\n".utf8)) }
    }

    var chosenFolder: URL {
        if let folder { return folder }
        let support =
            FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first ?? URL(fileURLWithPath: NSTemporaryDirectory())
        let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        return support.appendingPathComponent("Signalbox").appendingPathComponent(app)
    }
}
