// SPDX-License-Identifier: Apache-2.0

/// The state of a file that conditions are compared with.
package struct FileValidators: Sendable, Equatable {
    package var tag: EntityTag
    /// The time of the last change in seconds since 1970, as in `Last-Modified`.
    package var modified: Int

    package init(tag: EntityTag, modified: Int) {
        (self.tag, self.modified) = (tag, modified)
    }
}

/// The conditions and the range of a request, evaluated in the order of RFC 9110, 13.2.2.
///
/// `If-Range` counts with a strong tag only: a time in seconds does not prove that the bytes are the same.
package struct FileConditions: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        case met
        /// The client has the file already: 304.
        case notModified
        /// 412.
        case failed
    }

    /// The response to a request for the bytes of a file.
    package enum Delivery: Sendable, Equatable {
        /// 200.
        case whole
        /// 206 with `Content-Range`.
        case part(FileRange)
        /// 304.
        case notModified
        /// 412.
        case failed
        /// 416 with `Content-Range: bytes */SIZE`.
        case unsatisfiable
    }

    private let isGet: Bool
    private let isRead: Bool
    private let match: EntityTagList?
    private let noneMatch: EntityTagList?
    private let modifiedSince: Int?
    private let unmodifiedSince: Int?
    private let range: String?
    /// `nil` if the range does not depend on a tag, otherwise the tag, which is `nil` if there is no valid one.
    private let rangeTag: EntityTag??

    /// - Parameter now: Seconds since 1970, for dates with two digits of the year.
    package init(_ head: HTTPRequestHead, now: Int) {
        self.init(method: head.method, now: now) { head.headers($0) }
    }

    package init(method: HTTPMethod, now: Int, fields: (_ name: String) -> [String]) {
        isGet = method == .get
        isRead = isGet || method == .head
        let lists = ["If-Match", "If-None-Match"].map { name in
            let values = fields(name)
            return values.isEmpty ? nil : EntityTagList(values)
        }
        (match, noneMatch) = (lists[0], lists[1])
        modifiedSince = FileConditions.single(fields("If-Modified-Since")).flatMap { HTTPDate.seconds(of: $0, now: now) }
        unmodifiedSince = FileConditions.single(fields("If-Unmodified-Since")).flatMap { HTTPDate.seconds(of: $0, now: now) }
        range = FileConditions.single(fields("Range"))
        let rangeFields = fields("If-Range")
        rangeTag = rangeFields.isEmpty ? .none : .some(FileConditions.single(rangeFields).flatMap { EntityTag(parsing: $0) })
    }

    /// Returns the value of a field that may occur once; it is ignored if it occurs twice.
    private static func single(_ values: [String]) -> String? { values.count == 1 ? values[0] : nil }

    /// Evaluates the conditions for the current state of the file; `nil` if there is no file.
    package func outcome(for current: FileValidators?) -> Outcome {
        if let match {
            guard matches(match, current) else { return .failed }
        } else if let unmodifiedSince, let current, current.modified > unmodifiedSince {
            return .failed
        }
        if let noneMatch { return noneMatches(noneMatch, current) ? .met : isRead ? .notModified : .failed }
        if isRead, let modifiedSince, let current, current.modified <= modifiedSince { return .notModified }
        return .met
    }

    /// Returns the response to a GET or HEAD request for a file of `size` bytes.
    package func delivery(of size: Int, for current: FileValidators) -> Delivery {
        switch outcome(for: current) {
        case .failed: return .failed
        case .notModified: return .notModified
        case .met: break
        }
        guard isGet, let range else { return .whole }
        if case .some(let tag) = rangeTag {
            guard let tag, tag.matchesStrongly(current.tag) else { return .whole }
        }
        switch RangeSelection(range, size: size) {
        case .whole: return .whole
        case .part(let part): return .part(part)
        case .unsatisfiable: return .unsatisfiable
        }
    }

    private func matches(_ list: EntityTagList, _ current: FileValidators?) -> Bool {
        switch list {
        case .any: current != nil
        case .tags(let tags): tags.contains { tag in current.map { tag.matchesStrongly($0.tag) } ?? false }
        case .malformed: false
        }
    }

    /// A malformed list protects a file from changes, but not the client from getting it again.
    private func noneMatches(_ list: EntityTagList, _ current: FileValidators?) -> Bool {
        switch list {
        case .any: current == nil
        case .tags(let tags): !tags.contains { tag in current.map { tag.matchesWeakly($0.tag) } ?? false }
        case .malformed: isRead
        }
    }
}
