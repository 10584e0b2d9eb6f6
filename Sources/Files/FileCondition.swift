// SPDX-License-Identifier: Apache-2.0

/// The state of a path that a change depends on. It is checked in the commit of the change.
package indirect enum FileCondition: Hashable, Sendable {
    case any
    /// There is no file (`If-None-Match: *`).
    case absent
    /// There is a file (`If-Match: *`).
    case present
    /// The file has this generation (`If-Match: "1795260500000000"`).
    case generation(Int64)
    /// Neither the bytes nor the details of the file were changed since they were read.
    case version(generation: Int64, metageneration: Int64)
    /// There is a file whose details were changed so many times, counted from 1.
    case metageneration(Int64)
    /// There is a file, and the condition does not hold for it.
    case not(FileCondition)
    case all([FileCondition])

    /// Reads the entity tag of a file: `"GENERATION"`, or `"GENERATION-METAGENERATION"` after changes of its details. Nil for anything else.
    package init?(etag: String) {
        let parts = etag.utf8.dropFirst().dropLast().split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in part.allSatisfy { (0x30...0x39).contains($0) } ? Int64(Substring(part)) : nil }
        guard etag.utf8.count > 2, etag.utf8.first == UInt8(ascii: "\""), etag.utf8.last == UInt8(ascii: "\""), parts.count == numbers.count,
            (1...2).contains(numbers.count)
        else { return nil }
        self = .version(generation: numbers[0], metageneration: numbers.count == 2 ? numbers[1] : 1)
    }

    /// Returns the condition that at least one of some holds for a file that is there.
    package static func anyOf(_ conditions: [FileCondition]) -> FileCondition { .not(.all(conditions.map { .not($0) })) }

    /// Whether it holds, given the generation of the file; nil for none.
    package func holds(for generation: Int64?, metageneration: Int64 = 1) -> Bool {
        switch self {
        case .any: true
        case .absent: generation == nil
        case .present: generation != nil
        case .generation(let wanted): generation == wanted
        case .version(let wanted, let details): generation == wanted && metageneration == details
        case .metageneration(let wanted): generation != nil && metageneration == wanted
        case .not(let condition): generation != nil && !condition.holds(for: generation, metageneration: metageneration)
        case .all(let conditions): conditions.allSatisfy { $0.holds(for: generation, metageneration: metageneration) }
        }
    }
}
