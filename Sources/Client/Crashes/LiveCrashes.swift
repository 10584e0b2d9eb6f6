// SPDX-License-Identifier: Apache-2.0

import CSignalbox

/// Reports that reach the daemon the way events do.
public final class LiveCrashes: Crashes {
    private let analytics: LiveAnalytics

    init(analytics: LiveAnalytics) {
        self.analytics = analytics
    }

    /// Whether a report of the start before this one was there; false without consent.
    public var didCrashDuringPreviousRun: Bool { analytics.hadCrash }

    /// Queues a report whose type is that of the error, with the calls that led here.
    @inline(never)
    public func record(error: any Error) {
        var calls = [UInt64](repeating: 0, count: CallStack.mostCalls)
        let count = csignalbox_calls(&calls, calls.count)
        let stack = CallStack(calls: calls[..<count].dropFirst(CallStack.ownCalls))
        report(type: String(reflecting: type(of: error)), reason: "\(error)", level: .error, stack)
    }

    /// Queues a report whose reason is the message.
    public func record(message: String, level: CrashLevel) {
        report(type: "message", reason: message, level: level)
    }

    /// Keeps the last 64,000 bytes of lines.
    public func log(_ message: String) {
        analytics.note { notes, capture in
            notes.add(message)
            capture.log(message)
        }
    }

    /// Keeps at most 64.
    public func setCustomValue(_ value: ParameterValue?, forKey key: String) {
        analytics.note { notes, capture in
            notes.set(value, for: key)
            capture.note(CSIGNALBOX_VALUES, notes.json)
        }
    }

    /// Counts from the next report on, in this start.
    public func setUserID(_ id: String?) {
        analytics.note { notes, capture in
            notes.userID = id
            capture.note(CSIGNALBOX_NAMED_USER, id)
        }
    }

    /// With false all that waits is deleted, events too, and what was noted here is forgotten.
    public func setCollectionEnabled(_ isEnabled: Bool) {
        analytics.setCollectionEnabled(isEnabled)
    }

    private func report(type: String, reason: String, level: CrashLevel, _ stack: CallStack? = nil) {
        analytics.report { json, notes in
            json.field("kind", "nonfatal")
            json.field("level", level.rawValue)
            json.field("type", type)
            json.field("reason", reason)
            json.field("handled", true)
            stack?.writeFrames(to: &json)
            stack?.writeImages(to: &json)
            json.field("logs", notes.log)
            json.object("custom_keys") { json in json.fields(notes.json[...]) }
        }
    }
}
