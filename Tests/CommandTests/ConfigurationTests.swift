// SPDX-License-Identifier: Apache-2.0

import Delivery
import HTTPServer
import Platform
import EventStore
import AcrossStores
import Testing

@testable import ingestd

struct ConfigurationTests {
    private func problems(file: String = "{}", environment: [String: String] = [:], flags: [ConfigurationFlag] = []) -> [ConfigurationProblem] {
        do {
            _ = try read(file: file, environment: environment, flags: flags)
            return []
        } catch {
            return error.problems
        }
    }

    private func read(
        file: String = "{}", environment: [String: String] = [:], flags: [ConfigurationFlag] = []
    ) throws(ConfigurationError) -> Configuration {
        var reader = ConfigurationReader(Configuration(), Configuration.settings)
        reader.read(file: "test.json5", Array(file.utf8))
        reader.read(environment: environment)
        for flag in flags { reader.read(flag: flag.name, key: flag.key, value: flag.value) }
        return try reader.result()
    }

    private func changes(_ new: Configuration) -> [Setting<Configuration>] { Configuration.settings.changed(from: Configuration(), to: new) }

    @Test func `an empty file yields the defaults`() throws {
        #expect(try changes(read()).isEmpty)
    }

    @Test func `flags override the environment, which overrides the file`() throws {
        let file = "{server: {loops: 3, listen: '[::1]:1', idle_timeout: 1.5}}"
        let environment = ["INGESTD_SERVER_LOOPS": "4", "INGESTD_SERVER_LISTEN": "localhost:2", "PATH": "/bin"]
        let configuration = try read(file: file, environment: environment, flags: [.init("--listen", sets: "server.listen", to: "10.0.0.1:3")])
        #expect(configuration.server.listen == ListenAddress("10.0.0.1:3"))
        #expect(configuration.http.loops == 4)
        #expect(configuration.http.deadlines.idle == .milliseconds(1_500))
    }

    @Test func `an environment variable can hold every type of value`() throws {
        let configuration = try read(environment: [
            "INGESTD_MODE": "development", "INGESTD_STORAGE_QUEUE_BYTES": "32MiB", "INGESTD_STORAGE_DEDUPE_DAYS": "0x10",
            "INGESTD_SERVER_HEADER_TIMEOUT": "250ms", "INGESTD_SERVER_TRUSTED_PROXIES": "10.0.0.0/8, ::1",
            "INGESTD_METRICS_TOKEN": "sixteen-letters-or-more",
            "INGESTD_SERVER_CORS_ORIGINS": "", "INGESTD_STORAGE_DIRECTORY": "12",
        ])
        #expect(configuration.mode == .development)
        #expect(configuration.store.events.queueBytes == 32 << 20)
        #expect(configuration.store.events.dedupeDays == 16)
        #expect(configuration.http.deadlines.header == .milliseconds(250))
        #expect(configuration.http.trustedProxies == ["10.0.0.0/8", "::1"].compactMap(AddressRange.init))
        #expect(configuration.metrics.token?.revealed == "sixteen-letters-or-more")
        #expect(configuration.server.corsOrigins == [])
        #expect(configuration.storage.directory == "12")
    }

    @Test func `the listen address and host names are read from every source`() throws {
        let file = "{server: {listen: 'unix:/run/a.sock', hosts: ['Metrics.Internal.', '10.0.0.5']}}"
        #expect(try read(file: file).server.listen == .unix(path: "/run/a.sock"))
        #expect(try read(file: file).server.hosts.map(\.description) == ["metrics.internal", "10.0.0.5"])
        let environment = ["INGESTD_SERVER_LISTEN": "unix:/run/b.sock", "INGESTD_SERVER_HOSTS": "a.internal, [::2]"]
        #expect(try read(file: file, environment: environment).server.listen == .unix(path: "/run/b.sock"))
        #expect(try read(file: file, environment: environment).server.hosts.map(\.description) == ["a.internal", "[::2]"])
        let flags = [ConfigurationFlag("--listen", sets: "server.listen", to: "unix:/run/c.sock")]
        #expect(try read(file: file, environment: environment, flags: flags).server.listen == .unix(path: "/run/c.sock"))
    }

    @Test(arguments: ["12345678901234567890", "0x1234567890abcdef", "[sixteen-letters]", "null-null-null-null"])
    func `a secret in the environment is read literally`(text: String) throws {
        #expect(try read(environment: ["INGESTD_METRICS_TOKEN": text]).metrics.token?.revealed == text)
        #expect(try read(file: "{metrics: {token: 'sixteen-letters-or-more'}}", environment: ["INGESTD_METRICS_TOKEN": "null"]).metrics.token == nil)
    }

    @Test(arguments: ["", "sixteen-lettérs", "tab\tinside-a-token", " leading-space-16", "trailing-space-16 "])
    func `a token that no header carries is rejected`(text: String) throws {
        #expect(throws: ConfigurationError.self) { try read(environment: ["INGESTD_METRICS_TOKEN": text]) }
    }

