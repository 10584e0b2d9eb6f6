// SPDX-License-Identifier: Apache-2.0

import EventStore
import HTTPServer
import JSON
import Platform
import AcrossStores
import Symbols

/// How the daemon is doing, for its operator.
enum System {
    @Sendable static func status(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        try call.query().allow("app")
        let status = try await daemon.store.status()
        let connections = daemon.connections
        let reasons = daemon.troubles()
        let gauges = daemon.store.events.gauges
        var state = gauges.now
        let rate = state.rate.perSecond(at: daemon.clock.now().milliseconds.flooredQuotient(by: 1_000))
        let uptime = daemon.uptimeSeconds
        let readsDWARF = daemon.symbolizer.readsDWARF
        return .response(
            .json { json in
                json.beginObject()
                json.field("version", Version.current)
                json.field("uptime_seconds", uptime)
                json.field("ready", reasons.isEmpty)
                json.key("reasons")
                json.beginArray()
                for reason in reasons { json.string(reason) }
                json.endArray()
                json.field("connections", connections)
                json.write(status, gauges, rate)
                json.field("reads_dwarf", readsDWARF)
                json.endObject()
            })
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ status: StoreStatus, _ gauges: EventGauges, _ rate: Double) {
        key("events")
        write(eventsOf: gauges, rate)
        key("commits")
        write(commitsOf: gauges)
        key("queue")
        beginObject()
        field("events", status.queuedEvents)
        field("bytes", status.queuedBytes)
        field("refused", gauges.refused.value)
        endObject()
        field("wal_bytes", Int(gauges.walBytes.value))
        writeSizes(status)
    }

    private mutating func write(eventsOf gauges: EventGauges, _ rate: Double) {
        beginObject()
        field("accepted", gauges.accepted.value)
        field("duplicates", gauges.duplicates.value)
        field("quarantined", gauges.quarantined.value)
        field("last_seq", gauges.now.lastSeq)
        key("per_second")
        decimal(millionths: Int64(rate * 1_000_000))
        endObject()
    }

    private mutating func write(commitsOf gauges: EventGauges) {
        beginObject()
        field("count", gauges.commits.value)
        field("failed", gauges.failedCommits.value)
        field("mean_milliseconds", gauges.commitTime.meanMilliseconds)
        for (name, share) in [("p50_milliseconds", 0.5), ("p99_milliseconds", 0.99)] {
            key(name)
            decimal(millionths: Int64((gauges.commitTime.quantile(share) * 1e6).rounded()) * 1_000)
        }
        endObject()
    }

    private mutating func writeSizes(_ status: StoreStatus) {
        field("free_disk_bytes", status.freeDiskBytes)
        field("main_bytes", status.mainBytes)
        field("messages_bytes", status.messagesBytes)
        field("crashes_bytes", status.crashesBytes)
        key("partitions")
        beginArray()
        for partition in status.partitions {
            beginObject()
            field("day", partition.day.text)
            field("bytes", partition.bytes)
            endObject()
        }
        endArray()
    }
}

extension Histogram {
    fileprivate var meanMilliseconds: Int {
        Int((mean * 1_000).rounded())
    }
}
