// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform

/// A daemon and a key of one of its apps.
struct Profile: Sendable, Equatable {
    let url: String
    let key: Secret

    /// The default address of a local daemon.
    static let usualURL = "http://127.0.0.1:8787"

    init(url: String, key: Secret) throws(Failure) {
        self.url = try Profile.checked(url)
        self.key = key
    }

    /// The address without scheme and trailing slash.
    var host: String { String(url.split(separator: "/", omittingEmptySubsequences: true).dropFirst().joined(separator: "/")) }

    /// Whether the key is sent without encryption to another machine.
    var isUnencrypted: Bool {
        let name = host.split(separator: "/").first.map(String.init) ?? ""
        return url.hasPrefix("http://") && !(HostName(header: name)?.isLoopback ?? false)
    }

    private static func checked(_ text: String) throws(Failure) -> String {
        var url = text.contains("://") ? text : "http://" + text
        while url.hasSuffix("/") { url.removeLast() }
        let rest = url.components(after: "://")
        guard url.hasPrefix("http://") || url.hasPrefix("https://"), let rest, !rest.isEmpty,
            rest.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f && !"?#@".utf8.contains($0) })
        else {
            throw Failure(
                UsageError(what: "«\(text)» is not the address of a daemon.", hint: "Write it like \(usualURL) or https://signalbox.example.com."))
        }
        return url
    }
}

extension String {
    fileprivate func components(after separator: String) -> Substring? {
        range(of: separator).map { self[$0.upperBound...] }
    }

    private func range(of text: String) -> Range<String.Index>? {
        indices.first { self[$0...].hasPrefix(text) }.map { $0..<index($0, offsetBy: text.count) }
    }
}
