/// Reports that reach the daemon the way events do.
public final class LiveCrashes: Crashes {
    private let analytics: LiveAnalytics
    private let notes = Locked(CrashNotes())

    init(analytics: LiveAnalytics) {
        self.analytics = analytics
    }

    /// Queues a report whose type is that of the error.
    public func record(error: any Error) {
        report(type: String(reflecting: type(of: error)), reason: "\(error)", level: .error)
    }

    /// Queues a report whose reason is the message.
    public func record(message: String, level: CrashLevel) {
        report(type: "message", reason: message, level: level)
    }

    /// Keeps the last 64,000 bytes of lines.
    public func log(_ message: String) {
        notes.withLock { $0.add(message) }
    }

    /// Keeps at most 64.
    public func setCustomValue(_ value: ParameterValue?, forKey key: String) {
        notes.withLock { $0.set(value, for: key) }
    }

    /// Counts from the next report on, in this start.
    public func setUserID(_ id: String?) {
        notes.withLock { $0.userID = id }
    }

    /// With false all that waits is deleted, events too, and what was noted here is forgotten.
    public func setCollectionEnabled(_ isEnabled: Bool) {
        if !isEnabled { notes.withLock { $0 = CrashNotes() } }
        analytics.setCollectionEnabled(isEnabled)
    }

    private func report(type: String, reason: String, level: CrashLevel) {
        let notes = notes.withLock { $0 }
        analytics.report(userID: notes.userID) { json in
            json.field("kind", "nonfatal")
            json.field("level", level.rawValue)
            json.field("type", type)
            json.field("reason", reason)
            json.field("handled", true)
            json.field("logs", notes.log)
            json.object("custom_keys") { json in
                for (key, value) in notes.values { value.write(to: &json, as: key) }
            }
        }
    }
}
