// SPDX-License-Identifier: Apache-2.0

import Messaging
package import Platform

/// Options of sending deliveries.
package struct SenderOptions: Sendable {
    package var origin = OriginLimits()
    package var retries = RetryPolicy.standard
    package var timeout = Timestamp.Span.seconds(15)
    package var threads = 2
    /// The number of requests under way of a thread.
    package var exchangesPerThread = 1_000
    /// The bytes of a response that are read.
    package var responseBytes = AttemptRecord.mostResponseBytes
    package var metricNames = SenderMetricNames.ofMessages
    package var destinations = DestinationPolicy()
    /// The proxy through which all requests go; nil for none.
    package var proxy: ProxyURL?
    package var userAgent = "Signalbox"
    /// A PEM file with the authorities to trust instead of the system's.
    package var certificateFile: String?

    package init() {}

    package static let settings: [Setting<SenderOptions>] = [
        Setting("in_flight", .count(1...10_000, "requests"), \.origin.inFlight, "Concurrent webhook requests to an origin (scheme, host and port)"),
        Setting("per_second", .count(0...100_000, "requests"), \.origin.perSecond, "Webhook requests a second to an origin; 0 is unlimited"),
        Setting(
            "timeout", .duration(.milliseconds(100) ... .seconds(100)), \.timeout, "Time limit of a webhook request, including the connection"),
        Setting(
            "retries", .durations(.milliseconds(1) ... .seconds(24 * 3_600)), \.retries.waits,
            "Pause after each failed attempt; when the last retry fails the delivery is a dead letter", live: true),
        Setting(
            "allowed_addresses", .addressRanges, \.destinations.addresses.allowed,
            "Private or own address ranges that webhooks may go to; in development those of this machine are allowed too", live: true),
        Setting("allowed_ports", .ports, \.destinations.ports, "Ports that webhooks may go to, such as [443, 8443]; empty for any", live: true),
        Setting(
            "proxy", .proxy, \.proxy,
            "Proxy for webhooks (http, https or socks5h, with a port); it resolves names, so it must reject internal addresses. null is none",
            live: true),
        Setting("threads", .count(1...64, "threads"), \.threads, "Threads that send webhooks"),
    ]
}
