// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import AcrossStores
import EventStore
import Events
import Ingest
import JSON
import Platform

/// Traces of a sign-in among the events: the alias of the installation, and `sign_up` or `login` if the app's setting `auth_events` wants them.
struct SignInTraces: Sendable {
    let links: InstallationLinks
    let events: NativeEvents
    let quotas: AppQuotas

    /// A failure is logged, as the sign-in is durable already.
    func add(_ made: SignedIn, _ installation: String?, _ app: App) async {
        await links.link(installation, to: made.account.uid, app)
        guard app.settings.authEvents else { return }
        do {
            let (json, now) = (SignInTraces.event(made, installation), links.clock.now())
            try quotas.take(1, bytes: json.count, app, at: now)
            let submission = try events.decode(json, format: .json, app: app, received: now, hash: links.store.events.hash)
            _ = try await links.store.events.submit(submission)
        } catch {
            links.log.warning("could not store the event of a sign-in", ["app": .count(app.id.rawValue), "reason": .text("\(error)")])
        }
    }

    /// The event in Google's terms. The session's ID makes it count once.
    private static func event(_ made: SignedIn, _ installation: String?) -> [UInt8] {
        let name = made.isNew ? "sign_up" : "login"
        var json = JSONWriter()
        json.beginArray()
        json.beginObject()
        json.field("id", "\(name)-\(made.session.id.text)")
        json.field("name", name)
        json.field("user_id", made.account.uid)
        if let installation { json.field("installation_id", installation) }
        json.key("params")
        json.beginObject()
        json.field("method", made.session.method)
        json.endObject()
        json.endObject()
        json.endArray()
        return json.bytes
    }
}
