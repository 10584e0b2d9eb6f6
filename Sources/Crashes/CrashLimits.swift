// SPDX-License-Identifier: Apache-2.0

/// What a report may hold; more is cut, and the report says so.
package enum CrashLimits {
    /// Bytes of one report as it is kept, and decoded bytes of a request with several.
    package static let reportBytes = 1 << 20
    package static let requestBytes = 5 << 20
    package static let reportsPerRequest = 100
    /// Of one report with the names that symbol files know for its addresses.
    package static let readableReportBytes = 8 << 20
    package static let frames = 250
    /// Of all stacks of a request together.
    package static let framesPerRequest = 50_000
    /// Of a report that is text: more than all frames and images that are kept of one.
    package static let textLines = 100_000
    package static let threads = 256
    package static let threadFrames = 250
    package static let exceptions = 50
    package static let images = 1_000
    package static let breadcrumbs = 100
    package static let breadcrumbBytes = 8_192
    package static let customKeys = 64
    package static let customKeyBytes = 1_024
    package static let logBytes = 64_000
    package static let typeCharacters = 200
    package static let reasonCharacters = 8_192
    package static let nameCharacters = 1_024
    package static let fingerprintParts = 20
    package static let releaseCharacters = 250
}
