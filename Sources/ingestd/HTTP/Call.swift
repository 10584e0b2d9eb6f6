// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import EventStore
import HTTPServer
import Platform
import AcrossStores

/// A request whose route was found and whose sender was recognised.
struct Call: Sendable {
    let request: HTTPRequest
    let caller: Caller
    let parameters: [String: String]

    var head: HTTPRequestHead { request.head }

    func query() throws(Refusal) -> QueryString {
        try QueryString(head.query)
    }

    /// Charges what was made of the body to the memory of requests; refuses the request where there is none left.
    func charge(_ bytes: Int) throws(Refusal) {
        do throws(HTTPFault) {
            try request.memory?.grow(by: bytes)
        } catch {
            throw Refusal(error)
        }
    }

    func parameter(_ name: String) -> String {
        parameters[name] ?? ""
    }
}

/// Who asks.
enum Caller: Sendable {
    case anyone
    case key(APIKey, App)
    case `operator`

    /// Whose memory and time a body takes: the number of the key; 0 for whoever has none.
    var account: Int64 {
        switch self {
        case .key(let key, _): key.id
        case .operator: RequestMemory.operatorAccount
        case .anyone: 0
        }
    }

    /// The app of the key; nil for who has none.
    var app: AppID? {
        if case .key(_, let app) = self { app.id } else { nil }
    }

    var role: Role? {
        switch self {
        case .anyone: nil
        case .key(let key, _): key.role
        case .operator: .operator
        }
    }
}

extension Call {
    /// The app the call is about: the key's own, or for the operator the one named by `?app=`.
    func app(in store: Stores) throws(Refusal) -> App {
        switch caller {
        case .key(_, let app): return app
        case .operator:
            guard let name = try query().one("app") else { throw .field("app", "missing", "must name an app by id or name") }
            return try store.events.app(named: name)
        case .anyone: throw Refusal(.unauthorized, "A key is needed.")
        }
    }

    /// The same where nothing else may stand behind the question mark.
    func onlyApp(in store: Stores) throws(Refusal) -> App {
        try query().allow("app")
        return try app(in: store)
    }
}

extension EventStore {
    func app(named text: String) throws(Refusal) -> App {
        guard let app = directory.now.app(named: text) else {
            throw Refusal(.notFound, "There is no such app.", hint: "`ingestd app list` shows the apps there are.")
        }
        return app
    }
}
