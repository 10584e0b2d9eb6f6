// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Where events go, and how they are kept until they are there.
public struct SignalboxOptions: Sendable {
    /// When an event is safe from the end of the app.
    public enum Durability: Sendable {
        /// At most a second after it was logged; logging costs no system call that writes.
        case withinASecond
        /// When `logEvent` returns.
        case immediate
    }

    /// What kind of users an app has at the moment: stored with each event, and how quickly and loudly things go.
    public struct Environment: Sendable, Equatable {
        /// What events carry as `context.environment`.
        public var name: String
        /// How long events may wait for others to be sent with, in seconds.
        public var sendsAfter: TimeInterval
        /// How many are sent without waiting any longer.
        public var sendsAt: Int
        /// Whether what the client does is told on the standard error stream: names, numbers and states; never keys, values or persons.
        public var logs: Bool

        /// An environment of one's own.
        public init(name: String, sendsAfter: TimeInterval, sendsAt: Int, logs: Bool) {
            self.name = name
            self.sendsAfter = sendsAfter
            self.sendsAt = sendsAt
            self.logs = logs
        }

        /// For apps being written: events go out within a second, and the client says what it does.
        public static let development = Environment(name: "development", sendsAfter: 1, sendsAt: 100, logs: true)
        /// For apps being used: a request every half a minute at most, and silence.
        public static let production = Environment(name: "production", sendsAfter: 30, sendsAt: 500, logs: false)
    }

    /// The daemon, as `https://signals.example.org`.
    public var address: URL
    /// An `ingest` key of the app.
    public var key: String
    /// `production`, where nothing else is said.
    public var environment = Environment.production
    /// The folder of queue and installation; one of its own below the app's support folder where none is named.
    public var folder: URL?
    /// When an event is safe from the end of the app.
    public var durability = Durability.withinASecond
    /// How much may wait on the disk.
    public var limits = QueueLimits()
    /// What is known about the app and its device.
    public var context = AppContext.current
    /// A session ends when nothing was logged for so many seconds.
    public var sessionTimeout: TimeInterval = 30 * 60
    /// Whether anything is collected before somebody has been asked; what `setCollectionEnabled` said last counts more.
    public var isCollectionEnabled = true
    /// Whether events are only judged and not stored. What is sent is gone; properties of users and crashes are not sent.
    public var validatesOnly = false
    /// Whether a crash that ends the app is reported at the next start.
    public var capturesCrashes = true
    /// Told what the daemon did not simply accept.
    public var onVerdict: (@Sendable (Verdict) -> Void)?
    /// Told how many messages went unread because more waited than the daemon keeps; what they said is to be asked for elsewhere.
    public var onMissedMessages: (@Sendable (Int) -> Void)?
    /// Told what the client does, one line a thing; the standard error stream where none is given and the environment logs.
    public var onLog: (@Sendable (String) -> Void)?

    /// What has no default.
    public init(address: URL, key: String) {
        self.address = address
        self.key = key
    }

    // MARK: For our tests

    var now: @Sendable () -> Date = { Date() }
    var backoff = Backoff()
    var streamSilence = Receiving.silence

    func log(_ line: @autoclosure () -> String) {
        if let onLog { return onLog(line()) }
        if environment.logs { FileHandle.standardError.write(Data("signalbox: \(line())\n".utf8)) }
    }

    var chosenFolder: URL {
        if let folder { return folder }
        let support =
            FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first ?? URL(fileURLWithPath: NSTemporaryDirectory())
        let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        return support.appendingPathComponent("Signalbox").appendingPathComponent(app)
    }
}
