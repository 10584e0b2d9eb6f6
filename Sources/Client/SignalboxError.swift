// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What can go wrong, as far as an app may want to know it. Nothing that was logged is lost by any of these; it stays queued.
public enum SignalboxError: Error, Equatable, Sendable {
    /// Another process, or another `SignalboxApp`, has the queue in this folder.
    case folderInUse(path: String)
    /// The folder cannot be made or written to.
    case folderUnusable(path: String, reason: String)
    /// The daemon was not reached.
    case unreachable(reason: String)
    /// The key is unknown or may not do this; nothing is sent until the next start, or until somebody asks again.
    case unauthorized(status: Int, detail: String)
    /// The daemon asked for time; it is not asked again before that.
    case busy(retryAfter: TimeInterval)
    /// What answered refused, or was no Signalbox: a captive portal, a wrong address.
    case unexpectedAnswer(status: Int, detail: String)
    /// The daemon will not have this, and says why, with a stable word such as `bad_topic`.
    case refused(code: String, detail: String)
    /// Nothing may be collected, and messages need that the daemon knows the installation.
    case collectionDisabled
    /// `close()` was called before.
    case closed
}
