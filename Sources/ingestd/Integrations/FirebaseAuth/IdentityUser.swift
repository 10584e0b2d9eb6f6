// SPDX-License-Identifier: Apache-2.0

import AccountStore
import HTTPServer
import JSON
import Platform

extension JSONWriter {
    /// The text in place of a password hash: `REDACTED` in base64.
    private static let redacted = "UkVEQUNURUQ="

    /// Writes an account in the fields of Firebase.
    ///
    /// - Parameter factors: The confirmed second factors.
    mutating func write(_ account: Account, lastRefresh: Timestamp? = nil, factors: [SecondFactor]) {
        beginObject()
        field("localId", account.uid)
        if let email = account.email { field("email", email) }
        field("emailVerified", account.isEmailVerified)
        if let name = account.name { field("displayName", name) }
        if let photo = account.photoURL { field("photoUrl", photo) }
        if let phone = account.phone { field("phoneNumber", phone) }
        if account.password != nil {
            field("passwordHash", JSONWriter.redacted)
            field("salt", JSONWriter.redacted)
        }
        field("disabled", account.isDisabled)
        // Milliseconds as texts, but whole seconds as text for `validSince`.
        field("createdAt", String(account.created.milliseconds))
        if let time = account.lastSignIn { field("lastLoginAt", String(time.milliseconds)) }
        if let time = lastRefresh { field("lastRefreshAt", time.rfc3339) }
        field("validSince", String(account.validSince.milliseconds.flooredQuotient(by: 1_000)))
        if let claims = account.claims { field("customAttributes", claims) }
        writeProviders(of: account)
        if !factors.isEmpty { write(factors) }
        endObject()
    }

    /// Writes second factors, all of which are authenticator apps.
    mutating func write(_ factors: [SecondFactor]) {
        key("mfaInfo")
        beginArray()
        for factor in factors {
            beginObject()
            field("mfaEnrollmentId", factor.id)
            if let name = factor.name { field("displayName", name) }
            field("enrolledAt", (factor.confirmed ?? factor.created).rfc3339)
            key("totpInfo")
            beginObject()
            endObject()
            endObject()
        }
        endArray()
    }

    /// Writes the ways in which the user can sign in.
    mutating func writeProviders(of account: Account) {
        key("providerUserInfo")
        beginArray()
        if let email = account.email, account.hasPasswordProvider {
            beginObject()
            field("providerId", "password")
            field("federatedId", email)
            field("rawId", email)
            field("email", email)
            writeProfile(of: account)
            endObject()
        }
        for identity in account.identities {
            beginObject()
            field("providerId", identity.provider)
            field("federatedId", identity.federatedID)
            field("rawId", identity.subject)
            if let email = identity.email { field("email", email) }
            writeProfile(of: account)
            endObject()
        }
        if let phone = account.phone {
            beginObject()
            field("providerId", "phone")
            field("rawId", phone)
            field("phoneNumber", phone)
            endObject()
        }
        endArray()
    }

    mutating func writeProfile(of account: Account) {
        if let name = account.name { field("displayName", name) }
        if let photo = account.photoURL { field("photoUrl", photo) }
    }

    /// Writes the tokens of a session as the responses to clients have them.
    mutating func write(_ tokens: IssuedTokens) {
        field("idToken", tokens.idToken)
        field("refreshToken", tokens.refreshToken)
        field("expiresIn", IssuedTokens.seconds)
    }
}

extension Account.Identity {
    /// The user of a provider as a URL, where Firebase has one: `https://accounts.google.com/1234`.
    var federatedID: String { provider == "google.com" ? "https://accounts.google.com/\(subject)" : subject }
}

extension IssuedTokens {
    /// The life of an ID token; clients expect a text.
    static let seconds = String(AccountBounds.tokenLife.milliseconds / 1_000)
}

extension HandlerResponse {
    /// A response with the kind that Google's libraries look for: `identitytoolkit#LookupResponse`.
    static func identity(_ kind: String, _ write: (inout JSONWriter) -> Void = { _ in }) -> HandlerResponse {
        HandlerResponse.response(
            .json { json in
                json.beginObject()
                json.field("kind", "identitytoolkit#\(kind)")
                write(&json)
                json.endObject()
            }
        ).withoutCaching
    }
}

extension Account {
    /// Whether Firebase's SDKs are shown the provider `password`. Firebase names it for users of mail links, too; without it the JavaScript
    /// SDK would take an upgraded user for an anonymous one.
    fileprivate var hasPasswordProvider: Bool { password != nil || isEmailVerified && !isAnonymous && identities.isEmpty }
}
