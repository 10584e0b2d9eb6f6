// SPDX-License-Identifier: Apache-2.0

/// Limits of a report. Longer parts are cut, and the report lists the cuts in `CrashReport.cuts`.
package enum CrashLimits {
    /// The size of one report as it is stored, and the decoded size of a request with several.
    package static let reportBytes = 1 << 20
    package static let requestBytes = 5 << 20
    package static let reportsPerRequest = 100
    /// The size of one report after symbolication.
    package static let readableReportBytes = 8 << 20
    package static let frames = 250
    /// The limit for all stacks of a request together.
    package static let framesPerRequest = 50_000
    /// The number of lines of a plain text report. It exceeds what all kept frames and images of one report need.
    package static let textLines = 100_000
    /// The local variables of a frame of the app, and the source lines before and after its own.
    package static let variables = 32
    package static let variableCharacters = 256
    package static let contextLines = 5
    package static let contextCharacters = 256
    package static let registers = 64
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
    /// The size of one attachment, whatever the setting `crashes.attachment_bytes` allows, and the number and size of those of one report.
    package static let attachmentBytes = 64 << 20
    package static let attachments = 30
    package static let attachmentBytesPerReport = 64 << 20
    /// The size of an envelope of which the beginning is stored. Larger ones are refused.
    package static let envelopeBytes = 200 << 20
    package static let attachmentNameCharacters = 200
    package static let attachmentTypeCharacters = 100
}
