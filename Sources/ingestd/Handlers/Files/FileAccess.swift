// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Crypto
import DocumentStore
import EventStore
import FileStore
import Files
import Platform
import Rules
import SignalboxDocumentModel
import Synchronization

/// The rights of a caller to files of an app: servers may do everything, users and clients without a token what its storage rules allow.
struct FileAccess: Sendable {
    /// The size limit of an upload whose length is not declared: rules see its size only at the end.
    static let undeclaredBytes: Int64 = 16 << 20

    let app: App
    private let principal: RulePrincipal?
    let store: Stores
    /// The user who owns what is uploaded; nil for a server and for clients without a token.
    let owner: String?
    /// The number of runs of functions that led to the request.
    let depth: Int

    init(_ app: App, _ caller: Caller, in store: Stores) {
        (self.app, self.store, principal, depth) = (app, store, caller.rulePrincipal, caller.depth)
        owner = if case .user(let user) = caller { user.uid } else { nil }
    }

    /// Whether rules decide about the caller.
    var isJudged: Bool { principal != nil }

    /// The owner of copies that the caller makes.
    var copyOwner: CopyOwner { isJudged ? .caller(owner) : .same }

    /// Decides about changes of files; nil if the caller may make all of them.
    var judge: FileJudge? {
        guard isJudged else { return nil }
        return { path, before, after in
            let method: RuleMethodName = after == nil ? .delete : before == nil ? .create : .update
            try await require(method, path.segments, before, after)
        }
    }

    /// Throws unless the caller may read a file, whether it is there or not.
    func requireGet(_ path: FilePath, _ file: StoredFile?) async throws { try await require(.get, path.segments, file, nil) }

    /// Throws unless the caller may read a file. Its row is read only if rules look at it, so that a denial by other conditions takes as long with a
    /// file as without. Returns the file that they looked at.
    func requireGet(_ path: FilePath) async throws -> (isAboutFile: Bool, file: StoredFile?) {
        guard isJudged else { return (false, nil) }
        let seen = SeenFile()
        let decision = try await decide(.get, path.segments, nil, nil) { request, rules in
            try await decide(request, on: path, by: rules, noting: seen)
        }
        if !decision.isAllowed { throw FileFault.denied }
        guard let file = seen.file else { return (false, nil) }
        return (true, file)
    }

    /// Decides about reading a file, whose row is read once rules look at it.
    private func decide(_ request: RuleRequest, on path: FilePath, by rules: Ruleset, noting seen: SeenFile) async throws -> RuleDecision {
        if rules.readsDocuments {
            return try await store.documents.decide(request, by: rules, app: app.id) { [app] session in
                seen.note(try session.withFiles { try $0.file(path, app: app.id) }).map { RuleFile($0, in: app) }
            }
        }
        // In memory, deciding again costs less than a read that is not needed.
        let decision = rules.decide(request) { _, _ in nil }
        if !decision.looksAtExisting { return decision }
        let file = seen.note(try await store.files.file(path, app: app.id))
        return rules.decide(request, file: { file.map { RuleFile($0, in: app) } })
    }

    /// Whether the caller may read a file.
    func mayGet(_ path: FilePath, _ file: StoredFile) async throws -> Bool { try await allows(.get, path.segments, file, nil) }

    /// Throws unless the caller may list a folder. A prefix that ends within a name asks for the folder around it. With another delimiter than
    /// `/`, or none, the listing also has what is below, so a rule about every depth must allow it.
    func requireList(_ prefix: String, delimiter: String?) async throws {
        var segments = prefix.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
        segments.removeLast()
        let isFolder = delimiter?.hasSameBytes(as: "/") ?? false
        try await require(.list, isFolder ? segments : segments + [RuleRequest.anyDepth], nil, nil)
    }

    /// Throws unless the caller may begin an upload, as far as that is known: a condition on checksums is decided after the bytes.
    func requireBegin(_ path: FilePath, _ before: StoredFile?, _ after: WrittenFile) async throws {
        let decision = try await decide(before == nil ? .create : .update, path.segments, before, after, awaitsFile: true)
        if !decision.isAllowed, !decision.isUndecided { throw FileFault.denied }
    }

    private func require(_ method: RuleMethodName, _ path: [String], _ before: StoredFile?, _ after: WrittenFile?) async throws {
        guard try await allows(method, path, before, after) else { throw FileFault.denied }
    }

    private func allows(_ method: RuleMethodName, _ path: [String], _ before: StoredFile?, _ after: WrittenFile?) async throws -> Bool {
        guard isJudged else { return true }
        return try await decide(method, path, before, after).isAllowed
    }

