// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AcrossStores
import Alerts
import CrashStore
import Delivery
import DocumentStore
import EventStore
import FileStore
import FunctionStore
import HTTPServer
import MessageStore
import Platform
import Symbols
import Workers

/// Everything an operator can set. Each module owns its options and describes them as `settings`; this type composes them.
///
/// A new setting is a field of the option type that uses it and a line in that type's `settings`. The configuration file, the
/// environment, `ingestd check`, the files in `config/` and docs/reference/configuration.md follow from there.
struct Configuration: Sendable {
    enum Mode: String, CaseIterable, Sendable {
        case development, production
    }

    var mode = Mode.production
    var server = ServerOptions()
    var http = HTTPServerConfiguration()
    var storage = StorageOptions()
    var store = StoreOptions()
    var symbols = SymbolFolder.Limits()
    var crashes = CrashOptions()
    var delivery = SenderOptions()
    var functions = FunctionOptions()
    var workers = WorkerOptions()
    var stream = StreamOptions()
    var accounts = AccountOptions()
    var mail = MailOptions()
    var alerts = AlertOptions()
    var tail = TailOptions()
    var sql = SQLOptions()
    var log = LogOptions()
    var metrics = MetricsOptions()

    /// All settings, by sections.
    static let settings: [Setting<Configuration>] =
        [Setting("mode", .choice(), \.mode, "development prints keys and creates a first app; production does neither")]
        + ServerOptions.settings.map { $0.within("server", \.server) } + HTTPServerConfiguration.settings.map { $0.within("server", \.http) }
        + StorageOptions.settings.map { $0.within("storage", \.storage) }
        + EventStoreOptions.queueSettings.map { $0.within("storage", \.store.events) }
        + EventStoreOptions.quarantineSettings.map { $0.within("limits", \.store.events) }
        + CrashBounds.settings.map { $0.within("crashes", \.store.crashes) }
        + SymbolFolder.Limits.settings.map { $0.within("crashes", \.symbols) } + CrashOptions.settings.map { $0.within("crashes", \.crashes) }
        + MessageBounds.settings.map { $0.within("messages", \.store.messages) }
        + DocumentBounds.settings.map { $0.within("documents", \.store.documents) }
        + FileBounds.settings.map { $0.within("files", \.store.files) }
        + FunctionBounds.settings.map { $0.within("functions", \.store.functions) }
        + SenderOptions.settings.map { $0.within("delivery", \.delivery) }
        + FunctionOptions.settings.map { $0.within("functions", \.functions) }
        + WorkerOptions.settings.map { $0.within("functions", \.workers) }
        + MessageBounds.streamSettings.map { $0.within("stream", \.store.messages) } + StreamOptions.settings.map { $0.within("stream", \.stream) }
        + AccountOptions.settings.map { $0.within("accounts", \.accounts) }
        + AccountBounds.settings.map { $0.within("accounts", \.store.accounts) }
        + MailOptions.settings.map { $0.within("mail", \.self).within("accounts", \.mail) }
        + AlertOptions.settings.map { $0.within("alerts", \.alerts) }
        + Tail.Limits.settings.map { $0.within("tail", \.store.events.tail) } + TailOptions.settings.map { $0.within("tail", \.tail) }
        + SQLOptions.settings.map { $0.within("sql", \.sql) }
        + LogOptions.settings.map { $0.within("log", \.log) } + MetricsOptions.settings.map { $0.within("metrics", \.metrics) }

    /// Loads the defaults, then the file, the environment and flags; the last one wins.
    static func load(
        file: String?, environment: [String: String] = ProcessEnvironment.variables, flags: [ConfigurationFlag] = []
    ) throws(ConfigurationError) -> Configuration {
        var reader = ConfigurationReader(Configuration(), settings)
        try reader.read(file: file, environment: environment, flags: flags)
        return try reader.result()
    }
}

// MARK: - Options of the daemon itself

/// Options of the HTTP API that are independent of connections.
struct ServerOptions: Sendable {
    var listen = ListenAddress(IPAddress(v4: 0x7f00_0001), port: 8_787)
    var hosts: [HostName] = []
    var maxBody = 5 << 20
    var maxDecodedBody = 5 << 20
    var drainGrace = Duration.seconds(20)
    var corsOrigins = [OriginRule.any]
    var keyFailures = 120

