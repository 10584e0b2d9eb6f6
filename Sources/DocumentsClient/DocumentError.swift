// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox

/// An error of documents, with the codes of Firestore.
public struct DocumentError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of an error.
    public enum Code: String, Sendable, CaseIterable {
        /// The task that waited was cancelled. A queued write stays queued.
        case cancelled
        /// An argument is not what the call needs: a path, a query, a value.
        case invalidArgument
        /// The document does not exist, or is not in the cache and the daemon cannot be reached.
        case notFound
        /// The document exists and must not.
        case alreadyExists
        /// The security rules deny the request.
        case permissionDenied
        /// The key or the ID token is not accepted.
        case unauthenticated
        /// A limit of rate, size or cost is reached.
        case resourceExhausted
        /// The document is not in the state that the write needs.
        case failedPrecondition
        /// Something that a transaction read was changed meanwhile, as often as it was repeated.
        case aborted
        /// The daemon failed.
        case internalError
        /// The daemon cannot be reached.
        case unavailable
        /// The local store cannot be read or written, or a document has a form that the app does not expect.
        case dataLoss
    }

    /// The kind of the error.
    public let code: Code
    /// A sentence for developers. Its wording may change.
    public let reason: String
    /// The seconds after which the daemon takes the request again.
    let retryAfter: TimeInterval?
    /// Whether the file of the local store is none that SQLite can read.
    var isOfDamagedFile = false

    /// Creates an error, for tests and services of your own.
    public init(_ code: Code, _ reason: String) {
        self.init(code, reason, retryAfter: nil)
    }

    init(_ code: Code, _ reason: String, retryAfter: TimeInterval?) {
        (self.code, self.reason, self.retryAfter) = (code, reason, retryAfter)
    }

    /// The code and the reason.
    public var description: String { "\(code.rawValue): \(reason)" }

    /// Compares code and reason.
    public static func == (a: DocumentError, b: DocumentError) -> Bool { a.code == b.code && a.reason == b.reason }
}

extension DocumentError {
    /// Whether the same request may succeed later without a change. Everything else is a decision of the daemon.
    var isTransient: Bool {
        switch code {
        case .unavailable, .internalError, .unauthenticated, .cancelled: true
        case .resourceExhausted: retryAfter != nil
        default: false
        }
    }

    static func invalid(_ reason: String) -> DocumentError { DocumentError(.invalidArgument, reason) }

    /// The error of a failed exchange.
    init(_ error: SignalboxError) {
        switch error {
        case .unreachable(let reason): self.init(.unavailable, reason)
        case .closed: self.init(.unavailable, "The client is closed.")
        case .unexpectedResponse(_, let detail): self.init(.unavailable, detail)
        case .unauthorized(let status, let detail): self.init(status == 403 ? .permissionDenied : .unauthenticated, detail)
        case .busy(let retryAfter): self.init(.unavailable, "The daemon is busy.", retryAfter: retryAfter)
        case .rejected(let code, let detail): self.init(problem: code, status: 422, detail, retryAfter: nil)
        case .folderInUse(let path), .folderUnusable(let path, _): self.init(.dataLoss, "The folder cannot be used: \(path)")
        case .collectionDisabled: self.init(.failedPrecondition, "Collection is disabled.")
        }
    }

    /// The error of a problem document.
    ///
    ///     409 conflict   →   aborted
    ///     409 exists     →   alreadyExists
    init(problem: String, status: Int, _ detail: String, retryAfter: TimeInterval?) {
        let code: Code =
            switch (problem, status) {
            case ("conflict", _): .aborted
            case ("exists", _): .alreadyExists
            case ("permission_denied", _), (_, 403): .permissionDenied
            case (_, 401): .unauthenticated
            case (_, 404): .notFound
            // An earlier copy of the request, of a connection that was lost, may have been carried out.
            case (_, 408): .unavailable
            case (_, 412): .failedPrecondition
            case ("too_expensive", _): .resourceExhausted
            case (_, 429): .resourceExhausted
            case (_, 503): .unavailable
            case (_, 500...): .internalError
            default: .invalidArgument
            }
        self.init(code, detail, retryAfter: problem == "too_expensive" ? nil : status == 429 ? retryAfter ?? 1 : retryAfter)
    }
}
