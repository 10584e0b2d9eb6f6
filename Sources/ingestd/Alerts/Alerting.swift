// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import CrashStore
import EventStore
import JSON
import MessageStore
import Messaging
import Platform
import AcrossStores

/// Tells operators through the reserved topics what they must know: each cause once, until it is over.
///
/// Which causes stand is looked at anew each time; which were told is stored. So nothing is told twice or forgotten, whatever ends in between.
struct Alerting {
    private let daemon: Daemon
    private var ingest = IngestWatch()
    private var refused: RecurringProblem
    private var failedMessages: RecurringProblem
    private var failedCrashes: RecurringProblem

    init(_ daemon: Daemon) {
        self.daemon = daemon
        refused = RecurringProblem(known: daemon.store.events.gauges.refused.value)
        failedMessages = RecurringProblem(known: daemon.store.messages.gauges.failedCommits.value)
        failedCrashes = RecurringProblem(known: daemon.store.crashes.gauges.failedCommits.value)
    }

    mutating func run() async {
        while (try? await Task.sleep(for: daemon.settings.alerts.interval)) != nil {
            do { try await look() } catch { daemon.log.warning("alerts not looked at", ["reason": .text("\(error)")]) }
        }
    }

    /// Looks once: tells what is new, and takes back what is over.
    mutating func look() async throws {
        let apps = daemon.store.events.directory.now.apps.values.sorted { $0.id < $1.id }
        let disabled = try await daemon.store.messages.disabledOrigins()
        var standing = try await daemon.store.messages.standingAlerts()
        let system = systemCauses(stood: Set(standing.filter { $0.topic == .system }.map(\.cause)))
        ingest.keep(only: Set(apps.map(\.id)))
        for app in apps {
            let stood = Set(standing.filter { $0.app == app.id && $0.topic == .ingest }.map(\.cause))
            let causes = system + disabled.filter { $0.app == app.id }.map(AlertCause.init) + (await ingest.causes(of: app, daemon, stood: stood))
            for cause in causes {
                let alert = StandingAlert(app: app.id, topic: cause.topic, cause: cause.cause)
                if standing.remove(alert) == nil { try await tell(cause, alert) }
            }
        }
        // Those of crashes have causes of their own.
        for over in standing where over.topic != .crashes { try await daemon.store.messages.clear(over) }
    }

    private func tell(_ cause: AlertCause, _ alert: StandingAlert) async throws {
        daemon.log.warning("alert", ["app": .count(alert.app.rawValue), "topic": .text(cause.topic.rawValue), "cause": .text(cause.cause)])
        try await daemon.store.messages.raise(alert, Publication(cause))
    }

    private mutating func systemCauses(stood: Set<String>) -> [AlertCause] {
        let (store, now) = (daemon.store, daemon.clock.now())
        var causes = daemon.standingTroubles.map { AlertCause(.system, $0.cause, "ingestd is in trouble: \($0.text).") }
        if let count = refused.note(store.events.gauges.refused.value, stood: stood.contains("queue"), at: now) {
            causes.append(
                AlertCause(.system, "queue", "More came in than could be stored: \(count) requests were refused and have to come again."))
        }
        if let count = failedMessages.note(store.messages.gauges.failedCommits.value, stood: stood.contains("messages"), at: now) {
            causes.append(
                AlertCause(
                    .system, "messages", "Messages and deliveries cannot be written down: \(count) commits failed, and nothing of them was kept."))
        }
        if let count = failedCrashes.note(store.crashes.gauges.failedCommits.value, stood: stood.contains("crashes"), at: now) {
            causes.append(
                AlertCause(.system, "crashes", "Crash reports cannot be written down: \(count) commits failed, and nothing of them was kept."))
        }
        return causes
    }
}

extension AlertCause {
    fileprivate init(_ disabled: DisabledOrigin) {
        self.init(
            .delivery, "disabled:\(disabled.origin)",
            "Nothing could be delivered to registrations at \(disabled.origin) since \(disabled.failingSince.rfc3339); \(disabled.registrations) are disabled.",
            data: [("origin", disabled.origin), ("registrations", String(disabled.registrations)), ("failing_since", disabled.failingSince.rfc3339)])
    }
}

extension Publication {
    init(_ cause: AlertCause) {
        var data = JSONWriter()
        data.beginObject()
        data.field("cause", String(cause.cause.unicodeScalars.prefix { $0 != ":" }))
        for (name, value) in cause.data { data.field(name, value.text) }
        data.endObject()
        var notification = JSONWriter()
        notification.beginObject()
        notification.field("title", "Signalbox")
        notification.field("body", cause.text.text)
        notification.endObject()
        var draft = MessageDraft(to: .topic(TopicName(cause.topic)))
        draft.priority = .high
        self.init(draft, notification: notification.bytes, data: data.bytes, text: cause.text)
    }
}