    @Test func `a token has at most 256 characters, and a short one is known as such`() throws {
        #expect(try read(environment: ["INGESTD_METRICS_TOKEN": "fifteen-letters"]).metrics.hasShortToken)
        #expect(try !read(environment: ["INGESTD_METRICS_TOKEN": "sixteen-letters-"]).metrics.hasShortToken)
        #expect(try !read().metrics.hasShortToken)
        #expect(try read(environment: ["INGESTD_METRICS_TOKEN": String(repeating: "x", count: 256)]).metrics.token != nil)
        #expect(throws: ConfigurationError.self) { try read(environment: ["INGESTD_METRICS_TOKEN": String(repeating: "x", count: 257)]) }
    }

    @Test func `a proxy is read from every source, and its login is in no message`() throws {
        let file = "{delivery: {proxy: 'http://ann:secret@proxy.internal:3128'}}"
        #expect(try read(file: file).delivery.proxy == ProxyURL("http://ann:secret@proxy.internal:3128"))
        #expect(
            try read(file: file, environment: ["INGESTD_DELIVERY_PROXY": "socks5h://[::1]:1080"]).delivery.proxy == ProxyURL("socks5h://[::1]:1080"))
        #expect(try read(file: file, environment: ["INGESTD_DELIVERY_PROXY": "null"]).delivery.proxy == nil)
        #expect {
            try read(file: "{delivery: {proxy: 'http://ann:secret@proxy.internal'}}")
        } throws: { error in
            let text = (error as? ConfigurationError)?.problems.map(\.description).joined() ?? "secret"
            return text.contains("delivery.proxy") && !text.contains("secret")
        }
        let setting = try #require(Configuration.settings.first { $0.key == "delivery.proxy" })
        #expect(try setting.isLive && setting.text(in: read(file: file)) == "\"http://•••@proxy.internal:3128\"")
    }

    @Test(arguments: ["5s,10", " 5s , 10 ", #"["5s", 10]"#, "['5s', 10,]", " [5, '10s']"])
    func `a list in the environment is JSON5 or comma-separated`(text: String) throws {
        #expect(try read(environment: ["INGESTD_DELIVERY_RETRIES": text]).delivery.retries.waits == [.seconds(5), .seconds(10)])
    }

    @Test func `lists of strings have both forms, and plain numbers are seconds`() throws {
        let configuration = try read(
            file: "{delivery: {retries: [0.25, '1m']}}",
            environment: [
                "INGESTD_SERVER_CORS_ORIGINS": #"["https://a.example", "http://localhost:3000"]"#, "INGESTD_SERVER_TRUSTED_PROXIES": "['::1']",
            ])
        #expect(configuration.server.corsOrigins == [.exactly("https://a.example"), .exactly("http://localhost:3000")])
        #expect(configuration.http.trustedProxies == [AddressRange("::1")].compactMap(\.self))
        #expect(configuration.delivery.retries.waits == [Timestamp.Span(milliseconds: 250), .seconds(60)])
        #expect(problems(environment: ["INGESTD_DELIVERY_RETRIES": "[5"]).count == 1)
    }

    @Test(arguments: [
        "*", "https://shop.example", "http://localhost:3000", "http://127.0.0.1", "https://[::1]:8443", "capacitor://localhost",
        "chrome-extension://abcdefghijklmnop", "https://*.shop.example", "http://*.localhost:3000",
    ])
    func `an origin in the form browsers send is valid`(origin: String) throws {
        #expect(try read(file: "{server: {cors_origins: ['\(origin)']}}").server.corsOrigins.map(\.description) == [origin])
    }

    @Test(arguments: [
        "shop.example", "https://", "https://shop.example/", "https://shop.example/a", "https://Shop.example", "HTTPS://shop.example",
        "https://shop.example:443", "http://shop.example:80", "https://shop.example:", "https://shop.example:0", "https://shop.example:99999",
        "https://shop.example:08443", "https://a@shop.example", "https://*", "https://*.", "https://*example", "https://a.*.example",
        "https://*.*.example", "https://*.example/", "*.example", "https://*.[::1]", "https://a b.example", "https://[::1", "https://[x]", "null",
        "**",
        "[\"https://a.example\"",
    ])
    func `an origin in any other form is invalid`(origin: String) {
        #expect(problems(environment: ["INGESTD_SERVER_CORS_ORIGINS": origin]).count == 1)
    }

    @Test func `all problems are reported together with their positions`() {
        let file = """
            {
              mood: "production",
              mode: "test",
              server: {
                lops: 2,
                loops: "2",
                loops: 3,
                listen: "example.com:80",
                idle_timeout: "10 minutes",
              },
              storage: 5,
              log: { level: null, "": 1 },
            }
            """
        let found = problems(file: file, environment: ["INGESTD_SERVER_LOPS": "1"], flags: [.init("--listen", sets: "server.listen", to: "nowhere")])
        #expect(
            found.map { "\($0.source):\($0.line ?? 0):\($0.column ?? 0) \($0.key)" } == [
                "test.json5:2:3 mood", "test.json5:3:9 mode", "test.json5:5:5 server.lops", "test.json5:6:12 server.loops",
                "test.json5:7:5 server.loops", "test.json5:8:13 server.listen", "test.json5:9:19 server.idle_timeout", "test.json5:11:3 storage",
                "test.json5:12:17 log.level", "test.json5:12:23 log.", "INGESTD_SERVER_LOPS:0:0 ", "--listen:0:0 server.listen",
            ])
        #expect(found[0].hint == "Did you mean mode?")
        #expect(found[1].message == "\"test\" is not accepted.")
        #expect(found[2].hint == "Did you mean server.loops?")
        #expect(found[4].hint == "It is already set in line 6; remove one of them.")
        #expect(found[10].hint == "Did you mean INGESTD_SERVER_LOOPS?")
    }

    @Test(arguments: [
        "{server: {loops: 0}}", "{server: {loops: 1.5}}", "{server: {loops: Infinity}}", "{server: {loops: NaN}}", "{server: {loops: 1e300}}",
        "{server: {max_body: -1}}", "{server: {max_body: '5 parsecs'}}", "{server: {max_body: '99999999999999GiB'}}", "{server: {idle_timeout: 0}}",
        "{server: {idle_timeout: Infinity}}", "{server: {idle_timeout: -5}}", "{server: {idle_timeout: '2d'}}", "{server: {listen: 8787}}",
        "{server: {listen: '127.0.0.1:99999'}}", "{server: {listen: 'unix:relative.sock'}}", "{server: {hosts: ['a:80']}}",
        "{server: {hosts: ['*']}}",
        "{server: {hosts: 'a'}}", "{server: {trusted_proxies: '127.0.0.1'}}", "{server: {trusted_proxies: ['10.0.0.1/8']}}",
        "{server: {cors_origins: [1]}}", "{delivery: {retries: [5, 'soon']}}",
        "{delivery: {retries: [0]}}", "{delivery: {retries: [NaN]}}", "{delivery: {retries: [[5]]}}", "{storage: {directory: ''}}",
        "{metrics: {token: ''}}", "{log: {level: true}}", "[]", "{mode: {}}",
    ])
    func `an invalid value is rejected`(file: String) {
        #expect(problems(file: file).count == 1)
    }

    @Test func `invalid JSON5 is one problem with its position`() throws {
        let found = problems(file: "{\n  server: {\n    loops 2\n  }\n}")
        #expect(found.map(\.description) == ["test.json5:3:11: Expected a colon after the key loops, found \"2\"."])
    }

    @Test func `an unreadable file is a problem`() throws {
        let error = try #require(throws: ConfigurationError.self) { try Configuration.load(file: "/nowhere/at.all", environment: [:]) }
        #expect(error.problems.map(\.source) == ["/nowhere/at.all"])
    }

    @Test func `a secret appears in no problem and no dump`() throws {
        let configuration = try read(file: "{metrics: {token: 'a-very-secret-token'}}")
        var dumped = ""
        dump(configuration, to: &dumped)
        #expect(!dumped.contains("very-secret") && !"\(configuration)".contains("very-secret"))
        #expect(!problems(file: "{metrics: {token: 'very-secret\\u0001'}}").description.contains("very-secret"))
    }

    @Test func `changed settings are listed with whether a reload applies them`() throws {
        let new = try read(file: "{server: {loops: 3}, log: {level: 'error'}}")
        let changed = changes(new)
        #expect(changed.map(\.key) == ["server.loops", "log.level"])
        #expect(changed.map(\.isLive) == [false, true])
    }

    @Test func `setting names and environment variables are unique`() {
        #expect(Set(Configuration.settings.map(\.key)).count == Configuration.settings.count)
        #expect(Set(Configuration.settings.map(\.environmentName)).count == Configuration.settings.count)
    }

    @Test func `a printed string reads back to the same value`() throws {
        let name = "\"a\"\\b\n\u{1b}\u{9}'é"
        let configuration = try Configuration.load(file: nil, environment: ["INGESTD_STORAGE_DIRECTORY": name])
        let printed = try #require(Configuration.settings.first { $0.key == "storage.directory" }).text(in: configuration)
        #expect(printed == #""\"a\"\\b\x0a\x1b\x09'é""#)
        var reader = ConfigurationReader(Configuration(), Configuration.settings)
        reader.read(file: "f", Array("{storage: {directory: \(printed)}}".utf8))
        #expect(try Configuration.settings.changed(from: reader.result(), to: configuration).isEmpty)
    }
}
