// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct ProjectTests {
    @Test func `only the operator sets the project, and integrations accept it`() async throws {
        try await withDaemon { live async throws in
            let keys = try await live.api.makeApp()
            #expect(try await set(#"{"project":"old-shop-1a2b"}"#, "/v1/app", live, key: keys.admin).status == 403)
            #expect(try await set(#"{"project":"old-shop-1a2b"}"#, "/v1/apps/1", live).status == 200)
            #expect(try JSON(try await live.api.get("/v1/app", key: keys.read))["settings"]["project"].text == "old-shop-1a2b")
            let message = Array(#"{"message":{"topic":"news","notification":{"title":"hi"}}}"#.utf8)
            for (name, status) in [("old-shop-1a2b", 200), ("1", 200), ("shop", 200), ("old-shop-1a2", 403)] {
                let sent = try await live.api.request("POST", "/v1/projects/\(name)/messages:send", key: keys.send, body: message)
                #expect(sent.status == status, "\(name)")
            }
        }
    }

    @Test func `no app gets the project of another one, not even of a deleted one`() async throws {
        try await withDaemon { live async throws in
            _ = try await live.api.makeApp()
            _ = try await live.api.makeApp("blog")
            #expect(try await set(#"{"project":"first-home"}"#, "/v1/apps/1", live).status == 200)
            #expect(try await set(#"{"project":"next-home"}"#, "/v1/apps/1", live).status == 200)
            for taken in ["first-home", "next-home", "shop"] {
                #expect(try await set(#"{"project":"\#(taken)"}"#, "/v1/apps/2", live).status == 409, "\(taken)")
            }
            #expect(try await set(#"{"name":"First-Home"}"#, "/v1/apps/2", live).status == 409)
            #expect(try await set(#"{"name":"next-home"}"#, "/v1/apps", live, "POST").status == 409)
            #expect(try await live.api.asOperator("DELETE", "/v1/apps/1").status == 204)
            #expect(try await set(#"{"project":"first-home"}"#, "/v1/apps/2", live).status == 409)
        }
    }

    @Test(arguments: ["abc", "12345", "Shop-One", "shop_one", "-shop", "shop-", "token", "accounts", "sign-in", "shöp", "a b c d", "../../etc"])
    func `a project is a plain word that no route uses`(text: String) async throws {
        #expect(!ProjectName.isValid(text))
        var settings = AppSettings()
        #expect(throws: Refusal.self) { try settings.set("project", to: text) }
    }

    @Test func `no word of a route in the place of a project is one`() {
        let patterns = Routes.all.map { $0.pattern.split(separator: "/").map(String.init) }
        var words: Set<String> = []
        for pattern in patterns {
            guard let place = pattern.firstIndex(of: "{project}") else { continue }
            for other in patterns where other.count > place && other[..<place] == pattern[..<place] { words.insert(other[place]) }
        }
        #expect(words.isSuperset(of: ["accounts", "keys", "user", "codes"]))
        for word in words where !word.hasPrefix("{") { #expect(!ProjectName.isValid(word), "\(word)") }
    }

    private func set(_ body: String, _ path: String, _ live: LiveDaemon, _ method: String = "PATCH", key: String? = nil) async throws -> Reply {
        guard let key else { return try await live.api.asOperator(method, path, body) }
        return try await live.api.request(method, path, key: key, body: Array(body.utf8))
    }
}
