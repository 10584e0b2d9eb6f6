// SPDX-License-Identifier: Apache-2.0

/// A file sent with a report: a screenshot, a log, a view hierarchy.
///
///     CrashAttachment(name: "screen.png", kind: nil, contentType: "image/png", size: 48_213, bytes: [0x89, 0x50, …])
package struct CrashAttachment: Sendable, Equatable {
    /// The type that SDKs give to an attachment without a special purpose.
    package static let plainKind = "event.attachment"

    /// The ID of the report to which it belongs.
    package var report = ""
    package var name: String?
    /// The purpose, such as `event.attachment` or `event.minidump`.
    package var kind: String
    package var contentType: String?
    /// The size in bytes, also if the bytes were left out.
    package var size: Int
    /// Nil if the file is too large to be kept.
    package var bytes: [UInt8]?

    package init(name: String?, kind: String?, contentType: String?, size: Int, bytes: [UInt8]?) {
        self.name = name
        self.kind = kind ?? CrashAttachment.plainKind
        self.contentType = contentType
        self.size = size
        self.bytes = bytes
    }

    /// The approximate memory in use.
    package var bytesHeld: Int { (bytes?.count ?? 0) + 512 }
}
