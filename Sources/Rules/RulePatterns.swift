// SPDX-License-Identifier: Apache-2.0

import Patterns
import SignalboxDocumentModel
import Synchronization

/// The regular expressions of rules. Those in their text are compiled once, with the rules; patterns that rules compute are compiled when they
/// are evaluated, and charged for it.
struct RulePatterns: Sendable {
    /// The instructions of all patterns in one text of rules. Those beyond it are handled as computed ones.
    private static let mostInstructions = 262_144
    /// The least instructions that a pattern counts, so that their number is bounded; a text that is no pattern counts these, too.
    private static let leastCounted = 256
    /// The bytes that all patterns in one text of rules may need, that one needs at most, and that each may need however many there are.
    private static let (allBytes, mostBytes, leastBytes): (Int, Int, Int) = (16 << 20, 1 << 20, 64 << 10)

    /// Nil for a text that is no pattern.
    private let compiled: [ExactName: Pattern?]

    init(_ nodes: [RuleNode], _ functions: [RuleFunctionBody]) {
        var (compiled, instructions) = ([ExactName: Pattern?](), 0)
        let literals = RulePatterns.literals(nodes, functions)
        let memory = max(RulePatterns.leastBytes, min(RulePatterns.mostBytes, RulePatterns.allBytes / max(1, Set(literals).count)))
        for text in literals where compiled[text] == nil && instructions < RulePatterns.mostInstructions {
            let pattern = Pattern(text.text, memory: Int64(memory))
            compiled[text] = .some(pattern)
            instructions += max(pattern?.size ?? 0, RulePatterns.leastCounted)
        }
        self.compiled = compiled
    }

    /// Returns the pattern of a text that stands in the rules: `.some(nil)` for one that is invalid, and nil for a text that rules compute.
    subscript(text: ExactName) -> Pattern?? { compiled[text] }

    /// The texts that stand where a pattern is expected. If a pattern comes from a `let` or a parameter, all texts that they get are included.
    private static func literals(_ nodes: [RuleNode], _ functions: [RuleFunctionBody]) -> [ExactName] {
        let patterns = nodes.compactMap { node -> NodeID? in
            guard case .method(_, let method, let arguments) = node, takingPatterns.contains(method) else { return nil }
            return arguments.first
        }
        let areLocal = patterns.contains { if case .local = nodes[$0.index] { true } else { false } }
        let locals = areLocal ? functions.flatMap(\.lets) + nodes.flatMap(passed) : []
        return (patterns + locals).compactMap { if case .literal(.text(let text)) = nodes[$0.index] { ExactName(text) } else { nil } }
    }

    private static func passed(_ node: RuleNode) -> [NodeID] { if case .call(_, let arguments) = node { arguments } else { [] } }

    private static let takingPatterns: Set<RuleMethod> = [.matches, .replace, .split]
}

/// Patterns that rules compute. They may come from users, so they are small, and the newest are kept.
enum ComputedPatterns {
    static let mostBytes = 4_096
    /// 64 KiB are some 2,700 instructions, which are compiled within a millisecond.
    private static let memory: Int64 = 65_536
    private static let (mostWork, workPerByte) = (8_192, 32)
    private static let most = 256

    private static let known = Mutex<[ExactName: Pattern?]>([:])

    /// The work of a compilation, whether the pattern is kept or not: decisions do not depend on others before.
    ///
    /// Classes of Unicode, repetitions with numbers and flags make patterns that are larger than their text.
    static func work(_ text: String) -> Int {
        let isLarge = text.utf8.contains(UInt8(ascii: "{")) || ["\\p", "\\P", "(?"].contains { text.contains($0) }
        return isLarge ? mostWork : min(mostWork, workPerByte * (1 + text.utf8.count))
    }

    /// Returns nil for a pattern that is invalid or too large.
    static func pattern(_ text: ExactName) -> Pattern? {
        if let known = known.withLock({ $0[text] }) { return known }
        let pattern = Pattern(text.text, memory: memory)
        known.withLock { known in
            if known.count >= most { known.removeAll() }
            known[text] = .some(pattern)
        }
        return pattern
    }
}
