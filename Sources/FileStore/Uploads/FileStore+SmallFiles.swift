// SPDX-License-Identifier: Apache-2.0

import Files
import Platform

/// Decides where the place of a new file is read: whether a caller may put it there. Nil leaves the decision to the judge of the upload.
package typealias FileDecider = @Sendable (_ newest: FileRuleset?, _ before: StoredFile?, _ after: WrittenFile) throws -> Bool?

extension FileStore {
    /// The size up to which a file may be put with one call.
    package static let smallBytes = Int(UploadState.inlineBytes)

    /// Makes bytes in memory a file, with one read and one change; durable on return. Throws `FileFault`.
    ///
    /// - Parameter decide: Decides as the judge of `end` does, if it can.
    /// - Returns: The file, and whether it replaced one.
    package func put(_ bytes: [UInt8], _ request: UploadRequest, _ end: UploadEnd, if decide: @escaping FileDecider) async throws -> (
        file: StoredFile, replaces: Bool
    ) {
        guard let path = request.path else { throw FileFault.uploadGone }
        try checkSize(request)
        var new = NewFile(
            app: request.app, path: path, contents: .bytes(bytes), size: Int64(bytes.count), details: request.details,
            sums: FileSums(of: bytes, withMD5: request.needsMD5), owner: request.owner, tokens: end.tokens)
        (new.depth, new.isFromClient) = (end.depth, end.judge != nil)
        gauges.uploadedBytes.add(bytes.count)
        for _ in 0..<FileStore.judgements {
            let seen = try await look(at: path, request, new, decide)
            if seen.isAllowed == false { throw FileFault.denied }
            guard request.condition.holds(for: seen.before) else { throw FileFault.conditionFailed }
            let reservation = try reservations.take(request.length ?? 0, seen.left)
            defer { withExtendedLifetime(reservation) {} }
            new.sums = seen.sums
            guard request.expected.agree(with: new.sums), end.expected.agree(with: new.sums) else { throw FileFault.checksumMismatch }
            do {
                guard seen.isAllowed != nil else { return (try await putJudged(new, request, end), seen.before != nil) }
                let condition = end.judge == nil ? request.condition : .unchanged(seen.before)
                return (try await record(new, if: condition), seen.before != nil)
            } catch FileFault.conditionFailed where end.judge != nil && seen.isAllowed != nil { continue }
        }
        throw FileFault.conditionFailed
    }

    private struct SeenPlace: Sendable {
        var before: StoredFile?
        var left: [FileSpace]
        var sums: FileSums
        var isAllowed: Bool?
    }

    /// Reads all that is decided by.
    private func look(at path: FilePath, _ request: UploadRequest, _ new: NewFile, _ decide: @escaping FileDecider) async throws -> SeenPlace {
        try await lookUp { [ruleCache, bounds] file in
            let newest = try ruleCache.rules(of: request.app, in: file)
            let before = try file.file(path, app: request.app)
            var sums = new.sums
            if newest?.readsMD5 == true, sums.md5 == nil, case .bytes(let bytes) = new.contents { sums = FileSums(of: bytes, withMD5: true) }
            let written = WrittenFile(path, size: new.size, details: new.details, sums: sums)
            return SeenPlace(
                before: before, left: try file.space(for: request, bounds), sums: sums, isAllowed: try decide(newest, before, written))
        }
    }

    /// Puts a file that rules with documents decide about.
    private func putJudged(_ new: NewFile, _ request: UploadRequest, _ end: UploadEnd) async throws -> StoredFile {
        let written = WrittenFile(new.path, size: new.size, details: new.details, sums: new.sums)
        return try await judged(new.path, app: new.app, if: request.condition, by: end.judge, written: { _ in written }) { condition in
            try await record(new, if: condition)
        }
    }

    private func record(_ new: NewFile, if condition: FileCondition) async throws -> StoredFile {
        var new = new
        new.condition = condition
        return try await change(new.app, bytes: Int(new.size)) { [new] in try $0.record(new) }
    }
}
