// SPDX-License-Identifier: Apache-2.0

import Events

extension EventSubmission {
    /// Returns the verdict of an event whose ID or transaction ID is already stored.
    func duplicate(_ record: EventRecord, _ reason: Reason) -> Verdict {
        let byTransaction = reason == .transactionDuplicate
        return Verdict(
            index: Int(record.index), id: id(of: record), result: .duplicate, reason: reason, field: byTransaction ? "params.transaction_id" : "id",
            message: byTransaction ? "A purchase with this transaction ID is already stored." : "An event with this ID is already stored.")
    }
}
