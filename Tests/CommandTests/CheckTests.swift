// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

struct CheckTests {
    private let folder = TemporaryFolder()

    private func check(_ configuration: String, environment: [String: String] = [:]) async throws -> Program.Ended {
        try configuration.write(toFile: folder.path + "/my.json5", atomically: true, encoding: .utf8)
        // It may have a secret.
        #expect(chmod(folder.path + "/my.json5", 0o600) == 0)
        return try await Program.run(["check", "--config", "my.json5"], in: folder, environment: environment)
    }

    @Test func `each problem is listed with position, key and hint`() async throws {
        let ended = try await check("{\n  server: { lisen: \"127.0.0.1:1\", loops: 99 },\n  mode: 3,\n}")
        let lines = ended.output.split(separator: "\n")
        #expect(ended.code == 1 && lines.count == 3 && ended.complaintIsOneLine)
        #expect(lines[0].hasPrefix("my.json5:2:13: server.lisen: ") && lines[0].contains("server.listen"))
        #expect(lines[1].hasPrefix("my.json5:2:") && lines[1].contains("server.loops: 99") && lines[1].contains("from 1 to 64"))
        #expect(lines[2].hasPrefix("my.json5:3:9: mode: "))
    }

    @Test func `the accepted form is stated once`() async throws {
        let ended = try await check("{ server: { max_body: \"5 apples\", drain_grace: true }, mode: \"test\" }")
        #expect(
            ended.output.split(separator: "\n").map { $0.split(separator: ": ", maxSplits: 2)[2] } == [
                "\"5 apples\" is not accepted. Write a size from 1KiB to 1GiB, such as \"64KiB\" or 65536.",
                "true is not accepted. Write a duration from 0ms to 1h, such as \"10s\", \"250ms\" or seconds.",
                "\"test\" is not accepted. Write one of \"development\", \"production\".",
            ])
    }

    @Test func `environment variables are checked`() async throws {
        let ended = try await check("{}", environment: ["INGESTD_SERVER_LOPS": "1"])
        #expect(ended.code == 1 && ended.output.contains("INGESTD_SERVER_LOOPS"))
    }

    @Test func `a missing file is an error`() async throws {
        let ended = try await Program.run("check", "--config", "none.json5")
        #expect(ended.code == 1 && ended.output.hasPrefix("none.json5: "))
    }

    @Test func `a risky value is a warning`() async throws {
        let ended = try await check("{ server: { listen: \"0.0.0.0:8787\", max_connections: 10 } }")
        #expect(ended.code == 0 && ended.output.hasPrefix("warning: server.listen: ") && ended.output.hasSuffix("\nok\n"))
        #expect(try await check("{ server: { max_connections: 10 } }").output == "ok\n")
        #expect(try await check("{ server: { max_connections: 1000000000 } }").code == 1)
    }

    @Test func `an identity provider is checked`() async throws {
        func provider(_ issuer: String) -> String {
            "{ server: { max_connections: 10 }, accounts: { providers: [{ id: \"oidc.corp\", apps: [\"shop\"], issuer: \"\(issuer)\", audiences: [\"shop\"] }] } }"
        }
        #expect(try await check(provider("https://login.example")).output == "ok\n")
        #expect(try await check(provider("http://localhost:9000")).output.hasPrefix("warning: accounts.providers: the issuer of oidc.corp is http"))
        let wrong = try await check(provider("http://login.example"))
        #expect(wrong.code == 1 && wrong.output.contains("accounts.providers: oidc.corp: issuer must be an https URL"), "\(wrong.output)")
        let list = "[{ id: 'google.com', apps: ['shop'], audiences: ['a'] }]"
        let read = try await check("{ server: { max_connections: 10 } }", environment: ["INGESTD_ACCOUNTS_PROVIDERS": list])
        #expect(read.output == "ok\n", "\(read.output)")
    }

    @Test func `a short metrics token is a warning`() async throws {
        let ended = try await check("{ metrics: { token: 'short' } }")
        #expect(ended.code == 0 && ended.output.hasPrefix("warning: metrics.token: ") && !ended.output.contains("short'"))
        #expect(try await check("{ metrics: { token: 'sixteen-letters-' } }").output == "ok\n")
    }

    @Test func `the emulator of Firebase is a warning`() async throws {
        let ended = try await check("{ mode: 'development', accounts: { emulator: true } }")
        #expect(ended.code == 0 && ended.output.contains("warning: accounts.emulator: every client on this machine"), "\(ended)")
        #expect(try await check("{ accounts: { emulator: true } }").output.contains("warning: accounts.emulator: it has no effect in production"))
    }

    @Test func `a secret that every user may read is a warning`() async throws {
        let secret = "{ metrics: { token: 'a-token-of-metrics' } }"
        func checked(_ configuration: String, _ mode: mode_t) async throws -> String {
            let file = folder.path + "/\(mode).json5"
            try Data(configuration.utf8).write(to: URL(fileURLWithPath: file))
            #expect(chmod(file, mode) == 0)
            return try await Program.run(["check", "--config", file]).output
        }
        let warned = try await checked(secret, 0o644)
        #expect(warned.hasPrefix("warning: metrics.token: every user may read ") && warned.hasSuffix("\nok\n") && !warned.contains("a-token"))
        #expect(try await checked(secret, 0o640) == "ok\n")
        #expect(try await checked("{}", 0o644) == "ok\n")
        let proxy = "{ delivery: { proxy: 'https://ann:word@proxy.internal:3128' } }"
        let readable = try await checked(proxy, 0o644)
        #expect(readable.hasPrefix("warning: delivery.proxy: every user may read ") && !readable.contains("word@"))
        #expect(try await checked(proxy, 0o640) == "ok\n")
        #expect(try await checked("{ delivery: { proxy: 'https://proxy.internal:3128' } }", 0o644) == "ok\n")
    }

    @Test func `a password that goes to a proxy without TLS is a warning`() async throws {
        let ended = try await check("{ delivery: { proxy: 'http://ann:word@proxy.internal:3128' } }")
        #expect(ended.code == 0 && ended.output.hasPrefix("warning: delivery.proxy: ") && !ended.output.contains("word@"), "\(ended)")
        #expect(try await check("{ delivery: { proxy: 'http://ann:word@127.0.0.1:3128' } }").output == "ok\n")
        let wrong = try await check("{ delivery: { proxy: 'socks5://ann:word@127.0.0.1:3128' } }")
        #expect(
            wrong.code == 1 && wrong.output.contains("delivery.proxy") && wrong.output.contains("socks5h") && !wrong.output.contains("word@"),
            "\(wrong)")
    }

    @Test func `socket paths and host names are checked`() async throws {
        #expect(try await check("{ server: { listen: 'unix:/run/ingestd/http.sock', hosts: ['metrics.internal'] } }").output == "ok\n")
        let ended = try await check("{\n  server: {\n    listen: 'unix:http.sock',\n    hosts: ['metrics.internal:80'],\n  },\n}")
        let lines = ended.output.split(separator: "\n")
        #expect(ended.code == 1 && lines.count == 2)
        #expect(lines.first?.hasPrefix("my.json5:3:13: server.listen: ") == true && lines.first?.contains("unix:") == true)
        #expect(lines.last?.hasPrefix("my.json5:4:") == true && lines.last?.contains("server.hosts: ") == true)
        #expect(lines.last?.contains("without ports") == true)
    }

    @Test(arguments: ["development", "production"]) func `the shipped configurations are valid`(name: String) async throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
        let ended = try await Program.run("check", "--config", "\(root)/config/\(name).json5")
        #expect(ended.code == 0 && ended.output.hasSuffix("ok\n"), "\(ended)")
    }

    @Test func `the daemon does not start with an invalid configuration`() async throws {
        let ended = try await Program.run(["serve", "--listen", "nowhere"], in: folder)
        #expect(ended.code == 1 && ended.complaintIsOneLine && ended.complaint.contains("--listen"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data"))
    }
}
