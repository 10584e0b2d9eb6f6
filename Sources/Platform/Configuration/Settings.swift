// SPDX-License-Identifier: Apache-2.0

extension Setting {
    /// Every setting there is; a new key is a line here, a field in `Configuration` and a line in each file of `config/`.
    package static let all: [Setting] = general + server + storage + limits + crashes + messages + delivery + asking + observation

    private static let general: [Setting] = [
        Setting("mode", .choice(), \.mode, "development prints keys and makes a first app; production does neither")
    ]

    private static let server: [Setting] = [
        Setting(
            "server.listen", .address, \.server.listen,
            "where to listen: HOST:PORT, or unix:PATH for a proxy; anything but loopback is reachable from outside, without TLS"),
        Setting(
            "server.hosts", .hosts, \.server.hosts, "names beside localhost under which this machine may read /metrics without the token", live: true),
        Setting("server.loops", .count(1...64), \.server.loops, "threads that serve connections"),
        Setting("server.max_connections", .count(1...1_000_000), \.server.maxConnections, "connections open at once; needs as many file descriptors"),
        Setting(
            "server.max_connections_per_address", .count(1...1_000_000), \.server.maxConnectionsPerAddress,
            "of these, from one address that is no trusted proxy"),
        Setting(
            "server.trusted_proxies", .addressRanges, \.server.trustedProxies,
            "peers whose X-Forwarded-For is believed; through a socket file every peer is one"),
        Setting(
            "server.header_timeout", .duration(.milliseconds(100) ... .hours(1)), \.server.headerTimeout, "a request's head must be here by then"),
        Setting(
            "server.idle_timeout", .duration(.milliseconds(100) ... .hours(24)), \.server.idleTimeout,
            "a connection without a request is closed after it"),
        Setting(
            "server.write_timeout", .duration(.milliseconds(100) ... .hours(1)), \.server.writeTimeout, "an answer nobody reads is given up after it"),
        Setting(
            "server.body_grace", .duration(.milliseconds(100) ... .hours(1)), \.server.bodyGrace,
            "how far a body may fall behind its rate; also the longest silence in it"),
        Setting("server.body_min_rate", .size(1...1 << 30), \.server.bodyMinRate, "bytes per second a body must keep up"),
        Setting("server.max_header_bytes", .size(1 << 10...1 << 20), \.server.maxHeaderBytes, "request line and header fields together"),
        Setting("server.max_body", .size(1 << 10...1 << 30), \.server.maxBody, "a body as it comes over the wire"),
        Setting("server.max_decoded_body", .size(1 << 10...1 << 30), \.server.maxDecodedBody, "the same body after decompression"),
        Setting(
            "server.request_memory", .size(96 << 20...1 << 40), \.server.requestMemory,
            "memory for all requests from arrival to answer: bodies and what is made of them; at least six of the largest"),
        Setting("server.drain_grace", .duration(.zero ... .hours(1)), \.server.drainGrace, "time a stopping daemon gives to requests under way"),
        Setting("server.cors_origins", .origins, \.server.corsOrigins, "web origins that may send events; \"*\" is any", live: true),
    ]

    private static let storage: [Setting] = [
        Setting("storage.directory", .text, \.storage.directory, "the data folder; one daemon at a time holds its lock"),
        Setting("storage.queue_bytes", .size(1 << 20...1 << 40), \.storage.queueBytes, "bytes waiting for the disk before requests are refused"),
        Setting(
            "storage.queue_events", .count(1_000...100_000_000), \.storage.queueEvents, "events waiting for the disk before requests are refused"),
        Setting("storage.commit_events", .count(1...1_000_000), \.storage.commitEvents, "events in one commit at most"),
        Setting("storage.checkpoint_pages", .count(100...1_000_000), \.storage.checkpointPages, "pages of write-ahead log that start a checkpoint"),
        Setting("storage.max_wal", .size(1 << 20...1 << 40), \.storage.maxWAL, "write-ahead log beyond which the daemon is not ready"),
        Setting("storage.min_free_disk", .size(0...1 << 50), \.storage.minFreeDisk, "free space below which nothing is taken in"),
        Setting(
            "storage.retention_interval", .duration(.seconds(1) ... .hours(24)), \.storage.retentionInterval,
            "how often to look for data past its retention"),
        Setting("storage.dedupe_days", .count(7...90), \.storage.dedupeDays, "days of receipt in which an event id counts once"),
    ]

    private static let limits: [Setting] = [
        Setting("limits.quarantine_rows", .count(0...100_000_000), \.limits.quarantineRows, "quarantined events kept per app and day"),
        Setting("limits.quarantine_bytes", .size(0...1 << 40), \.limits.quarantineBytes, "their bytes kept per app and day"),
    ]