    /// - Parameters:
    ///   - awaitsFile: Whether the bytes are still to come.
    ///   - decision: Decides in place of the store of documents.
    private func decide(
        _ method: RuleMethodName, _ path: [String], _ before: StoredFile?, _ after: WrittenFile?, awaitsFile: Bool = false,
        by decision: ((RuleRequest, Ruleset) async throws -> RuleDecision)? = nil
    ) async throws -> RuleDecision {
        guard let principal, let newest = try await store.files.newestRules(of: app.id), let rules = newest.rules,
            var request = RuleRequest(method, path, before, after, in: app, as: principal.auth, at: store.files.now)
        else { return RuleDecision() }
        if awaitsFile { request.awaitFile() }
        let made =
            if let decision { try await decision(request, rules) } else { try await store.documents.decide(request, by: rules, app: app.id) }
        if !made.isUndecided { note(made, method, revision: newest.revision) }
        return made
    }

    /// Counts a decision by rules of the app.
    func note(_ decision: RuleDecision, _ method: RuleMethodName, revision: Int64?) {
        guard let revision else { return }
        store.files.note(decision, method, isSignedIn: owner != nil, app: app.id, revision: revision)
    }

    /// Decides about putting a file, whose place was read; nil for rules that read documents.
    func allowsPut(_ before: StoredFile?, _ after: WrittenFile, by newest: FileRuleset?) -> Bool? {
        guard let principal else { return true }
        if newest?.readsDocuments == true { return nil }
        let method: RuleMethodName = before == nil ? .create : .update
        guard let newest, let rules = newest.rules,
            let request = RuleRequest(method, after.path.segments, before, after, in: app, as: principal.auth, at: store.files.now)
        else { return false }
        let decision = rules.decide(request) { _, _ in nil }
        note(decision, method, revision: newest.revision)
        return decision.isAllowed
    }

    /// Decides about reading a file, whose row is read only if rules look at it; nil for rules that read documents.
    func decision(on path: FilePath, by newest: FileRuleset?, _ file: () throws -> StoredFile?) throws -> RuleDecision? {
        if newest?.readsDocuments == true { return nil }
        guard let principal, let rules = newest?.rules,
            let request = RuleRequest(.get, path.segments, nil, nil, in: app, as: principal.auth, at: store.files.now)
        else { return RuleDecision() }
        var failure: (any Error)?
        let decision = rules.decide(
            request,
            file: {
                do { return try file().map { RuleFile($0, in: app) } } catch {
                    failure = error
                    return nil
                }
            })
        if let failure { throw failure }
        return decision
    }
}

/// The file that rules looked at while they decided.
private final class SeenFile: Sendable {
    private let known = Mutex<StoredFile??>(nil)

    /// Nil if they did not look; a file that is nil if there is none.
    var file: StoredFile?? { known.withLock { $0 } }

    func note(_ file: StoredFile?) -> StoredFile? {
        known.withLock { $0 = .some(file) }
        return file
    }
}

extension RuleRequest {
    /// A request for a file or a folder as rules see it; nil if the clock is out of their range.
    init?(
        _ method: RuleMethodName, _ path: [String], _ before: StoredFile?, _ after: WrittenFile?, in app: App, as auth: RuleValue, at now: Timestamp
    ) {
        guard let time = DocumentTime(now) else { return nil }
        self.init(method, file: path, in: app.name, auth: auth, time: time)
        existing = before.map { .file(RuleFile($0, in: app)) }
        written = after.map { .file(RuleFile($0, in: app)) }
    }
}

extension DocumentTime {
    fileprivate init?(_ time: Timestamp) { self.init(microseconds: time.milliseconds * 1_000) }
}

extension RuleFile {
    fileprivate init(_ file: StoredFile, in app: App) {
        self.init(file.path, file.size, file.details, file.sums, in: app)
        (generation, metageneration) = (file.generation, file.metageneration)
        (created, updated) = (DocumentTime(file.created), DocumentTime(file.updated))
        etag = file.etag
    }

    fileprivate init(_ file: WrittenFile, in app: App) { self.init(file.path, file.size, file.details, file.sums, in: app) }

    private init(_ path: FilePath, _ size: Int64?, _ details: FileDetails, _ sums: FileSums?, in app: App) {
        self.init(name: path.text, bucket: app.name)
        self.size = size
        (contentType, cacheControl) = (details.type, details.cacheControl)
        (contentEncoding, contentDisposition, contentLanguage) = (details.contentEncoding, details.contentDisposition, details.contentLanguage)
        (md5Hash, crc32c) = (sums?.md5.map(Base64.encode), sums.map { Base64.encode($0.crc32cBytes) })
        // Names that differ in bytes alone are one to `Dictionary`; the last one is kept.
        metadata = Dictionary(details.metadata.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }
}
