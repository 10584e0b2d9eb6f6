// SPDX-License-Identifier: Apache-2.0

import Platform

extension EventSubmission {
    /// What the sender is told when some of the records turned out to be duplicates, or were quarantined after all, and the
    /// others are stored.
    package func outcome(refused: [Verdict]) -> EventOutcome {
        if refused.isEmpty && quarantined.isEmpty && corrections.isEmpty {
            return EventOutcome(accepted: records.count, duplicates: 0, quarantined: 0, verdicts: [])
        }
        let gone = Set(refused.map(\.index))
        let duplicates = refused.count { $0.result == .duplicate }
        let verdicts = corrections.filter { !gone.contains($0.index) } + refused + quarantined.map(\.verdict)
        return EventOutcome(
            accepted: records.count - gone.count, duplicates: duplicates, quarantined: quarantined.count + gone.count - duplicates,
            verdicts: Verdict.inOrder(verdicts))
    }

    /// What the sender would be told if these were the first events ever; repetitions within the request are found.
    package func outcomeWithoutStoring() -> EventOutcome {
        var (ids, transactions): (Set<UInt64>, Set<UInt64>) = ([], [])
        var duplicates: [Verdict] = []
        for record in records {
            if !ids.insert(record.idKey).inserted {
                duplicates.append(duplicate(record, .eventDuplicate, "id", "The same event id came earlier in this request."))
            } else if record.kind.countsTransactionOnce, record.subjectKey != 0, !transactions.insert(record.subjectKey).inserted {
                let message = "A purchase with the same transaction id came earlier in this request."
                duplicates.append(duplicate(record, .transactionDuplicate, "params.transaction_id", message))
            }
        }
        return outcome(refused: duplicates)
    }

    private func duplicate(_ record: EventRecord, _ reason: Reason, _ field: String, _ message: String) -> Verdict {
        Verdict(index: Int(record.index), id: id(of: record), result: .duplicate, reason: reason, field: field, message: message)
    }

    /// A record's id as it is shown.
    package func id(of record: EventRecord) -> String {
        record.idText.isEmpty ? String(decoding: record.uuid.text, as: UTF8.self) : text(record.idText)
    }
}

extension Verdict {
    /// In the order of the request; what is told about one event stays in the order it was found.
    static func inOrder(_ verdicts: [Verdict]) -> [Verdict] {
        verdicts.enumerated().sorted { ($0.element.index, $0.offset) < ($1.element.index, $1.offset) }.map(\.element)
    }
}
