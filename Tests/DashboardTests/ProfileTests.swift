import Foundation
import Platform
import TestSupport
import Testing

@testable import dashboard_cli

struct ProfileTests {
    private let home = TemporaryFolder()
    private var environment: [String: String] { ["XDG_CONFIG_HOME": home.path + "/deep/config"] }
    private var file: String { home.path + "/deep/config/signalbox/profiles.json" }

    private func chosen(_ environment: [String: String], profile: String? = nil) throws -> Profile {
        var arguments = Arguments()
        if let profile { arguments.values["--profile"] = [profile] }
        return try Profiles.chosen(arguments, environment)
    }

    private func permissions(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func `a login is kept where only its owner can read it`() throws {
        var profiles = try Profiles(environment)
        try profiles.set("default", Profile(url: "127.0.0.1:8787/", key: Secret("sb_read_a")))
        try profiles.set("live", Profile(url: "https://live.example.com", key: Secret("sb_read_b")))
        #expect(try permissions(file) == 0o600 && permissions(home.path + "/deep/config/signalbox") == 0o700)
        #expect(try Profiles(environment).names == ["default", "live"])
        #expect(try chosen(environment).url == "http://127.0.0.1:8787" && chosen(environment, profile: "live").key.revealed == "sb_read_b")
        #expect(try profiles.remove("default") && !profiles.remove("default"))
        #expect(throws: Failure.self) { try chosen(environment) }
    }

    @Test func `a key of a login goes to no other daemon`() throws {
        var profiles = try Profiles(environment)
        try profiles.set("default", Profile(url: "https://a.example.com", key: Secret("sb_read_a")))
        #expect(throws: Failure.self) { try chosen(environment.merging(["SIGNALBOX_URL": "https://evil.example.com"]) { $1 }) }
        let both = environment.merging(["SIGNALBOX_URL": "https://b.example.com", "SIGNALBOX_KEY": "sb_read_b"]) { $1 }
        #expect(try chosen(both) == Profile(url: "https://b.example.com", key: Secret("sb_read_b")))
        #expect(try chosen(both, profile: "default").key.revealed == "sb_read_a")
        #expect(try chosen(environment.merging(["SIGNALBOX_KEY": "sb_read_c"]) { $1 }).url == Profile.usualURL)
    }

    @Test(arguments: ["", "ftp://x", "http://", "http://a b", "http://user:pass@host", "http://host?x", "host#x"])
    func `what is no address is refused`(text: String) {
        #expect(throws: Failure.self) { try Profile(url: text, key: Secret("k")) }
    }

    @Test(arguments: [
        ("http://127.0.0.1:8787", false), ("localhost:8787", false), ("http://[::1]:1", false), ("https://a.example.com", false),
        ("http://10.0.0.1", true),
        ("a.example.com", true),
    ])
    func `a key in the clear is told`(url: String, isInTheClear: Bool) throws {
        #expect(try Profile(url: url, key: Secret("k")).isInTheClear == isInTheClear)
    }

    @Test func `a file that is broken is said to be`() throws {
        try FileManager.default.createDirectory(atPath: home.path + "/deep/config/signalbox", withIntermediateDirectories: true)
        try "{".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(throws: Failure.self) { try Profiles(environment) }
        #expect(throws: Failure.self) { try Profiles([:]) }
    }

    @Test func `no key is ever shown`() throws {
        let profile = try Profile(url: "127.0.0.1", key: Secret("sb_read_abc"))
        #expect(!"\(profile) \(String(reflecting: profile))".contains("sb_read_abc"))
    }
}
