// SPDX-License-Identifier: Apache-2.0

import DocumentRequests
import DocumentStore
import HTTPServer
import JSON
import Listening
import Platform
import Rules
import SignalboxDocumentModel

extension RulePrincipal {
    init(_ user: ProvedUser) { self.init(uid: user.uid, token: RuleMap(claims: user.claims)) }
}

extension Caller {
    /// The user about whom rules decide; nil for keys to which no rules apply, and for the operator.
    var rulePrincipal: RulePrincipal? {
        switch self {
        case .user(let user): user.principal ?? RulePrincipal(user)
        case .key(let key, _): key.role == .ingest ? RulePrincipal(uid: nil) : nil
        case .operator: nil
        case .anyone: RulePrincipal(uid: nil)
        }
    }

    /// The owner of batches and streams: a user, or the key of clients without a token.
    var documentOwner: String {
        switch self {
        case .user(let user): "user \(user.app.id.rawValue) \(user.uid)"
        case .key(let key, _): "key \(key.id)"
        case .operator, .anyone: "server"
        }
    }
}

extension Caller {
    /// The client of a batch, apart from those of other users and keys.
    func batchClient(_ client: String) -> String {
        guard case .user(let user) = self else { return "\(documentOwner) \(client)" }
        return DocumentCommit.Batch.client(client, ofUser: user.uid, app: user.app.id)
    }
}

extension Call {
    /// The user about whom rules decide, as `Caller.rulePrincipal`. Clients without a token differ by their addresses.
    var rulePrincipal: RulePrincipal? { caller.rulePrincipal?.at(head.client.subscriber) }

    /// The same for reads, which are not made if the client leaves before their turn.
    var readingPrincipal: RulePrincipal? {
        rulePrincipal.map { principal in principal.watched { [request] in request.whenClientLeaves($0) } }
    }

    /// The user, or the address of a client without a token, whose writes and streams are counted; nil for servers.
    var countedClient: ExactName? {
        switch caller {
        case .user: ExactName(caller.documentOwner)
        case .key(let key, _) where key.role == .ingest: address
        case .anyone: address
        case .key, .operator: nil
        }
    }
}

extension Call {
    /// The client whose limited results are counted.
    var listenClient: ListenClient {
        guard let name = countedClient else { return .server }
        if case .user = caller { return .user(name, at: address) }
        return .anyone(name)
    }

    private var address: ExactName { ExactName("address \(head.client.subscriber)") }
}

extension RuleMap {
    private static let parser = JSONParser()

    /// The claims of a token. They were checked with its signature, so they are JSON with few levels.
    fileprivate init(claims: [UInt8]) {
        let value = try? RuleMap.parser.withReader { reader in
            let tape = try reader.parse(claims, limits: JSONLimits(bytes: 64 << 10, depth: 32))
            return RuleValue(claim: 0, of: tape)
        }
        if case .map(let map)? = value { self = map } else { self = .made([:]) }
    }
}
