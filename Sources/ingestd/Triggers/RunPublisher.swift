// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Crypto
import Delivery
import FunctionStore
import Functions
import JSON
import MessageStore
import Messaging
import Platform

/// Publishes the runs of functions whose target is a topic, one message each.
///
///     run_1 of the function changes, whose topic is orders   →   a message on orders with the data
///                                                                {"type": "document.updated", "id": "run_1", "function": "changes", …}
///
/// The run's ID is the idempotency key of its message, so a run that is claimed again after a kill has one message.
struct RunPublisher: Sendable {
    private static let runsAtOnce = 100
    private static let pauseAfterFailure = Duration.seconds(1)

    private let store: Stores
    private let disk: DiskGuard
    private let clock: WallClock
    private let troubles: TroubleLog

    init(_ store: Stores, _ disk: DiskGuard, _ log: Log, _ clock: WallClock) {
        (self.store, self.disk, self.clock) = (store, disk, clock)
        troubles = TroubleLog(log, clock: clock)
    }

    /// Runs until the task is cancelled.
    func run() async {
        let alarm = Alarm()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in store.functions.publicationChanges { alarm.ring() } }
            group.addTask { for await _ in alarm.rings { await publishDue(alarm) } }
            await group.next()
            group.cancelAll()
        }
    }

    private func publishDue(_ alarm: Alarm) async {
        do {
            while !Task.isCancelled {
                let (claimed, next) = try await store.functions.claimPublications(atMost: Self.runsAtOnce)
                guard !claimed.isEmpty else {
                    return alarm.ring(after: next.map { .milliseconds(max(0, ($0 - clock.now()).milliseconds)) })
                }
                try await store.functions.settle(await outcomes(of: claimed))
            }
        } catch {
            troubles.note("could not publish runs of functions", error)
            alarm.ring(after: Self.pauseAfterFailure)
        }
    }

    /// Publishes runs together, so that they share commits.
    func outcomes(of claimed: [ClaimedPublication]) async -> [DeliveryOutcome] {
        await withTaskGroup { group in
            for one in claimed { group.addTask { await outcome(of: one) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func outcome(of claimed: ClaimedPublication) async -> DeliveryOutcome {
        let began = ContinuousClock.now
        func record(_ error: String, _ response: String) -> AttemptRecord {
            let milliseconds = Int((ContinuousClock.now - began) / .milliseconds(1))
            return AttemptRecord(at: clock.now(), milliseconds: milliseconds, status: 0, error: error, response: Array(response.utf8))
        }
        do {
            try disk.requireFree()
            let key = IdempotencyKey(key: claimed.run.id, hash: SHA256.hash(claimed.run.body))
            let published = try await store.messages.publish(app: claimed.app, claimed.run.publication(on: try TopicName(claimed.topic)), key)
            return DeliveryOutcome(claimed.delivery, .delivered, record("", published.id))
        } catch let refusal as Refusal where refusal.isFinal {
            return DeliveryOutcome(claimed.delivery, .dead, record("refused", refusal.detail))
        } catch {
            troubles.note("could not publish a run of a function", error)
            return DeliveryOutcome(claimed.delivery, .returned(due: clock.now() + .seconds(1)), nil)
        }
    }
}

extension Refusal {
    /// Whether the same message would be refused again.
    fileprivate var isFinal: Bool { code.status != 429 && code.status < 500 }
}

extension StoredRun {
    /// The message of a run: its data as a text, as all data of messages, or `truncated` if that exceeds the size of messages.
    fileprivate func publication(on topic: TopicName) -> Publication {
        let whole = data([("data", String(decoding: body, as: UTF8.self))])
        let fits = whole.count <= MessageLimits.payloadBytes
        var publication = Publication(MessageDraft(to: .topic(topic)), data: fits ? whole : data([("truncated", "true")]))
        publication.about = user
        return publication
    }

    private func data(_ more: [(name: String, value: String)]) -> [UInt8] {
        var json = JSONWriter(reserving: 256 + body.count)
        json.beginObject()
        json.field("type", type)
        json.field("id", id)
        json.field("function", functionName)
        if let subject { json.field("subject", subject) }
        for field in more { json.field(field.name, field.value) }
        json.endObject()
        return json.bytes
    }
}
