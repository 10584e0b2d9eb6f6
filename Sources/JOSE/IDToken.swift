// SPDX-License-Identifier: Apache-2.0

import JSON
package import Platform

/// The content of an id token, in the claims of OpenID and Firebase.
///
///     {"iss":"https://signals.example.org/v1/auth/shop","aud":"shop","sub":"kd93…","user_id":"kd93…","iat":1790000000,"exp":1790003600,
///      "auth_time":1790000000,"sb_app":1,"sid":"01…","gen":4,"email":"ana@example.org","email_verified":true,"admin":true,
///      "firebase":{"identities":{"email":["ana@example.org"]},"sign_in_provider":"password"}}
package struct IDToken: Sendable {
    package struct Identity: Sendable {
        /// Such as `google.com`; `email` for the address.
        package var provider: String
        package var subjects: [String]

        package init(provider: String, subjects: [String]) {
            (self.provider, self.subjects) = (provider, subjects)
        }
    }

    package static let lifetime = Timestamp.Span.hours(1)

    package var issuer: String
    package var audience: String
    package var subject: String
    /// The app's own ID. `aud` is a setting, which could be another app's some day.
    package var app: Int64
    /// The ingest key of the session, whose restrictions apply.
    package var key: Int64?
    package var session: String?
    package var generation: UInt32?
    package var issued: Timestamp
    package var expires: Timestamp
    package var authenticated: Timestamp
    package var email: String?
    package var isEmailVerified = false
    package var name: String?
    package var picture: String?
    package var phone: String?
    /// The way of the sign-in: `password`, `anonymous`, `custom` or a provider.
    package var method: String
    package var secondFactor: String?
    package var identities: [Identity] = []
    package var claims = CustomClaims.none

    package init(
        issuer: String, audience: String, subject: String, app: Int64, issued: Timestamp, authenticated: Timestamp, method: String,
        lifetime: Timestamp.Span = IDToken.lifetime
    ) {
        (self.issuer, self.audience, self.subject, self.app, self.method) = (issuer, audience, subject, app, method)
        (self.issued, self.authenticated, expires) = (issued, authenticated, issued + lifetime)
    }

    package func signed(by key: SigningKey) -> String { key.sign(json) }

    /// The claims as JSON. A custom claim with the name of a standard one is left out, so no name appears twice.
    package var json: [UInt8] {
        var names: Set<[UInt8]> = []
        var out = JSONWriter(reserving: 1_024)
        out.beginObject()
        writeStandard(to: &out, &names)
        for (name, value) in claims.members where names.insert(Array(name.utf8)).inserted {
            out.key(name)
            out.raw(value[...])
        }
        out.key("firebase")
        writeSignIn(to: &out)
        out.endObject()
        return out.bytes
    }

    private func writeStandard(to out: inout JSONWriter, _ names: inout Set<[UInt8]>) {
        func begin(_ name: String) {
            names.insert(Array(name.utf8))
            out.key(name)
        }
        func text(_ name: String, _ value: String?) {
            guard let value else { return }
            begin(name)
            out.string(value)
        }
        func number(_ name: String, _ value: (some BinaryInteger)?) {
            guard let value else { return }
            begin(name)
            out.integer(value)
        }
        text("name", name)
        text("picture", picture)
        text("iss", issuer)
        text("aud", audience)
        number("auth_time", authenticated.milliseconds.flooredQuotient(by: 1_000))
        text("user_id", subject)
        text("sub", subject)
        number("iat", issued.milliseconds.flooredQuotient(by: 1_000))
        number("exp", expires.milliseconds.flooredQuotient(by: 1_000))
        number("sb_app", app)
        number("sb_key", key)
        text("sid", session)
        number("gen", generation)
        text("email", email)
        if email != nil {
            begin("email_verified")
            out.bool(isEmailVerified)
        }
        text("phone_number", phone)
        text("provider_id", method == "anonymous" ? method : nil)
    }

    private func writeSignIn(to out: inout JSONWriter) {
        out.beginObject()
        out.key("identities")
        out.beginObject()
        for identity in identities { out.field(identity.provider, identity.subjects) }
        out.endObject()
        out.field("sign_in_provider", method)
        if let secondFactor { out.field("sign_in_second_factor", secondFactor) }
        out.endObject()
    }
}
