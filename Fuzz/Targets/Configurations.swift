// SPDX-License-Identifier: Apache-2.0

import Platform

/// Configuration files and variables: a rejection has a position, and an accepted value is printed as it can be read again.
///
/// The settings are one of each type, under names of the daemon's; the reader is the same.
enum Configurations {
    private enum Mode: String, CaseIterable, Sendable {
        case development, production
    }

    private struct Sample: Equatable {
        struct Server: Equatable {
            var listen = ListenAddress(IPAddress(v4: 0x7f00_0001), port: 8_787)
            var hosts: [HostName] = []
            var loops = 2
            var trustedProxies: [AddressRange] = []
            var headerTimeout = Duration.seconds(10)
            var maxBody = 5 << 20
            var corsOrigins = [OriginRule.any]
        }

        var mode = Mode.production
        var server = Server()
        var directory = "./data"
        var dedupeDays = 7
        var minFreeDisk = 64 << 20
        var staleAfter = Timestamp.Span.days(30)
        var retries = [Timestamp.Span.seconds(5)]
        var isSQLEnabled = false
        var level = LogLevel.info
        var token: Secret?
    }

    private static let settings: [Setting<Sample>] = [
        Setting("mode", .choice(), \.mode, ""),
        Setting("server.listen", .address, \.server.listen, ""),
        Setting("server.hosts", .hosts, \.server.hosts, ""),
        Setting("server.loops", .count(1...64, "threads"), \.server.loops, ""),
        Setting("server.trusted_proxies", .addressRanges, \.server.trustedProxies, ""),
        Setting("server.header_timeout", .duration(.milliseconds(100) ... .seconds(3_600)), \.server.headerTimeout, ""),
        Setting("server.max_body", .size(1 << 10...1 << 30), \.server.maxBody, ""),
        Setting("server.cors_origins", .origins, \.server.corsOrigins, ""),
        Setting("storage.directory", .text, \.directory, ""),
        Setting("storage.dedupe_days", .count(7...90, "days"), \.dedupeDays, ""),
        Setting("storage.min_free_disk", .size(0...1 << 50), \.minFreeDisk, ""),
        Setting("messages.stale_days", .days(1...3_650), \.staleAfter, ""),
        Setting("delivery.retries", .durations(.milliseconds(1) ... .seconds(86_400)), \.retries, ""),
        Setting("sql.enabled", .flag, \.isSQLEnabled, ""),
        Setting("log.level", .choice(), \.level, ""),
        Setting("metrics.token", .secret, \.token, ""),
    ]

    static func run(_ bytes: [UInt8]) {
        readFile(bytes)
        guard let choice = bytes.first, let text = String(validating: bytes.dropFirst(), as: UTF8.self) else { return }
        readVariable(settings[Int(choice) % settings.count], text)
        readQuantities(text)
    }

    private static func readFile(_ bytes: [UInt8]) {
        var reader = ConfigurationReader(Sample(), settings)
        reader.read(file: "f", bytes)
        do throws(ConfigurationError) {
            let configuration = try reader.result()
            accepted()
            require(read { $0.read(file: "f", bytes) } == configuration, "read differently the second time")
        } catch {
            require(!error.problems.isEmpty && !error.description.isEmpty, "a rejection without a problem")
            for problem in error.problems { require((problem.line ?? 1) >= 1 && (problem.column ?? 1) >= 1, "a position before the start") }
        }
    }

    /// Checks that an accepted variable is printed as a configuration file that sets the same value.
    private static func readVariable(_ setting: Setting<Sample>, _ text: String) {
        guard setting.key != "metrics.token", let configuration = read({ $0.read(environment: [setting.environmentName: text]) }) else { return }
        let printed = setting.text(in: configuration)
        let member = "\(setting.leaf): \(printed)"
        let file = setting.section.isEmpty ? "{\(member)}" : "{\(setting.section): {\(member)}}"
        require(read { $0.read(file: "f", Array(file.utf8)) } == configuration, "\(setting.key) is printed as \(printed), which reads differently")
    }

    private static func read(_ source: (inout ConfigurationReader<Sample>) -> Void) -> Sample? {
        var reader = ConfigurationReader(Sample(), settings)
        source(&reader)
        return try? reader.result()
    }

    private static func readQuantities(_ text: String) {
        if let duration = Quantity.duration(text) { require(Quantity.duration(Quantity.text(duration)) == duration, "lost a part of \(duration)") }
        if let size = Quantity.size(text) { require(Quantity.size(Quantity.text(size: size)) == size, "lost a part of \(size) bytes") }
    }
}
