// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport
import Testing

@testable import Panes
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

    @Test func `profiles are stored in a file that only the owner can read`() throws {
        var profiles = try Profiles(environment)
        try profiles.set("default", Profile(url: "127.0.0.1:8787/", key: Secret("sb_read_a")))
        try profiles.set("live", Profile(url: "https://live.example.com", key: Secret("sb_read_b")))
        #expect(try permissions(file) == 0o600 && permissions(home.path + "/deep/config/signalbox") == 0o700)
        #expect(try Profiles(environment).names == ["default", "live"])
        #expect(try chosen(environment).url == "http://127.0.0.1:8787" && chosen(environment, profile: "live").key.revealed == "sb_read_b")
        #expect(try profiles.remove("default") && !profiles.remove("default"))
        #expect(throws: Failure.self) { try chosen(environment) }
    }

    @Test func `a profile's key is not sent to another URL`() throws {
        var profiles = try Profiles(environment)
        try profiles.set("default", Profile(url: "https://a.example.com", key: Secret("sb_read_a")))
        #expect(throws: Failure.self) { try chosen(environment.merging(["SIGNALBOX_URL": "https://evil.example.com"]) { $1 }) }
        let both = environment.merging(["SIGNALBOX_URL": "https://b.example.com", "SIGNALBOX_KEY": "sb_read_b"]) { $1 }
        #expect(try chosen(both) == Profile(url: "https://b.example.com", key: Secret("sb_read_b")))
        #expect(try chosen(both, profile: "default").key.revealed == "sb_read_a")
        #expect(try chosen(environment.merging(["SIGNALBOX_KEY": "sb_read_c"]) { $1 }).url == Profile.usualURL)
    }

    private func login(_ environment: [String: String], _ options: [String: String]) throws -> Login {
        var arguments = Arguments()
        arguments.values = options.mapValues { [$0] }
        return try Login(arguments, environment)
    }

    @Test func `options override the environment, which overrides profiles`() throws {
        var profiles = try Profiles(environment)
        try profiles.set("default", Profile(url: "https://a.example.com", key: Secret("sb_read_a")))
        let both = environment.merging(["SIGNALBOX_URL": "https://b.example.com/", "SIGNALBOX_KEY": "sb_read_b"]) { $1 }
        let typed = try login(both, ["--url": "https://c.example.com", "--key": "sb_read_c"])
        #expect(try typed.profile == Profile(url: "https://c.example.com", key: Secret("sb_read_c")))
        #expect(typed.urlSource == "--url" && typed.keySource == "--key")
        let other = try login(both, ["--key": "sb_read_c"])
        #expect(try other.profile == Profile(url: "https://b.example.com", key: Secret("sb_read_c")) && other.urlSource == "SIGNALBOX_URL")
        #expect(try login(both, [:]).keySource == "SIGNALBOX_KEY" && login(environment, [:]).keySource == "profile default")
        #expect(try login(environment, ["--key": "k"]).profile == Profile(url: "https://a.example.com", key: Secret("k")))
        #expect(try login(["HOME": "/nowhere"], ["--key": "k"]).profile.url == Profile.usualURL)
    }

    @Test func `a URL without a key uses only a key stored for that URL`() throws {
        var profiles = try Profiles(environment)
        try profiles.set("default", Profile(url: "https://a.example.com", key: Secret("sb_read_a")))
        try profiles.set("live", Profile(url: "https://live.example.com", key: Secret("sb_read_l")))
        #expect(try login(environment, ["--url": "https://a.example.com/"]).profile.key.revealed == "sb_read_a")
        let both = environment.merging(["SIGNALBOX_URL": "https://b.example.com", "SIGNALBOX_KEY": "sb_read_b"]) { $1 }
        #expect(try login(both, ["--url": "https://b.example.com"]).profile.key.revealed == "sb_read_b")
        #expect(try login(both, ["--url": "https://a.example.com"]).profile.key.revealed == "sb_read_a")
        for (environment, options) in [
            (environment, ["--url": "https://evil.example.com"]), (environment, ["--url": "http://a.example.com"]),
            (environment, ["--url": "https://a.example.com", "--profile": "live"]), (both, ["--url": "https://evil.example.com"]),
            (environment.merging(["SIGNALBOX_URL": "https://evil.example.com"]) { $1 }, [:]), (environment, ["--profile": "nobody"]),
        ] {
            let failure = #expect(throws: Failure.self) { try login(environment, options) }
            #expect(failure?.exitCode == 3 && failure?.line.contains("sb_") == false)
        }
    }

    @Test func `a key is read from the first line of a file`() throws {
        let path = home.path + "/key"
        try Data("  sb_read_f \r\nmore\n".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try login([:], ["--url": "a.example.com", "--key-file": path]).profile.key.revealed == "sb_read_f")
        #expect(try login(["SIGNALBOX_KEY_FILE": path], [:]).profile == Profile(url: Profile.usualURL, key: Secret("sb_read_f")))
        for (mode, isOpen) in [(0o600, false), (0o640, true), (0o604, true), (0o400, false)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            #expect(KeyFile.isOpen(path) == isOpen)
        }
        try Data("\nsb_read_f".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: Failure.self) { try KeyFile.read(path) }
        #expect(throws: Failure.self) { try KeyFile.read(path + ".nowhere") }
        #expect(throws: UsageError.self) { try login([:], ["--key": "k", "--key-file": path]) }
    }

    @Test(arguments: ["", "ftp://x", "http://", "http://a b", "http://user:pass@host", "http://host?x", "host#x"])
    func `an invalid URL is rejected`(text: String) {
        #expect(throws: Failure.self) { try Profile(url: text, key: Secret("k")) }
    }

    @Test(arguments: [
        ("http://127.0.0.1:8787", false), ("localhost:8787", false), ("http://[::1]:1", false), ("https://a.example.com", false),
        ("http://10.0.0.1", true),
        ("a.example.com", true),
    ])
    func `plain HTTP to another machine is detected`(url: String, isUnencrypted: Bool) throws {
        #expect(try Profile(url: url, key: Secret("k")).isUnencrypted == isUnencrypted)
    }

    @Test func `a corrupt or unlocatable profile file is an error`() throws {
        try FileManager.default.createDirectory(atPath: home.path + "/deep/config/signalbox", withIntermediateDirectories: true)
        try "{".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(throws: Failure.self) { try Profiles(environment) }
        #expect(throws: Failure.self) { try Profiles([:]) }
    }

    @Test func `a key is not printed`() throws {
        let profile = try Profile(url: "127.0.0.1", key: Secret("sb_read_abc"))
        #expect(!"\(profile) \(String(reflecting: profile))".contains("sb_read_abc"))
    }
}
