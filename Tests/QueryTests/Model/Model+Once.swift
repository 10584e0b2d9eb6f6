// SPDX-License-Identifier: Apache-2.0

import Platform

extension Model {
    /// Removes duplicate IDs and repeated purchase transactions, and returns the IDs of purchases that trusted ones replaced.
    static func once(_ events: [LoggedEvent]) -> (stored: [LoggedEvent], withdrawn: Set<String>) {
        var (ids, trusted): (Set<String>, Set<String>) = ([], [])
        var ofClients: [String: [Person?: String]] = [:]
        var withdrawn: Set<String> = []
        let stored = events.filter { event in
            if ids.contains(event.id) { return false }
            if let transaction = event.transaction, event.name != "refund" {
                let person = event.user.map(Person.user) ?? event.installation.map(Person.installation)
                if trusted.contains(transaction) || !event.isTrusted && ofClients[transaction]?[person] != nil { return false }
                if event.isTrusted {
                    trusted.insert(transaction)
                    withdrawn.formUnion(ofClients[transaction, default: [:]].values)
                } else {
                    ofClients[transaction, default: [:]][person] = event.id
                }
            }
            ids.insert(event.id)
            return true
        }
        return (stored, withdrawn)
    }

    func stored(from: Timestamp, to: Timestamp) -> [LoggedEvent] {
        stored.filter { from <= $0.time && $0.time < to }
    }
}
