// SPDX-License-Identifier: Apache-2.0

import Crypto
import JSON
import Platform

/// A service account file for Firebase server SDKs. The private key is generated here and printed once; the daemon receives the public key.
enum ServiceAccountFile {
    static func make(_ arguments: Arguments) async throws -> String {
        guard [.send, .accounts, .data].contains(arguments.one("--role").flatMap(Role.init)) else {
            throw Failure("A service account needs the role send, accounts or data.", hint: "Use one of them with --google-json.")
        }
        let pair = RSA.makeKey()
        let made = try await DataFolder(arguments).perform { socket in
            try await socket.send("POST", KeyCommands.path(arguments)) { json in
                json.writeKey(arguments)
                json.key("service_account")
                json.beginObject()
                json.field("public_key", Base64.encode(pair.publicKey))
                if let url = arguments.one("--url") { json.field("token_uri", (url.hasSuffix("/") ? String(url.dropLast()) : url) + "/token") }
                json.endObject()
            }
        }
        var json = JSONWriter()
        json.beginObject()
        json.field("type", "service_account")
        for (name, value) in made["service_account"]?.fields ?? [] { json.field(name, value.text) }
        json.field("private_key", pair.privatePEM)
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
