// SPDX-License-Identifier: Apache-2.0

import CSimdJSON

/// How much of a document is read before it is refused.
package struct JSONLimits: Sendable {
    package var bytes: Int
    package var tokens: Int
    package var depth: Int
    /// Of one object: what looks at all its members once for each of a few names stays cheap.
    package var members: Int
    /// What the walks over the tape may take, as steps for each token; nil for no budget.
    package var stepsPerToken: Int?

    /// The deepest nesting that is read at all. What goes into a tape by recursion needs a limit of its own.
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
    fileprivate func limit(for reason: JSONFailure.Reason) -> Int? {
        switch reason {
        case .tooLarge: bytes
        case .tooManyTokens: tokens
        case .tooManyMembers: members
        case .tooDeep: min(depth, JSONLimits.deepest)
        default: nil
        }
    }
}

/// Turns bytes into tapes, one after the other, with memory that it keeps.
///
/// `@unchecked Sendable`: the C parser it owns is used by one caller at a time, because a reader exists only inside `JSONParser.withReader`.
package final class JSONReader: @unchecked Sendable {
    /// Owned from `init` to `deinit` and handed to nobody; nil for lack of memory.
    private let parser = sbj_parser_create()
    private var spare: [JSONToken] = []
    private let memory: JSONMemory?
    /// Bytes taken from the budget for the documents that are being read.
    private var taken = 0
    /// What a reader keeps between documents anyway, and small ones need no more of.
    private static let smallDocument = 64 << 10

    init(_ memory: JSONMemory? = nil) {
        self.memory = memory
    }

    deinit {
        sbj_parser_destroy(parser)
    }

    /// Whether it once met a document so large that keeping its memory would be a waste.
    var isOversized: Bool { parser.map(sbj_parser_capacity) ?? .max > 1 << 20 || spare.count > 1 << 17 }

    /// Reads `bytes`, or the part of them in `range`, as one document; the tape's offsets always count from the start of `bytes`.
    package func parse(_ bytes: [UInt8], in range: Range<Int>? = nil, limits: JSONLimits = JSONLimits()) throws(JSONFailure) -> JSONTape {
        let range = (range ?? 0..<bytes.count).clamped(to: 0..<bytes.count)
        guard let parser else { throw JSONFailure(reason: .noMemory, offset: nil) }
        guard range.count <= limits.bytes else { throw JSONFailure(.tooLarge, limit: limits.bytes) }
        // Neither pass reads outside the range (a test puts it against an unreadable page), so no padding is needed behind it.
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

    /// Takes back a tape's memory for the next document; without this the next one allocates anew.
    package func reuse(_ tape: consuming JSONTape) {
        spare = tape.releaseTokens()
    }

    /// Has at least so many bytes for the places of tokens and for the tokens.
    private func takeMemory(_ bytes: Int) throws(JSONFailure) {
        guard let memory, bytes > max(taken, JSONReader.smallDocument) else { return }
        guard memory.take(bytes - taken) else { throw JSONFailure(reason: .noMemory, offset: nil) }
        taken = bytes
    }

    func giveBackMemory() {
        if taken > 0 { memory?.giveBack(taken) }
        taken = 0
    }

    private func fill(spare capacity: Int, _ parser: OpaquePointer, _ bytes: [UInt8], _ range: Range<Int>, _ limits: JSONLimits) -> sbj_result {
        spare.withUnsafeMutableBytes { room in
            bytes.withUnsafeBufferPointer { input in
                // `JSONToken` is laid out as `sbj_token`; a test compares the two.
                let tokens = room.baseAddress?.assumingMemoryBound(to: sbj_token.self)
                return sbj_build(parser, input.baseAddress, range.lowerBound, range.upperBound, limits.depth, limits.members, tokens, capacity)
            }
        }
    }

    private func check(_ result: sbj_result, _ bytes: [UInt8], _ range: Range<Int>, _ limits: JSONLimits) throws(JSONFailure) {
        guard result.status != sbj_ok else { return }
        let reason = JSONFailure.Reason(result.status)
        let known = result.at < 0 ? nil : result.at
        var failure = JSONFailure(reason: reason, offset: known ?? JSONFailure.search(for: reason, bytes, range))
        failure.limit = limits.limit(for: reason)
        throw failure
    }
}

extension JSONFailure {
    /// The vectorised scan says that something is wrong but not where; this looks again, slowly, for the person who has to find it.
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
