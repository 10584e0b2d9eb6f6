// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport

/// A client that registers devices, subscribes them to a topic of its own, publishes to it and remembers the responses.
struct MessageKillClient: FaultClient {
    private enum Work {
        case register(String)
        case join(String)
        case publish(String)
    }

    private let number: Int
    private let keys: AppKeys
    private var random: SeededGenerator
    private var unanswered: Work?
    private var devices = 0
    private var publications = 0
    // The acknowledged requests.
    private var tokens: [String] = []
    private var members: Set<String> = []
    private var audiences: [String: Int] = [:]
    private var problems: [String] = []

    var isUnanswered: Bool { unanswered != nil }
    /// Message requests have no IDs of the client.
    var sent: Set<String> { [] }
    private var topic: String { "news-\(number)" }

    init(number: Int, keys: AppKeys, seed: UInt64) {
        self.number = number
        self.keys = keys
        random = SeededGenerator(seed)
    }

    func problems(in folder: StoredFolder) -> [String] {
        let stored = folder.messages
        var problems = problems + StoredFolder.lost(Set(tokens), from: stored.tokens, "registrations")
        problems += StoredFolder.lost(Set(members.map { "\(topic) \($0)" }), from: stored.subscriptions, "subscriptions")
        problems += StoredFolder.lost(Set(audiences.keys), from: Set(stored.messages.keys), "acknowledged messages")
        for (id, audience) in audiences where stored.messages[id].map({ $0.audience != audience }) ?? false {
            problems.append("message \(id) is stored with another audience than \(audience)")
        }
        return problems
    }

    mutating func request() -> [UInt8] {
        let work = unanswered ?? makeWork()
        unanswered = work
        return bytes(of: work)
    }

    mutating func note(_ reply: Reply) {
        guard let work = unanswered else { return }
        unanswered = nil
        guard (200...204).contains(reply.status) else {
            problems.append("\(work) got \(reply.status): \(reply.text.prefix(200))")
            return
        }
        switch work {
        case .register: tokens.append((try? JSON(reply)["token"].text) ?? "")
        case .join(let token): members.insert(token)
        case .publish:
            guard let answer = try? JSON(reply) else { return }
            audiences[answer["id"].text] = answer["audience"].number
            if answer["audience"].number != members.count { problems.append("an audience is \(answer["audience"].number), not \(members.count)") }
        }
    }

    // MARK: Requests

    private mutating func makeWork() -> Work {
        let strangers = tokens.filter { !members.contains($0) }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            devices += 1
            return .register("device-\(number)-\(devices)")
        case 1 where !strangers.isEmpty:
            return .join(strangers[0])
        default:
            publications += 1
            return .publish("publication \(number) \(publications)")
        }
    }

    private func bytes(of work: Work) -> [UInt8] {
        switch work {
        case .register(let installation):
            // A repeated installation and endpoint keep their token.
            post("/v1/devices", #"{"platform": "linux", "installation_id": "\#(installation)", "endpoint": {"type": "stream"}}"#)
        case .join(let token):
            TestClient.bytes("PUT", "/v1/topics/\(topic)/subscribers/\(token)", key: keys.send, body: [])
        case .publish(let key):
            post("/v1/messages", #"{"topic": "\#(topic)", "data": {"key": "\#(key)"}}"#, ["Idempotency-Key": key])
        }
    }

    private func post(_ target: String, _ body: String, _ headers: [String: String] = [:]) -> [UInt8] {
        let headers = headers.merging(["Content-Type": "application/json"]) { $1 }
        return TestClient.bytes("POST", target, key: keys.send, headers: headers, body: Array(body.utf8))
    }
}
