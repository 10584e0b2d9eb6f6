// SPDX-License-Identifier: Apache-2.0

/// The size limits of a request head.
package struct HeadLimits: Sendable {
    var requestLine = 8 * 1_024
    package var headerBytes = 32 * 1_024
    package var fields = 64

    package init() {}
}
