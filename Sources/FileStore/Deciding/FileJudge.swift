// SPDX-License-Identifier: Apache-2.0

package import Files
import Platform

/// A file that a request would write, as far as it is known: at the start of an upload the size may be unknown, and the sums are.
package struct WrittenFile: Sendable {
    package var path: FilePath
    package var size: Int64?
    package var details: FileDetails
    package var sums: FileSums?

    package init(_ path: FilePath, size: Int64?, details: FileDetails, sums: FileSums? = nil) {
        (self.path, self.size, self.details, self.sums) = (path, size, details, sums)
    }
}

/// Decides whether a caller may change a file, and throws if not. `before` is nil if there is no file, `after` if the file goes.
package typealias FileJudge = @Sendable (_ path: FilePath, _ before: StoredFile?, _ after: WrittenFile?) async throws -> Void

extension FileCondition {
    func holds(for file: StoredFile?) -> Bool { holds(for: file?.generation, metageneration: file?.metageneration ?? 1) }

    /// The condition that nothing changed since a file, or its absence, was read.
    static func unchanged(_ file: StoredFile?) -> FileCondition {
        file.map { .version(generation: $0.generation, metageneration: $0.metageneration) } ?? .absent
    }
}

extension FileStore {
    /// The judgements after which a change that other requests overtake each time fails.
    package static let judgements = 4

    /// Makes a change whose judge saw the file that the change finds.
    ///
    ///     judged: there is no file, and a user may create one      changed: there is one now      judged again: the user may not replace it
    ///
    /// - Parameters:
    ///   - judge: Nil for a caller who may do everything.
    ///   - written: Returns what becomes of the file.
    ///   - change: Makes the change under a condition, and throws `FileFault.conditionFailed` if it does not hold.
    func judged<T>(
        _ path: FilePath, app: AppID, if condition: FileCondition, by judge: FileJudge?, written: (StoredFile?) throws -> WrittenFile?,
        _ change: (FileCondition) async throws -> T
    ) async throws -> T {
        guard let judge else { return try await change(condition) }
        for _ in 0..<FileStore.judgements {
            let before = try await file(path, app: app)
            try await judge(path, before, try written(before))
            guard condition.holds(for: before) else { break }
            do { return try await change(.unchanged(before)) } catch FileFault.conditionFailed { continue }
        }
        throw FileFault.conditionFailed
    }
}
