// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport

/// A client that declares an index, then makes commits to a collection of its own, each as a batch that counts once.
struct DocumentKillClient: FaultClient {
    private enum Work {
        case declare
        case commit([DocumentHistory.Write])
    }

    private let number: Int
    private let keys: AppKeys
    private var random: SeededGenerator
    private var unanswered: Work?
    private var isDeclared = false
    private var batch = 0
    /// The documents after the acknowledged commits.
    private var documents = DocumentHistory.State()
    private var problems: [String] = []

    var isUnanswered: Bool { unanswered != nil }
    /// Documents are compared as a whole.
    var sent: Set<String> { [] }
    private var collection: String { "k\(number)" }

    init(number: Int, keys: AppKeys, seed: UInt64) {
        self.number = number
        self.keys = keys
        random = SeededGenerator(seed)
    }

    /// The documents are those of the acknowledged commits, with or without the next one, which a cut in the past may have under way.
    func problems(in folder: StoredFolder) -> [String] {
        let own = "\(keys.app)/\(collection)/"
        var stored: [String: Int] = [:]
        for (path, n) in folder.documents.numbers where path.hasPrefix(own) { stored[String(path.dropFirst("\(keys.app)/".count))] = n }
        var (later, next) = (documents, self)
        _ = next.request()
        if case .commit(let writes) = next.unanswered { for write in writes { write.apply(to: &later, at: 0, before: documents) } }
        if [documents, later].contains(where: { $0.mapValues(\.n) == stored }) { return problems }
        return problems + ["\(own) has \(stored), not \(documents.mapValues(\.n)) or \(later.mapValues(\.n))"]
    }

    mutating func request() -> [UInt8] {
        if unanswered == nil { unanswered = isDeclared ? makeCommit() : .declare }
        switch unanswered {
        case .commit(let writes):
            let list = writes.map(\.json).joined(separator: ",")
            return bytes("POST", "commit", #"{"writes": [\#(list)], "client": "c\#(number)", "batch": \#(batch)}"#)
        case .declare, nil:
            let index = #"{"order": "ASCENDING", "queryScope": "COLLECTION"}"#
            return bytes(
                "PUT", "indexes",
                #"{"indexes": [], "fieldOverrides": [{"collectionGroup": "\#(collection)", "fieldPath": "n", "indexes": [\#(index)]}]}"#)
        }
    }

    mutating func note(_ reply: Reply) {
        if reply.status != 200 { problems.append("a request got \(reply.status): \(reply.text.prefix(200))") }
        let before = documents
        if case .commit(let writes) = unanswered { for write in writes { write.apply(to: &documents, at: 0, before: before) } }
        (unanswered, isDeclared) = (nil, true)
    }

    private mutating func makeCommit() -> Work {
        batch += 1
        return .commit(
            (0...Int.random(in: 0...4, using: &random)).map { _ in
                let path = "\(collection)/d\(Int.random(in: 0..<9, using: &random))"
                switch Int.random(in: 0..<4, using: &random) {
                case 0: return .delete(path)
                case 1: return .set(path, Int.random(in: 0...9, using: &random))
                default: return .add(path, 1)
                }
            })
    }

    private func bytes(_ method: String, _ verb: String, _ body: String) -> [UInt8] {
        TestClient.bytes(method, "/v1/documents:\(verb)", key: keys.admin, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }
}
