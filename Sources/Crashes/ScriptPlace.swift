// SPDX-License-Identifier: Apache-2.0

import Platform

/// The place of a file that a bundler or minifier wrote: its release, possibly a distribution, and its URL.
///
/// A place has a debug ID made from its texts. Source maps without an ID of their own are therefore stored, listed and awaited like other
/// symbol files.
package struct ScriptPlace: Hashable, Sendable {
    package let release: String
    package let distribution: String?
    /// The URL without query and fragment, or `~/PATH` for any host.
    package let url: String

    package init(release: String, distribution: String?, url: String) {
        self.release = release
        self.distribution = distribution?.isEmpty == false ? distribution : nil
        self.url = ScriptPlace.withoutQuery(url)
    }

    /// The ID of the place: a UUID of version 8.
    package var id: DebugID {
        var hash = StableHash()
        for part in [release, distribution ?? "", url] { hash.add(part: part) }
        var id = UUID128(networkBytes: hash.bytes)
        id.high = id.high & ~0xf000 | 0x8000
        id.low = id.low & ~(0xc << 60) | 0x8 << 60
        return DebugID(uuid: id)
    }

    /// The same path on any host, for any distribution. Reports wait under this place for files of all more exact ones.
    package var general: ScriptPlace { ScriptPlace(release: release, distribution: nil, url: ScriptPlace.ofAnyHost(url)) }

    /// The places where a file of the URL may be stored, the most exact first.
    ///
    ///     dist 7, https://cdn.example/a.js  →  7 https://cdn.example/a.js, 7 ~/a.js, https://cdn.example/a.js, ~/a.js
    package var candidates: [ScriptPlace] {
        let urls = [url, ScriptPlace.ofAnyHost(url)]
        let distributions = distribution == nil ? [nil] : [distribution, nil]
        var places: [ScriptPlace] = []
        for distribution in distributions {
            for url in urls {
                let place = ScriptPlace(release: release, distribution: distribution, url: url)
                if !places.contains(where: { $0.id == place.id }) { places.append(place) }
            }
        }
        return places
    }

    private static func withoutQuery(_ url: String) -> String {
        String(decoding: url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }, as: UTF8.self)
    }

    /// Replaces scheme and host: `https://cdn.example/a.js`, `app:///a.js`, `/a.js` and `a.js` become `~/a.js`.
    static func ofAnyHost(_ url: String) -> String {
        let bytes = Array(url.utf8)[...]
        if bytes.begins(with: anyHost) { return url }
        var path = bytes
        if let colon = path.prefix(32).firstIndex(of: UInt8(ascii: ":")), path[colon...].begins(with: behindScheme) {
            path = path[(colon + behindScheme.count)...].drop { $0 != UInt8(ascii: "/") }
        }
        return "~/" + String(decoding: path.drop { $0 == UInt8(ascii: "/") }, as: UTF8.self)
    }

    private static let anyHost = Array("~/".utf8)
    private static let behindScheme = Array("://".utf8)
}
