// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Crypto
import JSON
import Platform
import AcrossStores

/// What may be wrong with what a service account has signed.
enum AssertionFault: String, Error {
    case malformed = "The assertion is not a signed JSON Web Token."
    case algorithm = "The assertion must be signed with RS256."
    /// Said alike of accounts that are not there and of signatures that do not fit, so that neither can be found by trying.
    case signature = "No service account here has made this signature."
    case audience = "The assertion is not for this token endpoint."
    case time = "The assertion must be issued now and live an hour at most; check the clock."
}

/// A JSON Web Token that a service account signed with its private key.
enum SignedAssertion {
    private static let mostSeconds: Int64 = 3_600
    private static let skew: Int64 = 300
    /// Google's libraries write it whatever address the account's file names. The key pair is ours alone, so nothing that was signed for Google fits.
    private static let googleAudience = "https://oauth2.googleapis.com/token"

    static func account(of text: String, in directory: Directory, now: Timestamp) throws(AssertionFault) -> ServiceAccount {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = json(parts[0]), let claims = json(parts[1]), let signature = Base64URL.decode(parts[2]) else {
            throw .malformed
        }
        // The algorithm is ours to choose: a token that names another, or none, is not looked at.
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

    private static func checkTimes(_ claims: JSONValue, now: Int64) throws(AssertionFault) {
        guard let issued = claims["iat"]?.integer, let expires = claims["exp"]?.integer, (0...1 << 40).contains(issued),
            (issued...issued + mostSeconds).contains(expires), issued <= now + skew, now < expires + skew
        else { throw .time }
    }

    private static func json(_ part: Substring) -> JSONValue? {
        Base64URL.decode(part).flatMap { try? JSONValue($0) }
    }
}
