// SPDX-License-Identifier: Apache-2.0

import CSimdJSON

/// The limits of a document.
package struct JSONLimits: Sendable {
    package var bytes: Int
    package var tokens: Int
    package var depth: Int
    /// The limit of one object. Code that searches all members for a few names stays fast.
    package var members: Int
    /// The budget of walks over the tape in steps per token; nil for none.
    package var stepsPerToken: Int?

    /// The maximum nesting. Code that processes a tape recursively needs a lower limit.
    package static let deepest = Int(SBJ_DEPTH_LIMIT)

    package init(
        bytes: Int = 16 << 20, tokens: Int = 1_000_000, depth: Int = JSONLimits.deepest, members: Int = 65_536, stepsPerToken: Int? = nil
    ) {
        self.bytes = bytes
        self.tokens = tokens
        self.depth = depth
        self.members = members
        self.stepsPerToken = stepsPerToken
    }
}

extension JSONLimits {
    fileprivate func limit(for reason: JSONError.Reason) -> Int? {
        switch reason {
        case .tooLarge: bytes
        case .tooManyTokens: tokens
        case .tooManyMembers: members
        case .tooDeep: min(depth, JSONLimits.deepest)
        default: nil
        }
    }
}

/// Parses documents into tapes, one after the other, and reuses its memory.
///
/// `@unchecked Sendable`: its C parser is used by one caller at a time, because a reader exists only inside `JSONParser.withReader`.
package final class JSONReader: @unchecked Sendable {
    /// Owned from `init` to `deinit` and never shared; nil if memory is exhausted.
    private let parser = sbj_parser_create()
    private var spare: [JSONToken] = []
    private let memory: JSONMemory?
    /// The bytes taken from the budget for current documents.
    private var taken = 0
    /// The memory that a reader keeps between documents. Small documents need no more.
    private static let smallDocument = 64 << 10

    init(_ memory: JSONMemory? = nil) {
        self.memory = memory
    }

    deinit {
        sbj_parser_destroy(parser)
    }

    /// Whether the reader once parsed a document so large that it should not keep the memory.
    var isOversized: Bool { parser.map(sbj_parser_capacity) ?? .max > 1 << 20 || spare.count > 1 << 17 }

    /// Parses `bytes` or the part in `range` as one document. The tape's offsets always count from the start of `bytes`.
    package func parse(_ bytes: [UInt8], in range: Range<Int>? = nil, limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSONTape {
        let range = (range ?? 0..<bytes.count).clamped(to: 0..<bytes.count)
        guard let parser else { throw JSONError(reason: .noMemory, offset: nil) }
        guard range.count <= limits.bytes else { throw JSONError(.tooLarge, limit: limits.bytes) }
        // Neither pass reads outside the range (a test places it before an unreadable page), so no padding is needed.
        try takeMemory(range.count * MemoryLayout<UInt32>.stride)
        let scan = bytes.withUnsafeBufferPointer { sbj_scan(parser, $0.baseAddress, range.lowerBound, range.upperBound) }
        try check(scan, bytes, range, limits)
        let capacity = min(scan.count, limits.tokens)
        try takeMemory(range.count * MemoryLayout<UInt32>.stride + capacity * MemoryLayout<JSONToken>.stride)
        if spare.count < capacity { spare.append(contentsOf: repeatElement(JSONToken(), count: max(capacity, spare.count * 2) - spare.count)) }
        let build = fill(spare: capacity, parser, bytes, range, limits)
        try check(build, bytes, range, limits)
        let stepLimit = limits.stepsPerToken.map { StepBudget.begin(stepsPerToken: $0, tokens: build.count) } ?? 0
        let tape = JSONTape(tokens: spare, count: build.count, bytes: bytes, stepLimit: stepLimit)
        spare = []
        return tape
    }

    /// Takes back the memory of a tape for the next document, which otherwise allocates.
    package func reuse(_ tape: consuming JSONTape) {
        spare = tape.releaseTokens()
    }

    /// Takes at least this many bytes for token positions and tokens from the budget.
    private func takeMemory(_ bytes: Int) throws(JSONError) {
        guard let memory, bytes > max(taken, JSONReader.smallDocument) else { return }
        guard memory.take(bytes - taken) else { throw JSONError(reason: .noMemory, offset: nil) }
        taken = bytes
    }

    func giveBackMemory() {
        if taken > 0 { memory?.giveBack(taken) }
        taken = 0
    }

    private func fill(spare capacity: Int, _ parser: OpaquePointer, _ bytes: [UInt8], _ range: Range<Int>, _ limits: JSONLimits) -> sbj_result {
        spare.withUnsafeMutableBytes { room in
            bytes.withUnsafeBufferPointer { input in
                // `JSONToken` has the layout of `sbj_token`; a test compares them.
                let tokens = room.baseAddress?.assumingMemoryBound(to: sbj_token.self)
                return sbj_build(parser, input.baseAddress, range.lowerBound, range.upperBound, limits.depth, limits.members, tokens, capacity)
            }
        }
    }

    private func check(_ result: sbj_result, _ bytes: [UInt8], _ range: Range<Int>, _ limits: JSONLimits) throws(JSONError) {
        guard result.status != sbj_ok else { return }
        let reason = JSONError.Reason(result.status)
        let known = result.at < 0 ? nil : result.at
        var failure = JSONError(reason: reason, offset: known ?? JSONError.search(for: reason, bytes, range))
        failure.limit = limits.limit(for: reason)
        throw failure
    }
}

extension JSONError {
    /// Finds the position of an error that the vectorized scan only detected. It is slow and runs only for error messages.
    fileprivate static func search(for reason: Reason, _ bytes: [UInt8], _ range: Range<Int>) -> Int? {
        guard reason == .invalidUTF8 else { return nil }
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span.extracting(range))
            return nil
        } catch {
            return range.lowerBound + error.byteOffsets.lowerBound
        }
    }
}
