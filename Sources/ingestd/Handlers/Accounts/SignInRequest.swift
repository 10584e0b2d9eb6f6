// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import AcrossStores
import EventStore
import HTTPServer
import Platform

/// The parts of a sign-in that all methods share.
struct SignInRequest: Sendable {
    let body: Body
    let app: App
    let installation: String?
    let session: SessionDraft
    /// Whether a new user of an identity provider gets an account.
    var mayCreate = true
    private let place: String

    init(_ call: Call, in store: Stores, _ fields: [String]) throws(Refusal) {
        try call.query().allow("app")
        let body = try Body(call.json())
        try body.allow(fields + ["installation_id"])
        try self.init(body, try call.app(in: store), call, in: store)
    }

    /// A request in the fields of the native API, as an integration translates it.
    init(_ body: Body, _ app: App, _ call: Call, in store: Stores) throws(Refusal) {
        (self.body, self.app) = (body, app)
        installation = try body.optionalText("installation_id")
        if let installation, !(1...256).contains(installation.utf8.count) {
            throw Refusal.field("installation_id", "bad_length", "must have 1 to 256 bytes")
        }
        let hash = store.events.hash
        let device = installation.map { hash(.installation, app: app.id, Array($0.utf8).span) }
        session = SessionDraft(key: call.caller.ingestKey ?? 0, client: call.clientText, device: device)
        place = call.head.client.place
    }

    func origin(_ method: SignInMethod) -> AccountOrigin { AccountOrigin(method: method.rawValue, place: place) }
}
