// SPDX-License-Identifier: Apache-2.0

package import Crashes
package import Events

/// A crash of an issue. Lists leave out `report` and `before`.
package struct CrashResponse: Codable, Sendable {
    /// A file sent with the crash.
    package struct Attachment: Codable, Sendable {
        /// Why a file is not stored.
        package enum Loss: String, PublicName {
            case tooLarge = "too_large"
            case reportFull = "report_full"
            case evicted, anonymized
        }

        package var id: String
        package var name: String?
        package var type: String
        package var contentType: String?
        package var size: Int
        /// Whether the file can be downloaded.
        package var kept: Bool
        package var reason: Named<Loss>?

        package init(id: String, name: String?, type: String, contentType: String?, size: Int, lost reason: Loss?) {
            self.id = id
            self.name = name
            self.type = type
            self.contentType = contentType
            self.size = size
            kept = reason == nil
            self.reason = reason.map { .known($0) }
        }
    }

    /// Whether the stack is as readable as stored symbol files allow.
    package enum Symbols: String, PublicName {
        case complete, waiting, missing
    }

    package var id: String
    package var issue: String
    package var kind: Named<CrashKind>
    package var timestamp: Moment
    package var receivedAt: Moment
    package var release: String?
    package var platform: String?
    package var osVersion: String?
    package var deviceModel: String?
    package var variant: String
    package var late: Bool
    /// Whether the report is stored.
    package var kept: Bool
    package var symbols: Named<Symbols>
    /// Missing if there are none.
    package var attachments: [Attachment]?
    package var report: Embedded<CrashReport>?
    /// The events of the same session before the crash.
    package var before: [Embedded<EventResponse>]?

    package init(
        id: String, issue: String, kind: CrashKind, timestamp: Moment, receivedAt: Moment, release: String? = nil, platform: String? = nil,
        osVersion: String? = nil, deviceModel: String? = nil, variant: String, late: Bool, kept: Bool, symbols: Symbols,
        attachments: [Attachment]? = nil, report: Embedded<CrashReport>? = nil, before: [Embedded<EventResponse>]? = nil
    ) {
        self.id = id
        self.issue = issue
        self.kind = .known(kind)
        self.timestamp = timestamp
        self.receivedAt = receivedAt
        self.release = release
        self.platform = platform
        self.osVersion = osVersion
        self.deviceModel = deviceModel
        self.variant = variant
        self.late = late
        self.kept = kept
        self.symbols = .known(symbols)
        self.attachments = attachments
        self.report = report
        self.before = before
    }
}

/// An attachment of a person's crash, in the person's export.
package struct ExportedAttachment: Codable, Sendable {
    package var id: String
    /// The ID of its crash.
    package var crash: String
    package var name: String?
    package var type: String
    package var contentType: String?
    package var size: Int
    /// The file in Base64.
    package var content: String

    package init(_ attachment: CrashResponse.Attachment, crash: String, content: String) {
        id = attachment.id
        self.crash = crash
        name = attachment.name
        type = attachment.type
        contentType = attachment.contentType
        size = attachment.size
        self.content = content
    }
}

/// A minidump in a person's export.
package struct ExportedMinidump: Codable, Sendable {
    /// The ID of its crash.
    package var crash: String
    /// The file in Base64.
    package var content: String

    package init(crash: String, content: String) {
        self.crash = crash
        self.content = content
    }
}

package struct SymbolsResponse: Codable, Sendable {
    package var debugId: String
    package var format: String
    package var architecture: String?
    /// The release and the URL of the minified file, for which a source map was uploaded.
    package var release: String?
    package var dist: String?
    package var url: String?
    package var bytes: Int64
    package var createdAt: Moment

    package init(
        debugId: String, format: String, architecture: String? = nil, release: String? = nil, dist: String? = nil, url: String? = nil,
        bytes: Int64, createdAt: Moment
    ) {
        self.debugId = debugId
        self.format = format
        self.architecture = architecture
        self.release = release
        self.dist = dist
        self.url = url
        self.bytes = bytes
        self.createdAt = createdAt
    }
}

package struct MissingSymbolsResponse: Codable, Sendable {
    package var debugId: String
    package var name: String?
    package var architecture: String?
    /// The number of crashes that wait for the file.
    package var crashes: Int
    package var firstSeen: Moment
    package var lastSeen: Moment

    package init(debugId: String, name: String? = nil, architecture: String? = nil, crashes: Int, firstSeen: Moment, lastSeen: Moment) {
        self.debugId = debugId
        self.name = name
        self.architecture = architecture
        self.crashes = crashes
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
    }
}
