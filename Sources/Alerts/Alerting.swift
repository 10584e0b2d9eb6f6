// SPDX-License-Identifier: Apache-2.0

package import AcrossStores
import AppDirectory
import CrashStore
import EventStore
import JSON
import MessageStore
import Messaging
package import Platform

/// Publishes alerts on the reserved topics: each cause once, until it is over.
///
/// Each round derives the standing causes from the current state and compares them with the stored alerts, so a restart neither repeats
/// nor loses an alert.
package struct Alerting {
    private let store: Stores
    private let options: @Sendable () -> AlertOptions
    private let problems: @Sendable () -> [StandingProblem]
    private let workers: @Sendable () -> [FailingWorker]
    private let clock: WallClock
    private let log: Log
    private var ingest: IngestWatch
    private var rejected: RecurringProblem
    private var failedMessages: RecurringProblem
    private var failedCrashes: RecurringProblem

    package init(
        store: Stores, options: @escaping @Sendable () -> AlertOptions, problems: @escaping @Sendable () -> [StandingProblem],
        workers: @escaping @Sendable () -> [FailingWorker] = { [] }, clock: WallClock, log: Log
    ) {
        (self.store, self.options, self.problems, self.workers, self.clock, self.log) = (store, options, problems, workers, clock, log)
        ingest = IngestWatch(store: store, clock: clock, log: log)
        rejected = RecurringProblem(known: store.events.gauges.rejected.value)
        failedMessages = RecurringProblem(known: store.messages.gauges.failedCommits.value)
        failedCrashes = RecurringProblem(known: store.crashes.gauges.failedCommits.value)
    }

    package mutating func run() async {
        while (try? await Task.sleep(for: options().interval)) != nil {
            do {
                try await publishChanges()
            } catch {
                log.warning("failed to evaluate alerts; retrying at the next interval", ["reason": .text("\(error)")])
            }
        }
    }

    /// Publishes new causes and clears those that are over.
    package mutating func publishChanges() async throws {
        let apps = store.events.directory.now.apps.values.sorted { $0.id < $1.id }
        let deliveries = try await DeliveryCauses(store.messages, now: clock.now())
        var standing = try await store.messages.standingAlerts()
        let system = systemCauses(stood: Set(standing.filter { $0.topic == .system }.map(\.cause)))
        let workers = workers()
        ingest.keep(only: Set(apps.map(\.id)))
        for app in apps {
            let stood = Set(standing.filter { $0.app == app.id }.map(\.cause))
            let ofWorkers = workers.filter { $0.app == app.id }.map(AlertCause.init)
            let causes = system + ofWorkers + deliveries.causes(of: app.id, stood: stood) + (await ingest.causes(of: app, stood: stood))
            for cause in causes {
                let alert = StandingAlert(app: app.id, topic: cause.topic, cause: cause.cause)
                if standing.remove(alert) == nil { try await publish(cause, alert) }
            }
        }
        // `CrashAlerts` clears alerts of crashes.
        for over in standing where over.topic != .crashes { try await store.messages.clear(over) }
    }

    private func publish(_ cause: AlertCause, _ alert: StandingAlert) async throws {
        log.warning("alert", ["app": .count(alert.app.rawValue), "topic": .text(cause.topic.rawValue), "cause": .text(cause.cause)])
        try await store.messages.raise(alert, Publication(cause))
    }

    private mutating func systemCauses(stood: Set<String>) -> [AlertCause] {
        let now = clock.now()
        var causes = problems().map { AlertCause($0.kind, "ingestd cannot accept data: \($0.text).") }
        if let count = rejected.note(store.events.gauges.rejected.value, stood: stood.contains(AlertKind.queue.cause()), at: now) {
            causes.append(
                AlertCause(.queue, "The write queue was full: \(count) requests were rejected with 429; clients must send them again."))
        }
        if let count = failedMessages.note(store.messages.gauges.failedCommits.value, stood: stood.contains(AlertKind.messages.cause()), at: now) {
            causes.append(
                AlertCause(.messages, "Messages and deliveries could not be stored: \(count) commits to messages.db failed."))
        }
        if let count = failedCrashes.note(store.crashes.gauges.failedCommits.value, stood: stood.contains(AlertKind.crashes.cause()), at: now) {
            causes.append(
                AlertCause(.crashes, "Crash reports could not be stored: \(count) commits to crashes.db failed."))
        }
        return causes
    }
}

/// A function whose worker crashed again and again.
package struct FailingWorker: Sendable {
    let app: AppID
    let function: String

    package init(app: AppID, function: String) { (self.app, self.function) = (app, function) }
}

extension AlertCause {
    fileprivate init(_ worker: FailingWorker) {
        self.init(
            .worker, of: worker.function, "The worker of the function \(worker.function) crashes again and again. Its log has the reason.",
            data: [("function", worker.function)])
    }
}

extension Publication {
    init(_ cause: AlertCause) {
        var data = JSONWriter()
        data.beginObject()
        data.field("cause", AlertKind(cause: cause.cause)?.rawValue ?? cause.cause)
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
