// SPDX-License-Identifier: Apache-2.0

import Platform

extension EventSubmission {
    /// Returns the result for the sender when some records turned out to be duplicates or were quarantined by the store.
    package func outcome(except rejected: [Verdict]) -> EventOutcome {
        if rejected.isEmpty && quarantined.isEmpty && corrections.isEmpty {
            return EventOutcome(accepted: records.count, duplicates: 0, quarantined: 0, verdicts: [])
        }
        let gone = Set(rejected.map(\.index))
        let duplicates = rejected.count { $0.result == .duplicate }
        let verdicts = corrections.filter { !gone.contains($0.index) } + rejected + quarantined.map(\.verdict)
        return EventOutcome(
            accepted: records.count - gone.count, duplicates: duplicates, quarantined: quarantined.count + gone.count - duplicates,
            verdicts: Verdict.inOrder(verdicts))
    }

    /// Returns the result as if the store were empty. Repetitions within the request are still found.
    package func outcomeWithoutStoring() -> EventOutcome {
        var (ids, transactions): (Set<UInt64>, Set<UInt64>) = ([], [])
        var duplicates: [Verdict] = []
        for record in records {
            if !ids.insert(record.idKey).inserted {
                duplicates.append(duplicate(record, .eventDuplicate, "id", "An earlier event in this request has the same ID."))
            } else if let keys = record.transactionKeys, !keys.insert(into: &transactions, isTrusted: record.isTrusted) {
                let message = "An earlier purchase in this request has the same transaction ID."
                duplicates.append(duplicate(record, .transactionDuplicate, "params.transaction_id", message))
            }
        }
        return outcome(except: duplicates)
    }

    private func duplicate(_ record: EventRecord, _ reason: Reason, _ field: String, _ message: String) -> Verdict {
        Verdict(index: Int(record.index), id: id(of: record), result: .duplicate, reason: reason, field: field, message: message)
    }

    /// Returns a record's ID as text.
    package func id(of record: EventRecord) -> String {
        record.idText.isEmpty ? String(decoding: record.uuid.text, as: UTF8.self) : text(record.idText)
    }
}

extension TransactionKeys {
    /// Returns false if a purchase of the transaction is a duplicate among those whose keys were inserted.
    package func insert(into known: inout Set<UInt64>, isTrusted: Bool) -> Bool {
        !known.contains(trusted) && known.insert(isTrusted ? trusted : ofPerson).inserted
    }
}

extension Verdict {
    /// Sorts verdicts in the order of the request. Verdicts about one event keep their order.
    static func inOrder(_ verdicts: [Verdict]) -> [Verdict] {
        verdicts.enumerated().sorted { ($0.element.index, $0.offset) < ($1.element.index, $1.offset) }.map(\.element)
    }
}