    private static let crashes: [Setting] = [
        Setting(
            "crashes.kept_reports", .count(1...10_000_000), \.crashes.keptReports, "whole reports kept of an app; beyond them, a sample of each issue"
        ),
        Setting("crashes.kept_reports_per_issue", .count(1...10_000_000), \.crashes.keptReportsPerIssue, "of these, of one issue"),
        Setting("crashes.issues", .count(1...10_000_000), \.crashes.issues, "issues of an app; what is new beyond them is gathered in one"),
        Setting("crashes.kept_bytes", .size(1 << 20...1 << 40), \.crashes.keptBytes, "their compressed bytes kept of an app"),
        Setting("crashes.symbol_file", .size(1 << 10...1 << 40), \.crashes.symbolFile, "one uploaded symbol file"),
        Setting("crashes.symbol_bytes", .size(1 << 10...1 << 50), \.crashes.symbolBytes, "an app's symbol files together"),
        Setting(
            "crashes.symbolizer", .text, \.crashes.symbolizer, "the program that reads DWARF: a path, or a name that is looked for where programs are"
        ),
        Setting(
            "crashes.velocity_window", .duration(.seconds(60) ... .hours(24)), \.crashes.velocityWindow,
            "the time in which an issue that spreads fast is noticed", live: true),
        Setting(
            "crashes.velocity_users", .count(1...1_000_000), \.crashes.velocityUsers, "people an issue must meet in it to be told of", live: true),
        Setting(
            "crashes.velocity_permille", .count(0...1_000), \.crashes.velocityPermille,
            "and sessions of the release it must end, in thousandths", live: true),
    ]

    private static let messages: [Setting] = [
        Setting("messages.stale_days", .count(1...3_650), \.messages.staleDays, "days without a contact after which a device counts as stale"),
        Setting("messages.expired_days", .count(1...3_650), \.messages.expiredDays, "days without a contact after which a device is gone"),
        Setting("messages.disabled_days", .count(1...365), \.messages.disabledDays, "days of nothing but failures that disable a webhook"),
        Setting("messages.kept_days", .count(1...3_650), \.messages.keptDays, "days for which an expired message can be looked at"),
        Setting("messages.topics_per_device", .count(1...100_000), \.messages.topicsPerDevice, "topics a device can be in"),
        Setting(
            "messages.pending_per_stream", .count(1...100_000), \.messages.pendingPerStream,
            "messages that wait for a stream's reader; beyond them the oldest expire"),
        Setting(
            "messages.secret_grace_hours", .count(0...8_760), \.messages.secretGraceHours, "hours for which a secret that was replaced signs, too"),
        Setting("messages.challenge_tries", .count(1...10), \.messages.challengeTries, "times an endpoint is asked to prove itself"),
        Setting("messages.chunk", .count(1...100_000), \.messages.chunk, "deliveries made in one commit"),
        Setting("messages.queue", .count(1...1_000_000), \.messages.queue, "changes that wait for the disk before requests are refused"),
    ]

    private static let delivery: [Setting] = [
        Setting("delivery.in_flight", .count(1...10_000), \.delivery.inFlight, "webhooks under way at once to one scheme, host and port"),
        Setting("delivery.per_second", .count(0...100_000), \.delivery.perSecond, "webhooks a second to one scheme, host and port; 0 is unlimited"),
        Setting("delivery.timeout", .duration(.milliseconds(100) ... .seconds(100)), \.delivery.timeout, "for a whole exchange with a receiver"),
        Setting(
            "delivery.retries", .durations(.milliseconds(1) ... .hours(24)), \.delivery.retries,
            "how long to wait after each failed attempt; after the last wait's attempt a delivery is dead"),
        Setting(
            "delivery.allowed_addresses", .addressRanges, \.delivery.allowedAddresses,
            "addresses inside your network that webhooks may go to; in development also this machine's own"),
        Setting("delivery.threads", .count(1...64), \.delivery.threads, "threads that send"),
    ]

    private static let asking: [Setting] = [
        Setting("stream.listeners", .count(0...1_000_000), \.stream.listeners, "devices that read their messages as a stream at once"),
        Setting(
            "stream.keep_alive", .duration(.milliseconds(10) ... .hours(1)), \.stream.keepAlive, "a stream with nothing to tell says so that often",
            live: true),
        Setting(
            "alerts.interval", .duration(.milliseconds(10) ... .hours(1)), \.alerts.interval,
            "how often to look for what is told on the topics $alerts.…", live: true),
        Setting("tail.listeners", .count(0...10_000), \.tail.listeners, "live tails open at once; 0 allows none"),
        Setting("tail.listeners_per_key", .count(1...10_000), \.tail.listenersPerKey, "of these, with one key"),
        Setting("tail.memory", .size(1 << 10...1 << 40), \.tail.memory, "commits kept for tails that have yet to see them, while there are any"),
        Setting(
            "tail.keep_alive", .duration(.milliseconds(10) ... .hours(1)), \.tail.keepAlive, "a tail with nothing to tell says so that often",
            live: true),
        Setting("sql.enabled", .flag, \.sql.enabled, "lets admin keys ask in SQL about their app", live: true),
        Setting("sql.timeout", .duration(.milliseconds(10) ... .hours(1)), \.sql.timeout, "a question in SQL is given up after it", live: true),
    ]

    private static let observation: [Setting] = [
        Setting("log.format", .choice(), \.log.format, "logfmt for people, json for collectors", live: true),
        Setting("log.level", .choice(), \.log.level, "the least important lines that are written", live: true),
        Setting("metrics.token", .secret, \.metrics.token, "lets others than loopback read /metrics; null lets nobody", live: true),
    ]
}

extension Duration {
    fileprivate static func hours(_ n: Int64) -> Duration { .seconds(n * 3_600) }
}
