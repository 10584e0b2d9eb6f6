// SPDX-License-Identifier: Apache-2.0

extension EventSubmission {
    /// Returns the submission without events that name a blocked user or installation. Those become quarantined verdicts without any of
    /// their bytes. Quarantined events are stored with the request's envelope, so none are kept if the envelope names a blocked user.
    package func quarantining(_ blocked: Set<UInt64>) -> EventSubmission {
        if blocked.isEmpty { return self }
        func names(_ user: UInt64?, _ installation: UInt64?) -> Bool {
            [user, installation].contains { key in key.map(blocked.contains) ?? false }
        }
        let kept = records.filter { !names($0.userKey, $0.installationKey) }
        let newly = records.filter { names($0.userKey, $0.installationKey) }.map { record in
            QuarantinedEvent(verdict: .blocked(index: Int(record.index), id: id(of: record)), raw: .none, time: nil)
        }
        let isEnvelopeBlocked = names(envelope.user, envelope.installation)
        let apart = quarantined.map { event in
            guard isEnvelopeBlocked || names(event.user, event.installation) else { return event }
            return QuarantinedEvent(verdict: .blocked(index: event.verdict.index, id: event.verdict.id), raw: .none, time: nil)
        }
        let gone = Set(newly.map(\.verdict.index))
        let rest = EventSubmission(
            app: app, received: received, body: body, arena: arena, contexts: contexts(of: kept), records: kept, quarantined: newly + apart,
            corrections: corrections.filter { !gone.contains($0.index) }, envelope: isEnvelopeBlocked ? Envelope() : envelope, source: source)
        return isReplay ? rest.replayed : rest
    }

    /// Returns the contexts at their indices, with those that no record needs emptied.
    private func contexts(of records: [EventRecord]) -> [EventContext] {
        let needed = Set(records.map { Int($0.context) })
        return contexts.enumerated().map { needed.contains($0) ? $1 : .empty }
    }
}

extension Verdict {
    package static func blocked(index: Int, id: String?) -> Verdict {
        Verdict(index: index, id: id, result: .quarantined, reason: .blocked, field: "event", message: "This user is blocked.")
    }
}
