// SPDX-License-Identifier: Apache-2.0

/// Everything the operator may set, with its default; `Settings.swift` names each key, its range and its meaning.
package struct Configuration: Sendable, Equatable {
    package enum Mode: String, CaseIterable, Sendable {
        case development, production
    }

    package var mode = Mode.production
    package var server = Server()
    package var storage = Storage()
    package var limits = Limits()
    package var crashes = Crashes()
    package var messages = Messages()
    package var delivery = Delivery()
    package var stream = Stream()
    package var alerts = Alerts()
    package var tail = Tail()
    package var sql = SQL()
    package var log = Log()
    package var metrics = Metrics()

    package init() {}

    package struct Server: Sendable, Equatable {
        package var listen = ListenAddress(IPAddress(v4: 0x7f00_0001), port: 8_787)
        package var hosts: [HostName] = []
        package var loops = 2
        package var maxConnections = 20_000
        package var maxConnectionsPerAddress = 1_024
        package var trustedProxies = ["127.0.0.0/8", "::1/128"].compactMap(AddressRange.init)
        package var headerTimeout = Duration.seconds(10)
        package var idleTimeout = Duration.seconds(60)
        package var writeTimeout = Duration.seconds(30)
        package var bodyGrace = Duration.seconds(10)
        package var bodyMinRate = 1_024
        package var maxHeaderBytes = 32 << 10
        package var maxBody = 5 << 20
        package var maxDecodedBody = 5 << 20
        package var requestMemory = 192 << 20
        package var drainGrace = Duration.seconds(20)
        package var corsOrigins = ["*"]
    }

    package struct Storage: Sendable, Equatable {
        package var directory = "./data"
        package var queueBytes = 64 << 20
        package var queueEvents = 200_000
        package var commitEvents = 8_192
        package var checkpointPages = 4_000
        package var maxWAL = 512 << 20
        package var minFreeDisk = 64 << 20
        package var retentionInterval = Duration.seconds(300)
        package var dedupeDays = 7
    }

    package struct Limits: Sendable, Equatable {
        package var quarantineRows = 100_000
        package var quarantineBytes = 256 << 20
    }

    package struct Crashes: Sendable, Equatable {
        package var keptReports = 10_000
        package var keptReportsPerIssue = 1_000
        package var issues = 20_000
        package var keptBytes = 1 << 30
        package var symbolFile = 1 << 30
        package var symbolBytes = 10 << 30
        package var symbolizer = "llvm-symbolizer"
        package var velocityWindow = Duration.seconds(1_800)
        package var velocityUsers = 25
        package var velocityPermille = 10
    }

    package struct Messages: Sendable, Equatable {
        package var staleDays = 30
        package var expiredDays = 270
        package var disabledDays = 5
        package var keptDays = 30
        package var topicsPerDevice = 2_000
        package var pendingPerStream = 100
        package var secretGraceHours = 24
        package var challengeTries = 3
        package var chunk = 5_000
        package var queue = 8_192
    }

    package struct Delivery: Sendable, Equatable {
        package var inFlight = 64
        package var perSecond = 0
        package var timeout = Duration.seconds(15)
        package var retries = [Int64(5), 300, 1_800, 7_200, 18_000, 36_000, 36_000].map { Duration.seconds($0) }
        package var allowedAddresses: [AddressRange] = []
        package var threads = 2
    }

    package struct Alerts: Sendable, Equatable {
        package var interval = Duration.seconds(30)
    }

    package struct Stream: Sendable, Equatable {
        package var listeners = 10_000
        package var keepAlive = Duration.seconds(45)
    }

    package struct Tail: Sendable, Equatable {
        package var listeners = 64
        package var listenersPerKey = 16
        package var memory = 16 << 20
        package var keepAlive = Duration.seconds(15)
    }

    package struct SQL: Sendable, Equatable {
        package var enabled = false
        package var timeout = Duration.seconds(10)
    }

    package struct Log: Sendable, Equatable {
        package var format = LogFormat.logfmt
        package var level = LogLevel.info
    }

    package struct Metrics: Sendable, Equatable {
        package var token: Secret?
    }
}
