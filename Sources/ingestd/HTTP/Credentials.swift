// SPDX-License-Identifier: Apache-2.0

import Crypto
import HTTPServer
import Platform

/// Reads the key of a request.
enum Credentials {
    static let hint = "Send it as `Authorization: Bearer KEY`."
    /// The query parameter for beacons and event sources of pages, which cannot set header fields.
    static let parameter = "key"

    /// Whether a request has a key or a token, be it valid or not.
    static func isNamed(in head: HTTPRequestHead) -> Bool { head.header("Authorization") != nil || keyInQuery(of: head) != nil }

    /// Whether a request has a key or a token in one of the places of the native API, whose form is right.
    static func isReadable(in head: HTTPRequestHead) -> Bool { key(in: head) != nil || idToken(in: head) != nil || keyInQuery(of: head) != nil }

    static func keyInQuery(of head: HTTPRequestHead) -> String? {
        head.query == nil ? nil : head.queryValue(parameter).flatMap(plausible)
    }

    /// Returns a bearer in the form of an ID token, which has dots and no key has. Longer texts are not looked at.
    static func idToken(in head: HTTPRequestHead) -> String? { idToken(in: head, scheme: "bearer ") }

    /// Returns the ID token of Firebase's clients of files, `Firebase ID_TOKEN`.
    static func firebaseToken(in head: HTTPRequestHead) -> String? { idToken(in: head, scheme: "firebase ") }

    private static func idToken(in head: HTTPRequestHead, scheme: String) -> String? {
        let length = scheme.utf8.count
        guard let value = head.header("Authorization"), value.utf8.count <= 16 << 10, value.utf8.count > length,
            value.utf8.prefix(length).map(\.lowercased).elementsEqual(scheme.utf8)
        else { return nil }
        let text = String(decoding: value.utf8.dropFirst(length), as: UTF8.self)
        return text.utf8.contains(UInt8(ascii: ".")) ? text : nil
    }

    static func key(in head: HTTPRequestHead) -> String? {
        guard let value = head.header("Authorization") else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        switch parts[0].lowercased() {
        case "bearer": return plausible(parts[1])
        case "basic":
            return Base64.decodeLeniently(parts[1]).flatMap { String(validating: $0, as: UTF8.self) }.flatMap { plausible($0.prefix { $0 != ":" }) }
        default: return nil
        }
    }

    /// Returns the texts that the `Authorization` field may present, of any form: a bearer, or the user name of HTTP Basic, which may contain
    /// colons if there is no password.
    static func texts(in head: HTTPRequestHead) -> [[UInt8]] {
        guard let value = head.header("Authorization"), let space = value.utf8.firstIndex(of: UInt8(ascii: " ")) else { return [] }
        let text = value[value.index(after: space)...]
        switch value[..<space].lowercased() {
        case "bearer": return [Array(text.utf8)]
        case "basic":
            guard let pair = Base64.decodeLeniently(text) else { return [] }
            let colon = UInt8(ascii: ":")
            return [Array(pair.prefix { $0 != colon }), pair.last == colon ? Array(pair.dropLast()) : pair]
        default: return []
        }
    }

    /// Returns the text if it has the form of a key; other texts are not hashed.
    static func plausible(_ text: some StringProtocol) -> String? {
        let fits = (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(isKeyByte)
        return fits ? String(text) : nil
    }

    private static func isKeyByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x5f: true
        default: false
        }
    }
}
