// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import Files

@Suite struct DownloadTokenTests {
    private let key: FileLinkKey
    private let link: FileLink
    private let now = Timestamp(milliseconds: 1_795_264_100_000)

    init() throws {
        key = try #require(FileLinkKey(Array(0..<32)))
        link = FileLink(app: AppID(rawValue: 1), path: try #require(FilePath("users/ann/a.png")), generation: 7, expires: 0)
    }

    @Test func `an expiring token opens its version for a week at most`() throws {
        let token = try #require(DownloadTokens.expiring.text(of: link, stored: nil, at: now, key))
        func admits(_ token: String, _ link: FileLink, after seconds: Int64 = 0) -> Bool {
            DownloadTokens.expiring.admit(token, to: link, stored: nil, at: now + .seconds(seconds), key)
        }
        #expect(admits(token, link) && admits(token, link, after: 6 * 86_400 + 82_000))
        #expect(!admits(token, link, after: 7 * 86_400))
        #expect(DownloadTokens.expiring.text(of: link, stored: nil, at: now + .seconds(1), key) == token)
        var others = [link, link, link]
        others[0].generation = 8
        others[1].app = AppID(rawValue: 2)
        others[2].path = try #require(FilePath("users/ann/b.png"))
        for other in others { #expect(!admits(token, other)) }
        for place in token.indices {
            var changed = token
            changed.replaceSubrange(place...place, with: token[place] == "1" ? "2" : "1")
            // The last character of the signature has bits that are not read.
            if place != token.index(before: token.endIndex) { #expect(!admits(changed, link), "\(changed)") }
        }
        for text in ["", ".", "1795.", "a.b", token + ".x", "0" + token, token.replacing("179", with: "999")] { #expect(!admits(text, link)) }
    }

    @Test func `a permanent token is one of those that are stored`() throws {
        let token = try #require(DownloadTokens.permanent.new())
        #expect(token.utf8.count == 36 && DownloadTokens.permanent.new() != token)
        for (given, isRight) in [(token, true), ("other", true), ("", false), (",", false), ("other,\(token)", false), ("x", false)] {
            #expect(DownloadTokens.permanent.admit(given, to: link, stored: "other,\(token)", at: now, key) == isRight, "\(given)")
        }
        #expect(!DownloadTokens.permanent.admit("", to: link, stored: nil, at: now, key))
        #expect(DownloadTokens.permanent.text(of: link, stored: nil, at: now, key) == nil)
        #expect(DownloadTokens.permanent.text(of: link, stored: token, at: now, key) == token)
    }

    @Test func `without tokens none is given, stored or admitted`() throws {
        let token = try #require(DownloadTokens.expiring.text(of: link, stored: nil, at: now, key))
        #expect(DownloadTokens.none.text(of: link, stored: "x", at: now, key) == nil && DownloadTokens.none.new() == nil)
        for given in [token, "x"] { #expect(!DownloadTokens.none.admit(given, to: link, stored: "x", at: now, key)) }
        #expect(DownloadTokens.expiring.new() == nil)
    }
}
