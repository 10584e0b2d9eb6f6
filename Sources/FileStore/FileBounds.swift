// SPDX-License-Identifier: Apache-2.0

package import Files
package import Platform

/// The limits of the file store, and how its download URLs end.
package struct FileBounds: Sendable {
    /// The size of one file.
    package var fileBytes = 5 << 30
    /// The bytes of an app's files.
    package var appBytes = 100 << 30
    /// The bytes of a user's files; 0 for no limit.
    package var userBytes = 0
    /// The least free space that uploads leave to the rest of the daemon. A twentieth of the disk is left, too.
    package var reserveBytes = 2 << 30
    /// The open uploads of several requests, of all apps and of a user.
    package var openUploads = 10_000
    package var openUploadsOfUser = 20
    /// Those of the users of an address, and those of its clients without a token (`AddressUploads`): anyone may sign up as many users.
    package var openUploadsOfAddress = 100
    /// The declared lengths of open uploads together: of a user, of the clients of an address, and of all clients of an app. They may have no
    /// bytes, so that otherwise some users would reserve an app's space. One file is always allowed.
    var reservedBytesOfUser: Int64 { Int64(max(appBytes / 10, fileBytes)) }
    var reservedBytesOfAddress: Int64 { Int64(max(appBytes / 5, fileBytes)) }
    var reservedBytesOfClients: Int64 { Int64(max(appBytes / 2, fileBytes)) }
    /// The time after which an upload without requests is removed.
    package var uploadsKept = Timestamp.Span.hours(24)
    /// The time for which changes are kept.
    package var changesKept = Timestamp.Span.hours(24)
    /// The tokens of Firebase's download URLs.
    package var downloadTokens = DownloadTokens.expiring
    /// The origin that serves the bytes of files, and nothing else; nil for any host.
    package var origin: String?
    package var queue = 8_192
    package var queueBytes = 64 << 20
    /// The rows that one transaction removes, so that writes do not wait for long.
    var removedAtOnce = 500

    package init() {}

    package static let settings: [Setting<FileBounds>] = [
        Setting("max_size", .size(1 << 10...1 << 45), \.fileBytes, "Size limit of a file"),
        Setting("app_size", .size(1 << 20...1 << 50), \.appBytes, "Size limit of all files of an app"),
        Setting("user_size", .size(0...1 << 50), \.userBytes, "Size limit of all files that a user uploaded; 0 for none"),
        Setting(
            "reserve", .size(0...1 << 45), \.reserveBytes,
            "Free disk space below which uploads are rejected, so that events still have some; at least a twentieth of the disk"),
        Setting("open_uploads", .count(1...100_000, "uploads"), \.openUploads, "Open resumable uploads of all apps"),
        Setting("open_uploads_user", .count(1...100_000, "uploads"), \.openUploadsOfUser, "Open resumable uploads of a user"),
        Setting(
            "open_uploads_address", .count(1...100_000, "uploads"), \.openUploadsOfAddress,
            "Open resumable uploads of the users of an address, each of whom gets one more; and of its clients without a token"),
        Setting("upload_hours", .hours(1...720), \.uploadsKept, "Hours after which a resumable upload without requests is removed"),
        Setting("change_hours", .hours(1...720), \.changesKept, "Hours for which changes of files are kept for triggers and replicas"),
        Setting(
            "download_tokens", .choice(), \.downloadTokens,
            "Download URLs of Firebase's SDKs: expiring ones end after 7 days, permanent ones when they are revoked, none are given"),
        Setting(
            "origin", .optionalOrigin, \.origin,
            "Origin of a host of its own that serves the bytes of files and nothing else, such as \"https://files.example.com\"; null for any host"),
        Setting("queue", .count(1...1_000_000, "changes"), \.queue, "Changes queued for writing above which requests are rejected"),
    ]
}
