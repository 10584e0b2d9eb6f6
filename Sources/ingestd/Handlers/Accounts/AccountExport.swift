// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import Crypto
import JSON
import Platform

/// The lines of an export of accounts, which an import reads.
enum AccountExport {
    /// An import takes lines of 64 KiB.
    private static let mostBytes = 48 << 10

    /// Names the key that sealed the password hashes: `{"export":{"project":"shop","key":"…"}}`.
    static func header(_ app: App, _ key: AccountsKey) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("export")
        json.beginObject()
        json.field("project", app.project)
        json.field("key", key.fingerprint)
        json.endObject()
        json.endObject()
        return json.bytes + [0x0a]
    }

    /// - Parameter parts: The parts for a daemon with the same key; nil for an export without secrets.
    static func line(_ account: Account, _ parts: AccountParts?) -> [UInt8] {
        var json = JSONWriter(reserving: 512)
        json.beginObject()
        json.field("id", account.uid)
        if let email = account.email { json.field("email", email) }
        json.field("email_verified", account.isEmailVerified)
        if let name = account.name { json.field("name", name) }
        if let photo = account.photoURL { json.field("photo_url", photo) }
        if let phone = account.phone { json.field("phone", phone) }
        json.field("anonymous", account.isAnonymous)
        json.field("disabled", account.isDisabled)
        if let claims = account.claims {
            json.key("claims")
            json.raw(Array(claims.utf8)[...])
        }
        json.field("created_at", account.created.rfc3339)
        if let time = account.lastSignIn { json.field("last_sign_in_at", time.rfc3339) }
        if !account.identities.isEmpty { write(account.identities, to: &json) }
        if let parts {
            if let hash = account.password { json.field("password_hash", hash) }
            write(parts.factors, to: &json)
            write(parts.recoveryCodes, to: &json)
            write(parts.sessions, to: &json)
        }
        json.endObject()
        return json.bytes + [0x0a]
    }

    private static func write(_ identities: [Account.Identity], to json: inout JSONWriter) {
        json.key("identities")
        json.beginArray()
        for identity in identities {
            json.beginObject()
            json.field("provider", identity.provider)
            json.field("subject", identity.subject)
            if let email = identity.email { json.field("email", email) }
            json.endObject()
        }
        json.endArray()
    }

    private static func write(_ factors: [ImportedParts.Factor], to json: inout JSONWriter) {
        guard !factors.isEmpty else { return }
        json.key("factors")
        json.beginArray()
        for factor in factors {
            json.beginObject()
            json.field("id", factor.id)
            json.field("kind", factor.kind)
            if let name = factor.name { json.field("name", name) }
            json.field("secret", Base64.encode(factor.secret))
            if let step = factor.lastStep { json.field("last_step", step) }
            json.field("created_at", factor.created.rfc3339)
            json.field("confirmed_at", factor.confirmed.rfc3339)
            json.endObject()
        }
        json.endArray()
    }

    private static func write(_ codes: [[UInt8]], to json: inout JSONWriter) {
        guard !codes.isEmpty else { return }
        json.key("recovery_codes")
        json.beginArray()
        for code in codes { json.string(Base64.encode(code)) }
        json.endArray()
    }

    /// Writes the newest sessions, as far as the line stays below the limit of an import.
    private static func write(_ sessions: [AccountSession], to json: inout JSONWriter) {
        guard !sessions.isEmpty else { return }
        json.key("sessions")
        json.beginArray()
        for session in sessions where json.bytes.count < mostBytes {
            json.beginObject()
            json.field("id", session.id.text)
            json.field("created_at", session.created.rfc3339)
            json.field("last_used_at", session.state.refreshed.rfc3339)
            json.field("number", Int64(session.state.counter))
            json.field("lost", session.state.lost.packed)
            json.field("method", session.method)
            if !session.client.isEmpty { json.field("client", session.client) }
            if !session.place.isEmpty { json.field("place", session.place) }
            if let factor = session.secondFactor { json.field("second_factor", factor.rawValue) }
            if let claims = session.claims {
                json.key("claims")
                json.raw(Array(claims.utf8)[...])
            }
            json.endObject()
        }
        json.endArray()
    }
}
