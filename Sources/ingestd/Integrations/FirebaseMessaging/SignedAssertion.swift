// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Crypto
import JSON
import Platform
import AcrossStores

/// An error of a service account's assertion.
enum AssertionError: String, Error {
    case malformed = "The assertion is not a signed JSON Web Token."
    case algorithm = "The assertion must be signed with RS256."
    /// The same text for an unknown account and a wrong signature, so that neither can be found by trial.
    case signature = "The signature matches no known service account."
    case audience = "The assertion is not for this token endpoint."
    case time = "The assertion must be issued now and expire within an hour; check the clock."
}

/// A JSON Web Token signed with the private key of a service account.
enum SignedAssertion {
    private static let mostSeconds: Int64 = 3_600
    private static let skew: Int64 = 300
    /// Google's libraries always write this audience, whatever token URL the account file has. The key pair is ours alone, so no token for
    /// Google is valid here.
    private static let googleAudience = "https://oauth2.googleapis.com/token"

    static func account(of text: String, in directory: Directory, now: Timestamp) throws(AssertionError) -> ServiceAccount {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = json(parts[0]), let claims = json(parts[1]), let signature = Base64URL.decode(parts[2]) else {
            throw .malformed
        }
        // Only this algorithm is accepted, so a token cannot select a weaker one.
        guard header["alg"]?.string == "RS256", header["crit"] == nil else { throw .algorithm }
        let signed = Array("\(parts[0]).\(parts[1])".utf8)
        guard let issuer = claims["iss"]?.string, let account = directory.account(email: issuer),
            header["kid"].map({ $0.string == account.privateKeyID }) ?? true,
            RSA.isValid(signature, of: signed, publicKey: account.publicKey)
        else { throw .signature }
        guard let audience = claims["aud"]?.string, [account.audience, googleAudience].contains(audience) else { throw .audience }
        try checkTimes(claims, now: now.milliseconds / 1_000)
        return account
    }

    private static func checkTimes(_ claims: JSONValue, now: Int64) throws(AssertionError) {
        guard let issued = claims["iat"]?.integer, let expires = claims["exp"]?.integer, (0...1 << 40).contains(issued),
            (issued...issued + mostSeconds).contains(expires), issued <= now + skew, now < expires + skew
        else { throw .time }
    }

    private static func json(_ part: Substring) -> JSONValue? {
        Base64URL.decode(part).flatMap { try? JSONValue($0) }
    }
}
