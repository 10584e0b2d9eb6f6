// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Delivery
import EventStore
import HTTPServer
import MessageStore
import Platform
import AcrossStores
import Symbols

// What each part is told of the configuration.

extension StoreOptions {
    init(_ configuration: Configuration) {
        self.init()
        events.queueEvents = configuration.storage.queueEvents
        events.queueBytes = configuration.storage.queueBytes
        events.commitEvents = configuration.storage.commitEvents
        events.checkpointPages = configuration.storage.checkpointPages
        events.dedupeDays = configuration.storage.dedupeDays
        events.quarantineRows = configuration.limits.quarantineRows
        events.quarantineBytes = configuration.limits.quarantineBytes
        events.tail.listeners = configuration.tail.listeners
        events.tail.listenersPerKey = configuration.tail.listenersPerKey
        events.tail.bytes = configuration.tail.memory
        messages = MessageBounds(configuration)
        crashes = CrashBounds(configuration)
    }
}

extension CrashBounds {
    fileprivate init(_ configuration: Configuration) {
        self.init()
        payloadsOfApp = configuration.crashes.keptReports
        payloadsOfIssue = configuration.crashes.keptReportsPerIssue
        issues = configuration.crashes.issues
        bytesOfApp = Int64(configuration.crashes.keptBytes)
    }
}

extension SymbolFolder.Limits {
    init(_ configuration: Configuration) {
        self.init()
        fileBytes = configuration.crashes.symbolFile
        appBytes = Int64(configuration.crashes.symbolBytes)
        freeBytes = Int64(configuration.storage.minFreeDisk)
    }
}

extension MessageBounds {
    fileprivate init(_ configuration: Configuration) {
        self.init()
        let messages = configuration.messages
        staleAfter = .days(Int64(messages.staleDays))
        expiredAfter = .days(Int64(messages.expiredDays))
        disabledAfter = .days(Int64(messages.disabledDays))
        keptAfter = .days(Int64(messages.keptDays))
        topicsOfRegistration = messages.topicsPerDevice
        pendingOfStream = messages.pendingPerStream
        graceOfSecret = .hours(Int64(messages.secretGraceHours))
        challengeTries = messages.challengeTries
        chunk = messages.chunk
        queue = messages.queue
        streams = configuration.stream.listeners
    }
}

extension SenderOptions {
    init(_ configuration: Configuration) {
        self.init()
        let delivery = configuration.delivery
        origin.inFlight = delivery.inFlight
        origin.perSecond = delivery.perSecond
        retries = RetryPolicy(waits: delivery.retries.map { Timestamp.Span($0) })
        timeout = Timestamp.Span(delivery.timeout)
        threads = delivery.threads
        let own = configuration.mode == .development ? ["127.0.0.0/8", "::1"].compactMap(AddressRange.init) : []
        addresses = AddressPolicy(allowing: delivery.allowedAddresses + own)
        userAgent = "Signalbox/\(Version.current)"
    }
}

extension Timestamp.Span {
    init(_ duration: Duration) {
        self.init(milliseconds: Int64(duration / .milliseconds(1)))
    }
}

extension HTTPServerConfiguration {
    init(_ configuration: Configuration, controlSocket: String, onlyControl: Bool) {
        let server = configuration.server
        self.init(listen: [], controlSocket: controlSocket)
        switch server.listen {
        case _ where onlyControl: break
        case .tcp(let address, let port): listen = [Endpoint(host: address.description, port: port)]
        case .unix(let path): proxySocket = path
        }
        loops = onlyControl ? 1 : server.loops
        trustedProxies = server.trustedProxies.map(\.description)
        deadlines.header = server.headerTimeout
        deadlines.idle = server.idleTimeout
        deadlines.write = server.writeTimeout
        deadlines.bodyGrace = server.bodyGrace
        deadlines.minimumBytesPerSecond = server.bodyMinRate
        caps = Caps(server)
    }
}

extension HTTPServerConfiguration.Caps {
    init(_ server: Configuration.Server) {
        self.init()
        connections = server.maxConnections
        connectionsPerAddress = server.maxConnectionsPerAddress
        // A body of any size that is allowed gets through, with what is made of it: a client that is alone has a third.
        requestMemory = max(server.requestMemory, 6 * (server.maxBody + server.maxDecodedBody))
        head.headerBytes = server.maxHeaderBytes
    }
}
