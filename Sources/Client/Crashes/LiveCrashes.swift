// SPDX-License-Identifier: Apache-2.0

import CSignalbox

/// Crash reporting that queues reports on disk and sends them with events.
public final class LiveCrashes: Crashes {
    private let analytics: LiveAnalytics

    init(analytics: LiveAnalytics) {
        self.analytics = analytics
    }

    /// Whether the previous launch left a crash report; `false` while collection is disabled.
    public var didCrashDuringPreviousRun: Bool { analytics.hadCrash }

    /// Queues a report with the error's type, description and call stack.
    @inline(never)
    public func record(error: any Error) {
        var calls = [UInt64](repeating: 0, count: CallStack.mostCalls)
        let count = csignalbox_calls(&calls, calls.count)
        let stack = CallStack(calls: calls[..<count].dropFirst(CallStack.ownCalls))
        report(type: String(reflecting: type(of: error)), reason: "\(error)", level: .error, stack)
    }

    /// Queues a report with the message as its reason.
    public func record(message: String, level: CrashLevel) {
        report(type: "message", reason: message, level: level)
    }

    /// Keeps the last 64,000 bytes of log lines.
    public func log(_ message: String) {
        analytics.note { notes, capture in
            notes.add(message)
            capture.log(message)
        }
    }

    /// Keeps at most 64 custom values.
    public func setCustomValue(_ value: ParameterValue?, forKey key: String) {
        analytics.note { notes, capture in
            notes.set(value, for: key)
            capture.note(CSIGNALBOX_VALUES, notes.json)
        }
    }

    /// Applies to later reports of this launch.
    public func setUserID(_ id: String?) {
        analytics.note { notes, capture in
            notes.userID = id
            capture.note(CSIGNALBOX_NAMED_USER, id)
        }
    }

    /// Disabling deletes queued records, events included, and clears log lines, values and user ID.
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
