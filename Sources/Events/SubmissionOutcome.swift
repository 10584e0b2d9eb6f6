import Platform

extension EventSubmission {
    /// What the sender is told when these events turned out to be duplicates and all others are stored.
    package func outcome(duplicates: [Verdict]) -> EventOutcome {
        let repeated = Set(duplicates.map(\.index))
        let verdicts = corrections.filter { !repeated.contains($0.index) } + duplicates + quarantined.map(\.verdict)
        return EventOutcome(
            accepted: records.count - repeated.count, duplicates: repeated.count, quarantined: quarantined.count,
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
        return outcome(duplicates: duplicates)
    }

    private func duplicate(_ record: EventRecord, _ reason: Reason, _ field: String, _ message: String) -> Verdict {
        let id = record.idText.isEmpty ? String(decoding: record.uuid.text, as: UTF8.self) : text(record.idText)
        return Verdict(index: Int(record.index), id: id, result: .duplicate, reason: reason, field: field, message: message)
    }
}

extension Verdict {
    /// In the order of the request; what is told about one event stays in the order it was found.
    static func inOrder(_ verdicts: [Verdict]) -> [Verdict] {
        verdicts.enumerated().sorted { ($0.element.index, $0.offset) < ($1.element.index, $1.offset) }.map(\.element)
    }
}
