// SPDX-License-Identifier: Apache-2.0

/// A data folder without a running daemon, recounted.
struct StoredFolder {
    let events: Recount
    let crashes: StoredCrashes
    let messages: StoredMessages
    let documents: StoredDocuments

    init(of folder: String) throws {
        events = try Recount(of: folder)
        crashes = try StoredCrashes(of: folder)
        messages = try StoredMessages(of: folder)
        documents = try StoredDocuments(of: folder)
    }

    /// Whether no background work is left.
    var isSettled: Bool { messages.spreading == 0 && crashes.symbolicating == 0 }

    var summary: String {
        "\(events.ids.count) events, \(crashes.crashes.count) crashes, \(messages.messages.count) messages, \(documents.numbers.count) documents"
    }

    /// The inconsistencies within the folder.
    var contradictions: [String] { events.problems + crashes.problems + messages.problems + documents.problems }

    /// The inconsistencies within the folder and with the clients' responses. `sent` is everything sent, if other clients sent as well.
    func problems(_ clients: [any FaultClient], sent: Set<String> = []) -> [String] {
        let sent = clients.reduce(into: sent) { $0.formUnion($1.sent) }
        var problems = contradictions
        for client in clients { problems += client.problems(in: self) }
        let strangers = Set(events.ids.keys).union(crashes.crashes.keys).subtracting(sent)
        if !strangers.isEmpty { problems.append("\(strangers.count) were never sent, such as \(strangers.first ?? "")") }
        return problems
    }

    /// The acknowledged items that are not stored.
    static func lost(_ told: Set<String>, from stored: Set<String>, _ what: String) -> [String] {
        let lost = told.subtracting(stored)
        return lost.isEmpty ? [] : ["\(lost.count) \(what) are lost, such as \(lost.first ?? "")"]
    }
}
