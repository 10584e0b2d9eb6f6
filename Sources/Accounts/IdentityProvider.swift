// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import Platform

/// An identity provider whose ID tokens sign users of some apps in.
///
///     { id: "google.com", apps: ["shop"], audiences: ["1234.apps.googleusercontent.com"] }
///     { id: "oidc.corp", apps: ["shop"], issuer: "https://login.corp.example", audiences: ["shop"], algorithms: ["ES256"] }
///
/// Google, Apple and Microsoft have their issuers and rules built in. Any other provider needs an issuer with a discovery document.
package struct IdentityProvider: Sendable, Equatable {
    package var id = ""
    /// Names or numbers of apps.
    package var apps: [String] = []
    package var issuer: String?
    /// The client IDs of the apps at the provider.
    package var audiences: [String] = []
    package var algorithms: [TokenAlgorithm] = [.rs256]
    package var trustsEmail = false

    package init() {}

    package static let settings: [Setting<IdentityProvider>] = [
        Setting("id", .text, \.id, "google.com, apple.com, microsoft.com, or oidc. and a name"),
        Setting("apps", .texts, \.apps, "Apps whose users the provider signs in: names or numbers"),
        Setting("issuer", .optionalText, \.issuer, "Issuer of its ID tokens; null for the built-in one"),
        Setting("audiences", .texts, \.audiences, "Client IDs of the apps at the provider"),
        Setting("algorithms", .choices(), \.algorithms, "Signature algorithms of its ID tokens"),
        Setting("trusts_email", .flag, \.trustsEmail, "Whether addresses that it verified need no other proof"),
    ]

    /// The setting that lists providers.
    package static let list = SettingType<[IdentityProvider]>.objects(
        like: #"{ id: "google.com", apps: ["shop"], audiences: ["CLIENT_ID"] }"#, IdentityProvider(), settings
    ) { $0.fault(after: $1) }

    // MARK: Rules

    private enum BuiltIn: String {
        case google = "google.com"
        case apple = "apple.com"
        case microsoft = "microsoft.com"
    }

    private var builtIn: BuiltIn? { BuiltIn(rawValue: id) }

    /// The rules that its tokens must meet.
    package var rules: ProviderRules {
        var rules =
            switch builtIn {
            case .google: ProviderRules.google(audiences: audiences)
            case .apple: ProviderRules.apple(audiences: audiences)
            case .microsoft: ProviderRules.microsoft(audiences: audiences)
            case nil: ProviderRules(issuer: .exactly([]), audiences: audiences)
            }
        if let issuer { rules.issuer = .exactly([issuer]) }
        rules.algorithms = Set(algorithms)
        return rules
    }

    /// Whether its word proves an address. Microsoft lets administrators of any tenant write any address.
    package var trust: EmailTrust {
        if trustsEmail { return .verified }
        return switch builtIn {
        case .google: .google
        case .apple: .verified
        case .microsoft, nil: .none
        }
    }

    /// Where its keys are published: a fixed place, or one that the issuer's discovery document names.
    package enum KeySource: Sendable, Hashable {
        case keys(url: String)
        case discovery(issuer: String)
    }

    package var keySource: KeySource {
        if let issuer { return .discovery(issuer: issuer) }
        return switch builtIn {
        case .google, nil: .keys(url: "https://www.googleapis.com/oauth2/v3/certs")
        case .apple: .keys(url: "https://appleid.apple.com/auth/keys")
        case .microsoft: .keys(url: "https://login.microsoftonline.com/common/discovery/v2.0/keys")
        }
    }

    // MARK: Validation

    private static let mostAudiences = 32
    private static let mostProviders = 100

    private func fault(after others: [IdentityProvider]) -> String? {
        if others.count >= IdentityProvider.mostProviders { return "There are more than \(IdentityProvider.mostProviders) providers." }
        guard builtIn != nil || IdentityProvider.isID(id) else {
            return "The ID \(id.debugDescription) is neither google.com, apple.com, microsoft.com nor oidc. and letters, digits, hyphens and dots."
        }
        if apps.isEmpty { return "\(id): apps is missing; name the apps whose users may sign in." }
        guard (1...IdentityProvider.mostAudiences).contains(audiences.count) else {
            return
                "\(id): audiences must be 1 to \(IdentityProvider.mostAudiences) client IDs, without which tokens for other parties would be accepted."
        }
        if algorithms.isEmpty { return "\(id): algorithms is empty." }
        if builtIn == nil, issuer == nil { return "\(id): issuer is missing." }
        if let issuer, ProviderURL(issuer) == nil { return "\(id): issuer must be an https URL in lower case; http may name this machine only." }
        let same = others.first { $0.id == id && !Set($0.apps).isDisjoint(with: apps) }
        return same.map { _ in "\(id): an app is named twice for this provider." }
    }

    /// `oidc.` and a name, as Firebase has them, so that no provider is taken for another way of signing in.
    private static func isID(_ text: String) -> Bool {
        let prefix = "oidc."
        guard text.utf8.starts(with: prefix.utf8) else { return false }
        let name = text.utf8.dropFirst(prefix.utf8.count)
        return (1...64).contains(name.count)
            && name.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
    }
}

/// A URL from which a provider's documents are fetched: https, or http to this machine.
///
///     https://login.example/realms/shop     accepted
///     http://localhost:9000                 accepted, `isPlain`
///     http://login.example, https://a@b.c   nil
package struct ProviderURL: Sendable, Hashable {
    private static let mostBytes = 2_048

    package let text: String
    /// Whether it is http, which the daemon fetches in development only.
    package let isPlain: Bool

    package init?(_ text: String) {
        guard text.utf8.count <= ProviderURL.mostBytes, let start = text.firstRange(of: "://")?.upperBound else { return nil }
        let end = text[start...].firstIndex(of: "/") ?? text.endIndex
        guard WebOrigin.isOne(String(text[..<end])), text[end...].utf8.allSatisfy(ProviderURL.isOfPath) else { return nil }
        switch text[..<start] {
        case "https://": isPlain = false
        case "http://":
            guard HostName(header: String(text[start..<end]))?.isLoopback == true else { return nil }
            isPlain = true
        default: return nil
        }
        self.text = text
    }

    /// The discovery document of an issuer (OpenID Connect Discovery, section 4).
    package static func discovery(of issuer: String) -> String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }

    /// Characters of paths and queries that every parser reads as themselves.
    private static func isOfPath(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: "/-._~%?=&+:,".utf8.contains(byte)
        }
    }
}
