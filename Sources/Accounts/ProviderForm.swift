// SPDX-License-Identifier: Apache-2.0

import JSON

/// The credential of an identity provider in the form that Firebase's SDKs put into `postBody`.
///
///     providerId=google.com&id_token=eyJ…&nonce=5b1f…&user={"name":{"firstName":"Ana","lastName":"Roth"}}
///
/// Of pairs with the same name the first counts. Empty values count as missing.
package struct ProviderForm: Sendable, Equatable {
    package var provider: String?
    package var token: String?
    package var accessToken: String?
    package var nonce: String?
    /// The name that Apple tells once, to the app: `Ana Roth`.
    package var name: String?

    /// The limit of the form; an ID token has at most 16 KiB.
    package static let mostBytes = 24 << 10

    /// - Parameter pairs: The decoded pairs of the form, in their order.
    package init(_ pairs: [(name: String, value: String)]) {
        let values = Dictionary(pairs.map { (Array($0.name.utf8), $0.value) }) { first, _ in first }
        func value(_ name: String) -> String? { values[Array(name.utf8)].flatMap { $0.isEmpty ? nil : $0 } }
        (provider, token, accessToken, nonce) = (value("providerId"), value("id_token"), value("access_token"), value("nonce"))
        name = value("user").flatMap(ProviderForm.name)
    }

    private static func name(_ json: String) -> String? {
        guard let name = (try? JSONValue(Array(json.utf8)))?["name"] else { return nil }
        let parts = ["firstName", "lastName"].compactMap { name[$0]?.string }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
