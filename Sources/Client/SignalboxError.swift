// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An error of the client. Queued records are kept whichever of these is thrown.
public enum SignalboxError: Error, Equatable, Sendable {
    /// The folder belongs to another process or another `SignalboxApp`. Use one folder for each.
    case folderInUse(path: String)
    /// The folder cannot be created, read or written to.
    case folderUnusable(path: String, reason: String)
    /// The daemon could not be reached.
    case unreachable(reason: String)
    /// The daemon rejected the key. Sending stops until the next launch or the next `flush()`.
    case unauthorized(status: Int, detail: String)
    /// The daemon is busy or rate limits the client. The next attempt happens after `retryAfter` seconds at the earliest.
    case busy(retryAfter: TimeInterval)
    /// The response did not come from Signalbox; a proxy or captive portal may have answered, or the address is wrong.
    case unexpectedResponse(status: Int, detail: String)
    /// The daemon rejected the request. `code` is stable, such as `bad_topic`; `detail` is for people.
    case rejected(code: String, detail: String)
    /// Collection is disabled, and receiving messages requires a registered installation.
    case collectionDisabled
    /// ``SignalboxApp/close()`` was called.
    case closed

    /// The detail of a response that the daemon would not give.
    static let foreignResponse = "The response did not come from Signalbox; a proxy may have answered. Check the address."
}

/// Names of 0.1.
extension SignalboxError {
    @available(*, deprecated, renamed: "unexpectedResponse(status:detail:)")
    public static func unexpectedAnswer(status: Int, detail: String) -> SignalboxError { .unexpectedResponse(status: status, detail: detail) }

    @available(*, deprecated, renamed: "rejected(code:detail:)")
    public static func refused(code: String, detail: String) -> SignalboxError { .rejected(code: code, detail: detail) }
}
