// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// Claims that an app's server gives to an account, such as `{"admin":true}`. They stand at the top of its id tokens.
package struct CustomClaims: Sendable, Equatable {
    package enum Problem: Error, Equatable, Sendable {
        case notAnObject
        case tooLarge
        /// A name that tokens use themselves.
        case reserved(String)
    }

    package static let mostBytes = 1_000
    package static let none = CustomClaims()

    /// Names of JSON Web Tokens, OpenID and Firebase, and those of our own.
    static let reserved = [
        "acr", "amr", "at_hash", "aud", "auth_time", "azp", "cnf", "c_hash", "exp", "firebase", "iat", "iss", "jti", "nbf", "nonce", "sub",
        "gen", "sb_app", "sb_key", "sid", "user_id",
    ]

    /// A JSON object.
    package let json: [UInt8]
    /// Each name with its value as JSON.
    private(set) var members: [(name: String, value: [UInt8])]

    private init() {
        (json, members) = (Array("{}".utf8), [])
    }

    package init(json: [UInt8]) throws(Problem) {
        guard json.count <= CustomClaims.mostBytes else { throw .tooLarge }
        guard let object = StrictObject(json) else { throw .notAnObject }
        for name in object.names where CustomClaims.reserved.contains(where: { $0.hasSameBytes(as: name) }) { throw .reserved(name) }
        let fields = (try? JSONValue(json))?.fields ?? []
        members = fields.map { ($0.name, Array($0.value.json)) }
        self.json = json
    }

    /// Returns these claims and those of others that have further names.
    package func merged(over others: CustomClaims) -> CustomClaims {
        var all = self
        for member in others.members where !members.contains(where: { $0.name.hasSameBytes(as: member.name) }) { all.members.append(member) }
        return all
    }

    package static func == (a: CustomClaims, b: CustomClaims) -> Bool { a.json == b.json }
}
