// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import Firestore
import HTTPServer
import Platform
import SignalboxDocumentModel

extension FirestoreFault {
    /// Returns what a body returns; an error of Firestore's becomes its response.
    static func answered(inStream: Bool = false, _ body: () async throws -> HTTPResponse) async throws -> HTTPResponse {
        do { return try await DenialTime.uniform(body) } catch let fault as FirestoreFault {
            return fault.response(inStream: inStream)
        } catch let fault as ReadFault {
            return FirestoreFault(fault).response(inStream: inStream)
        } catch is DeniedByRules {
            return FirestoreFault.denied.response(inStream: inStream)
        }
    }

    static var denied: FirestoreFault { FirestoreFault(.permissionDenied, "Missing or insufficient permissions.") }

    func response(inStream: Bool) -> HTTPResponse { .json(status: status.httpStatus) { write(to: &$0, inStream: inStream) } }

    /// A read that is too expensive is no lack of resources, because clients repeat those for minutes.
    private init(_ fault: ReadFault) {
        switch fault {
        case .tooOld: self.init(.failedPrecondition, "The requested 'read_time' is too old.")
        case .future: self.init(.invalidArgument, "The requested 'read_time' cannot be in the future.")
        case .tooExpensive(let examined):
            self.init(
                .failedPrecondition,
                "The query examined \(examined) documents and was stopped. Add conditions, an index, or a limit with the order of names.")
        case .tooSlow: self.init(.failedPrecondition, "The read exceeded its time limit and was stopped. Read less at once.")
        }
    }

    init(_ fault: CommitFault, of writes: [DocumentWrite], _ database: FirestoreDatabase) {
        switch fault {
        // A document that is not there has no time either, other than the one that the write expects.
        case .write(let index, let path, .missing) where writes[index].expectsTime: self.init(.changed, of: database.name(of: path))
        case .write(_, let path, let fault): self.init(fault, of: database.name(of: path))
        case .document(_, _, let fault): self.init(fault)
        case .conflict: self.init(.aborted, "Aborted due to cross-transaction contention. Read again and commit in a new transaction.")
        case .oldBatch: self.init(.aborted, "A later batch of this client was applied before.")
        case .tooManyWrites: self.init(.invalidArgument, "Cannot write more than \(DocumentBounds.writes) documents in a single commit.")
        case .tooManyBytes:
            self.init(
                .invalidArgument,
                "The documents of the writes have more than \(DocumentBounds.bytesUnderRules >> 20) MiB, each write counted. Send several commits.")
        case .tooManyEntries(let path):
            self.init(.invalidArgument, "Too many indexed entries: \(database.name(of: path)) would have more than \(DocumentBounds.entries).")
        case .notADocument: self.init(.invalidArgument, "A write must name a document.")
        }
    }
}

extension DocumentWrite {
    fileprivate var expectsTime: Bool { if case .changed? = precondition { true } else { false } }
}

/// Refusals of the daemon in Google's form.
enum FirestoreRefusal {
    @Sendable static func response(_ refusal: Refusal) -> HTTPResponse { response(refusal, inStream: false) }

    /// The form of methods whose answer is a stream.
    @Sendable static func streamResponse(_ refusal: Refusal) -> HTTPResponse { response(refusal, inStream: true) }

    private static func response(_ refusal: Refusal, inStream: Bool) -> HTTPResponse {
        var response = fault(refusal).response(inStream: inStream)
        response.addGoogleFields(refusal)
        return response
    }

    /// A refusal as Google's clients read it.
    static func fault(_ refusal: Refusal) -> FirestoreFault {
        FirestoreFault(status(of: refusal.code), refusal.sentences)
    }

    private static func status(of code: Refusal.Code) -> GoogleStatus {
        switch code {
        case .permissionDenied: .permissionDenied
        case .tooExpensive: .unavailable
        case .conflict: .invalidArgument
        default: GoogleError.status(of: code)
        }
    }
}
