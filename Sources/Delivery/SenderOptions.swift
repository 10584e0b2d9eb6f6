// SPDX-License-Identifier: Apache-2.0

package import Platform

/// How deliveries are sent; the daemon fills it from its configuration.
package struct SenderOptions: Sendable {
    package var origin = OriginLimits()
    package var retries = RetryPolicy.standard
    /// For a whole exchange, the connection included.
    package var timeout = Timestamp.Span.seconds(15)
    /// Threads that send.
    package var threads = 2
    package var addresses = AddressPolicy()
    package var userAgent = "Signalbox"
    /// The authorities to trust instead of the system's, as a PEM file.
    package var certificateFile: String?

    package init() {}
}
