// SPDX-License-Identifier: Apache-2.0

/// The state of the daemon as an app or the operator sees it.
package struct SystemResponse: Codable, Sendable {
    package struct Events: Codable, Sendable {
        package var accepted: UInt64
        package var duplicates: UInt64
        package var quarantined: UInt64
        /// The newest event's.
        package var lastSeq: Int64
        package var perSecond: Double

        package init(accepted: UInt64, duplicates: UInt64, quarantined: UInt64, lastSeq: Int64, perSecond: Double) {
            self.accepted = accepted
            self.duplicates = duplicates
            self.quarantined = quarantined
            self.lastSeq = lastSeq
            self.perSecond = perSecond
        }
    }

    package struct Commits: Codable, Sendable {
        package var count: UInt64
        package var failed: UInt64
        package var meanMilliseconds: Int
        package var p50Milliseconds: Double
        package var p99Milliseconds: Double

        package init(count: UInt64, failed: UInt64, meanMilliseconds: Int, p50Milliseconds: Double, p99Milliseconds: Double) {
            self.count = count
            self.failed = failed
            self.meanMilliseconds = meanMilliseconds
            self.p50Milliseconds = p50Milliseconds
            self.p99Milliseconds = p99Milliseconds
        }
    }

    /// The write queue of events.
    package struct Queue: Codable, Sendable {
        package var events: Int
        package var bytes: Int
        /// Requests rejected because it was full.
        package var refused: UInt64

        package init(events: Int, bytes: Int, refused: UInt64) {
            self.events = events
            self.bytes = bytes
            self.refused = refused
        }
    }

    /// The file of a day.
    package struct Partition: Codable, Sendable {
        package var day: String
        package var bytes: Int64

        package init(day: String, bytes: Int64) {
            self.day = day
            self.bytes = bytes
        }
    }

    /// The use of the operator's limits by an app. A limit is nil if there is none.
    package struct Usage: Codable, Sendable {
        /// The running UTC day.
        package var day: String
        /// Events, users and crashes sent today.
        package var events: Int
        /// Bytes of request bodies sent today.
        package var bytes: Int
        package var devices: Int
        package var storageBytes: Int64
        package var maxEventsPerDay: Int?
        package var maxBytesPerDay: Int?
        package var maxDevices: Int?
        package var maxStorageBytes: Int?

        package init(
            day: String, events: Int, bytes: Int, devices: Int, storageBytes: Int64, maxEventsPerDay: Int? = nil, maxBytesPerDay: Int? = nil,
            maxDevices: Int? = nil, maxStorageBytes: Int? = nil
        ) {
            self.day = day
            self.events = events
            self.bytes = bytes
            self.devices = devices
            self.storageBytes = storageBytes
            self.maxEventsPerDay = maxEventsPerDay
            self.maxBytesPerDay = maxBytesPerDay
            self.maxDevices = maxDevices
            self.maxStorageBytes = maxStorageBytes
        }
    }

    /// The figures of the whole machine, which only its operator sees.
    package struct Machine: Codable, Sendable {
        package var uptimeSeconds: Int
        package var connections: Int
        package var commits: Commits
        package var queue: Queue
        package var walBytes: Int
        package var freeDiskBytes: Int64
        package var mainBytes: Int64
        package var messagesBytes: Int64
        package var crashesBytes: Int64
        package var partitions: [Partition]

        package init(
            uptimeSeconds: Int, connections: Int, commits: Commits, queue: Queue, walBytes: Int, freeDiskBytes: Int64, mainBytes: Int64,
            messagesBytes: Int64, crashesBytes: Int64, partitions: [Partition]
        ) {
            self.uptimeSeconds = uptimeSeconds
            self.connections = connections
            self.commits = commits
            self.queue = queue
            self.walBytes = walBytes
            self.freeDiskBytes = freeDiskBytes
            self.mainBytes = mainBytes
            self.messagesBytes = messagesBytes
            self.crashesBytes = crashesBytes
            self.partitions = partitions
        }
    }

    package var version: String
    package var ready: Bool
    package var reasons: [String]
    /// Of the key's app; of all apps for the operator, unless one is named.
    package var events: Events
    /// Of the key's app, or of the one that the operator names.
    package var usage: Usage?
    /// Whether a program that reads DWARF is installed.
    package var readsDwarf: Bool
    /// Why functions of crash reports are incomplete; nil if the programs that name them work.
    package var symbolFailure: String?
    /// Why the readers of symbol files are not fully confined; nil if they are.
    package var confinementFailure: String?
    /// Why workers of functions have no control groups, or lack some limits; nil if they have, and before the first one.
    package var workerGroupFailure: String?
    /// Only for the operator.
    package var machine: Machine?

    package init(
        version: String, ready: Bool, reasons: [String], events: Events, usage: Usage? = nil, readsDwarf: Bool, symbolFailure: String? = nil,
        confinementFailure: String? = nil, workerGroupFailure: String? = nil, machine: Machine? = nil
    ) {
        self.version = version
        self.ready = ready
        self.reasons = reasons
        self.events = events
        self.usage = usage
        self.readsDwarf = readsDwarf
        self.symbolFailure = symbolFailure
        self.confinementFailure = confinementFailure
        self.workerGroupFailure = workerGroupFailure
        self.machine = machine
    }
}

/// `/healthz` and `/readyz`.
package struct HealthResponse: Codable, Sendable {
    package enum Status: String, Codable, Sendable {
        case alive, ready
        case notReady = "not ready"
    }

    package var status: Status
    /// Only of `/readyz`.
    package var reasons: [String]?

    package init(status: Status, reasons: [String]? = nil) {
        self.status = status
        self.reasons = reasons
    }
}