    static let settings: [Setting<ServerOptions>] = [
        Setting(
            "listen", .address, \.listen,
            "Address to listen on: HOST:PORT, or unix:PATH for a proxy. Addresses other than loopback are reachable from outside, without TLS"),
        Setting(
            "hosts", .hosts, \.hosts, "Host names besides localhost under which loopback clients may read /metrics without the token", live: true),
        Setting("max_body", .size(1 << 10...1 << 30), \.maxBody, "Size limit of a request body as sent"),
        Setting("max_decoded_body", .size(1 << 10...1 << 30), \.maxDecodedBody, "Size limit of a request body after decompression"),
        Setting("drain_grace", .duration(.zero ... .hours(1)), \.drainGrace, "Time limit for requests under way when the daemon stops"),
        Setting(
            "cors_origins", .origins, \.corsOrigins,
            "Origins whose web pages may use ingest keys; https://*.shop.example allows all subdomains, and \"*\" all origins", live: true),
        Setting(
            "key_failures", .count(0...1_000_000, "requests"), \.keyFailures,
            "Requests with unknown keys that an address may send in a minute before they get 429; 0 for any number", live: true),
    ]
}

/// Options of the data folder. Data retention itself is the app setting `retention_days` in `AppSettings`, not an option of the daemon.
struct StorageOptions: Sendable {
    var directory = "./data"
    var maxWAL = 512 << 20
    var minFreeDisk = 64 << 20
    var retentionInterval = Duration.seconds(300)

    static let settings: [Setting<StorageOptions>] = [
        Setting("directory", .text, \.directory, "Data folder; one daemon at a time holds its lock"),
        Setting("max_wal", .size(1 << 20...1 << 40), \.maxWAL, "Size of the write-ahead log above which the daemon is not ready"),
        Setting("min_free_disk", .size(0...1 << 50), \.minFreeDisk, "Free disk space below which data is rejected"),
        Setting(
            "retention_interval", .duration(.seconds(1) ... .hours(24)), \.retentionInterval, "Interval between deletions of data past its retention"),
    ]
}

/// Options of symbolication and of alerts about spreading crashes.
struct CrashOptions: Sendable {
    var symbolizer = "llvm-symbolizer"
    var velocityWindow = Duration.seconds(1_800)
    var velocityUsers = 25
    var velocityPermille = 10

    static let settings: [Setting<CrashOptions>] = [
        Setting("symbolizer", .text, \.symbolizer, "Program that reads DWARF: a path, or a name to look up in PATH"),
        Setting(
            "velocity_window", .duration(.seconds(60) ... .hours(24)), \.velocityWindow, "Time window of the alert for fast-spreading issues",
            live: true),
        Setting("velocity_users", .count(1...1_000_000, "users"), \.velocityUsers, "Users an issue must affect in the window to alert", live: true),
        Setting(
            "velocity_permille", .count(0...1_000, "per mille"), \.velocityPermille,
            "Share of the release's sessions that an issue must end in the window to alert", live: true),
    ]
}

/// Options of requests to the addresses of functions.
struct FunctionOptions: Sendable {
    var addresses: [AddressRange] = []

    static let settings: [Setting<FunctionOptions>] = [
        Setting(
            "addresses", .addressRanges, \.addresses,
            "Private or own address ranges that functions may have; in development those of this machine are allowed too", live: true)
    ]
}

/// Options of message streams.
struct StreamOptions: Sendable {
    var keepAlive = Duration.seconds(45)

    static let settings: [Setting<StreamOptions>] = [
        Setting("keep_alive", .duration(.milliseconds(10) ... .hours(1)), \.keepAlive, "Interval of keep-alive comments on idle streams", live: true)
    ]
}

/// Options of live tails.
struct TailOptions: Sendable {
    var keepAlive = Duration.seconds(15)

    static let settings: [Setting<TailOptions>] = [
        Setting("keep_alive", .duration(.milliseconds(10) ... .hours(1)), \.keepAlive, "Interval of keep-alive comments on idle tails", live: true)
    ]
}

/// Options of SQL queries.
struct SQLOptions: Sendable {
    var enabled = false
    var timeout = Duration.seconds(10)

    static let settings: [Setting<SQLOptions>] = [
        Setting("enabled", .flag, \.enabled, "Whether admin keys may run SQL queries over their app", live: true),
        Setting("timeout", .duration(.milliseconds(10) ... .hours(1)), \.timeout, "Time limit of an SQL query", live: true),
    ]
}

/// Options of the log.
struct LogOptions: Sendable {
    var format = LogFormat.logfmt
    var level = LogLevel.info

    static let settings: [Setting<LogOptions>] = [
        Setting("format", .choice(), \.format, "logfmt for people, json for log collectors", live: true),
        Setting("level", .choice(), \.level, "Lowest level that is written", live: true),
    ]
}

/// Options of /metrics.
struct MetricsOptions: Sendable {
    /// The length below which a token can be guessed. Such a token works with a warning.
    static let shortestToken = 16

    var token: Secret?

    var hasShortToken: Bool { token.map { $0.revealed.utf8.count < MetricsOptions.shortestToken } ?? false }

    static let settings: [Setting<MetricsOptions>] = [
        Setting("token", .secret, \.token, "Token with which other than loopback clients may read /metrics; null allows none", live: true)
    ]
}

extension Duration {
    fileprivate static func hours(_ n: Int64) -> Duration { .seconds(n * 3_600) }
}
