// SPDX-License-Identifier: Apache-2.0

import DocumentRequests
import DocumentStore
import Platform
import Rules
import SignalboxDocumentModel

/// The names that refusals give to the parts of a commit.
enum WriteNames: Sendable {
    /// `writes[3]`.
    case list
    /// The path and the fields of the document in the URL.
    case document

    fileprivate func write(_ index: Int) -> String { self == .list ? "writes[\(index)]" : "path" }
    fileprivate func fields(_ index: Int) -> String { self == .list ? "writes[\(index)]" : "fields" }
}

/// The only place where errors of the document store become refusals.
extension Refusal {
    /// Returns what a body returns; an error of the document store becomes its refusal.
    static func ofDocuments<T>(naming names: WriteNames = .list, _ body: () async throws -> T) async throws -> T {
        do { return try await DenialTime.uniform(body) } catch let fault as CommitFault {
            throw Refusal(fault, names)
        } catch let fault as ReadFault {
            throw Refusal(fault)
        } catch is DeniedByRules {
            throw deniedByRules
        } catch let fault as RuleFault {
            throw Refusal.ofRules(fault)
        }
    }

    /// It says nothing about the reason, which would tell what is there.
    static let deniedByRules = Refusal(.permissionDenied, "Missing or insufficient permissions.")

    private init(_ fault: CommitFault, _ names: WriteNames = .list) {
        switch fault {
        case .write(let index, let path, let fault): self.init(fault, of: path, names.write(index), fields: names.fields(index))
        case .document(let index, _, let fault): self = .ofFields(fault, names.fields(index))
        case .conflict:
            self.init(
                .conflict, "A document or the result of a query was changed since it was read; nothing was written.",
                hint: "Read again and send the commit anew.")
        case .oldBatch(let last):
            self.init(.conflict, "The client's batch \(last) was applied before this one.", hint: "Send batches in the order of their numbers.")
        case .tooManyWrites:
            self.init(.tooLarge, "A commit has at most \(DocumentBounds.writes) writes, and as many reads.", hint: "Send several commits.")
        case .tooManyBytes:
            self.init(
                .tooLarge, "The documents of the writes have more than \(DocumentBounds.bytesUnderRules >> 20) MiB, each write counted.",
                hint: "Send several commits.")
        case .tooManyEntries(let path):
            self.init(
                .tooLarge, "The document would have more than \(DocumentBounds.entries) entries in indexes: \(path)",
                hint: "Shorten its lists, or drop an index of them.")
        case .notADocument(let index): self = .field(names.write(index), "invalid", "must name a document")
        }
    }

    private init(_ fault: WriteFault, of path: DocumentPath, _ name: String, fields: String) {
        switch fault {
        case .exists: self.init(.documentExists, "Document already exists: \(path)", fields: [.init(name, "exists", "is there already")])
        case .missing: self.init(.notFound, "No document to update: \(path)", fields: [.init(name, "not_found", "is not there")])
        case .changed, .notYet:
            self.init(
                .preconditionFailed, "The document has another version: \(path)", hint: "Read it again.",
                fields: [.init(name, "precondition_failed", "has another version")])
        case .transformOfName: self = .field(fields, "invalid", "transforms the document's name")
        case .overlappingTransforms(let field): self = .field(fields, "invalid", "transforms \(field) and a field within it")
        }
    }

    /// The refusal of a read that failed, for a client whose response has begun.
    static func ofRead(_ error: any Error) -> Refusal {
        if let fault = error as? ReadFault { return Refusal(fault) }
        return error as? Refusal ?? Refusal(.internalError, "The read failed.", hint: "Open the stream again.")
    }

    /// The refusal of one write of several that failed.
    static func ofWrite(_ error: any Error) -> Refusal { (error as? CommitFault).map { Refusal($0) } ?? ofRead(error) }

    private static let cheaper = "Add conditions, an index, or a limit with the order of names."

    init(_ fault: ReadFault) {
        switch fault {
        case .tooOld, .future:
            self = .field("at", "out_of_range", "is in the future, or before what the change log reaches back to, an hour at most")
        case .tooExpensive(let examined):
            self.init(
                .tooExpensive, "The query examined \(examined) documents and was stopped.", hint: Self.cheaper, retryAfterSeconds: 60)
        case .tooSlow:
            self.init(.tooExpensive, "The read exceeded its time limit and was stopped.", hint: Self.cheaper, retryAfterSeconds: 60)
        }
    }
}

extension Refusal {
    /// Rules that cannot be read, with the place of the fault.
    static func ofRules(_ fault: RuleFault) -> Refusal {
        // The sentence of a refused field ends with a full stop of its own.
        let text = fault.description
        return .field("source", "invalid", "cannot be read at \(text.hasSuffix(".") ? String(text.dropLast()) : text)")
    }
}
