// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import FileStore
import Files
import HTTPServer
import Platform
import Rules

/// Reading and uploading under the rights of a caller, for all protocols of files.
extension FileAccess {
    /// Opens a file for a caller who may read it.
    func open(_ path: FilePath) async throws -> OpenedFile? {
        guard isJudged else { return try await store.files.open(path, app: app.id) }
        let found = try await store.files.open(path, app: app.id) { newest, file in try decision(on: path, by: newest, file) }
        guard let decision = found.decision else { return try await openByDocuments(path) }
        note(decision, .get, revision: found.revision)
        if !decision.isAllowed { throw FileFault.denied }
        return found.file
    }

    /// Opens a file under rules that read documents.
    private func openByDocuments(_ path: FilePath) async throws -> OpenedFile? {
        let judged = try await requireGet(path)
        guard let opened = try await store.files.open(path, app: app.id) else { return nil }
        // The file may have been replaced, or its details changed, after the decision.
        if judged.isAboutFile, opened.file != judged.file { try await requireGet(path, opened.file) }
        return opened
    }

    /// Returns the row of a file to a caller who may read it.
    func readable(_ path: FilePath) async throws -> StoredFile? {
        let judged = try await requireGet(path)
        return judged.isAboutFile ? judged.file : try await store.files.file(path, app: app.id)
    }

    // MARK: Uploads

    /// The end of an upload by the caller.
    var end: UploadEnd { UploadEnd(by: judge, depth: depth) }

    /// Receives a file whose head says all but its bytes.
    ///
    /// - Parameter answer: Makes the response from the file, and whether it replaced one.
    func receive(
        _ request: UploadRequest, _ end: UploadEnd, answer: @escaping @Sendable (StoredFile, Bool) async throws -> HandlerResponse
    ) async throws -> (receiver: any PieceReceiver, limit: Int) {
        var request = request
        if isJudged, request.length == nil { request.limit = FileAccess.undeclaredBytes }
        try store.files.checkCapacity(for: app.id)
        return try await Refusal.ofFiles { [request] in
            let replaces = try await judgeBegin(of: request) != nil
            let turn = try await store.files.begin(request)
            return (FileReception(turn, end) { try await answer($0, replaces) }, Int(request.limit ?? Int64(store.files.bounds.fileBytes)))
        }
    }

    /// Puts a small file, whose bytes came with the request. Returns it, and whether it replaced one.
    func put(_ bytes: [UInt8], _ request: UploadRequest, _ end: UploadEnd) async throws -> (file: StoredFile, replaces: Bool) {
        try store.files.checkCapacity(for: app.id)
        return try await store.files.put(bytes, request, end) { newest, before, after in allowsPut(before, after, by: newest) }
    }

    /// Begins an upload of several requests, for a caller who may upload the file.
    func create(_ request: UploadRequest, way: UploadWay, from client: ClientAddress) async throws -> StoredUpload {
        try store.files.checkCapacity(for: app.id)
        _ = try await judgeBegin(of: request)
        let address = isJudged ? "\(client.subscriber)" : nil
        return try await store.files.create(request, way: way, address: address)
    }

    /// Decides by what is known before the bytes. An upload of an undeclared length is refused if neither a small nor a large file would be
    /// allowed; its end is judged with the length. Returns the file in its place.
    private func judgeBegin(of request: UploadRequest) async throws -> StoredFile? {
        guard let path = request.path else { return nil }
        let old = try await store.files.file(path, app: app.id)
        if isJudged { try await requireBegin(path, old, request) }
        guard request.condition.holds(for: old?.generation, metageneration: old?.metageneration ?? 1) else { throw FileFault.conditionFailed }
        return old
    }

    private func requireBegin(_ path: FilePath, _ old: StoredFile?, _ request: UploadRequest) async throws {
        func decide(_ size: Int64) async throws { try await requireBegin(path, old, WrittenFile(path, size: size, details: request.details)) }
        if let length = request.length { return try await decide(length) }
        do { try await decide(1) } catch FileFault.denied { try await decide(FileAccess.undeclaredBytes) }
    }

    /// Lets a request go on with an upload. A user's upload is that user's alone, and a user goes on with no other one.
    func take(_ text: String) async throws -> UploadTurn {
        guard let id = UploadID(text) else { throw FileFault.uploadGone }
        if let stored = try await store.files.upload(id, app: app.id), !mayContinue(stored.request) { throw FileFault.uploadGone }
        guard let turn = try await store.files.take(id, app: app.id), mayContinue(turn.request) else { throw FileFault.uploadGone }
        return turn
    }

    /// Declares the length of an upload that began without one. The rules decide with it as at a start.
    func declare(_ length: Int64, of turn: UploadTurn) async throws {
        var request = turn.request
        if request.length == length { return }
        guard request.length == nil else {
            throw Refusal(.conflict, "The length of the upload is \(request.length ?? 0).", hint: "It cannot change.")
        }
        request.length = length
        _ = try await judgeBegin(of: request)
        try await turn.declare(length)
    }

    private func mayContinue(_ request: UploadRequest) -> Bool {
        guard isJudged else { return true }
        guard let owner = request.owner else { return self.owner == nil }
        return self.owner?.hasSameBytes(as: owner) == true
    }

    /// The bytes that an upload of several requests may still receive.
    func bytesLeft(of turn: UploadTurn, from offset: Int64) -> Int {
        let undeclared = isJudged ? FileAccess.undeclaredBytes : Int64(store.files.bounds.fileBytes)
        return Int(max(0, (turn.request.length ?? undeclared) - offset))
    }
}
