// SPDX-License-Identifier: Apache-2.0

/// Evaluates the postfix expressions of unwind records.
///
///     $rsp 16 +                        →  the value of rsp plus 16
///     .cfa -8 + ^                      →  the word in memory at that address
///     $T0 $ebp = $eip $T0 4 + ^ =      →  assignments, in programs of Windows
///
/// An expression has no loops, so its work is bounded by its length.
struct PostfixMachine {
    private enum Item {
        case value(UInt64)
        case name(ArraySlice<UInt8>)
    }

    /// The variables that are not registers, and assigned ones, by their names without a dollar sign.
    private(set) var variables: [String: UInt64]
    private let registers: CPUState
    private let memory: (UInt64) -> UInt64?
    private let mask: UInt64
    private var stack: [Item] = []

    init(_ registers: CPUState, variables: [String: UInt64] = [:], memory: @escaping (UInt64) -> UInt64?) {
        self.registers = registers
        self.variables = variables
        self.memory = memory
        mask = registers.processor.width == 8 ? .max : 0xffff_ffff
    }

    /// Returns the value of an expression; nil if it is invalid or reads an unknown register or memory.
    mutating func value(_ tokens: [ArraySlice<UInt8>]) -> UInt64? {
        stack = []
        guard run(tokens), stack.count == 1 else { return nil }
        return pop()
    }

    /// Runs a program of assignments. Returns whether it was valid and left nothing.
    mutating func assign(_ tokens: [ArraySlice<UInt8>]) -> Bool {
        stack = []
        return run(tokens) && stack.isEmpty
    }

    private mutating func run(_ tokens: [ArraySlice<UInt8>]) -> Bool {
        for token in tokens {
            guard step(token) else { return false }
        }
        return true
    }

    private mutating func step(_ token: ArraySlice<UInt8>) -> Bool {
        guard token.count == 1, let sign = token.first, !(0x30...0x39).contains(sign) else { return push(token) }
        switch sign {
        case UInt8(ascii: "^"):
            guard let value = pop().flatMap(memory) else { return false }
            stack.append(.value(value & mask))
        case UInt8(ascii: "="):
            guard let value = pop(), case .name(let name)? = stack.popLast() else { return false }
            variables[PostfixMachine.key(name)] = value
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "/"), UInt8(ascii: "%"), UInt8(ascii: "@"):
            guard let right = pop(), let left = pop(), let value = PostfixMachine.result(left, sign, right) else { return false }
            stack.append(.value(value & mask))
        default: return push(token)
        }
        return true
    }

    private static func result(_ left: UInt64, _ sign: UInt8, _ right: UInt64) -> UInt64? {
        switch sign {
        case UInt8(ascii: "+"): left &+ right
        case UInt8(ascii: "-"): left &- right
        case UInt8(ascii: "*"): left &* right
        case UInt8(ascii: "/"): right == 0 ? nil : left / right
        case UInt8(ascii: "%"): right == 0 ? nil : left % right
        // Rounds down to a multiple of a power of two.
        default: right.nonzeroBitCount == 1 ? left & ~(right - 1) : nil
        }
    }

    private mutating func push(_ token: ArraySlice<UInt8>) -> Bool {
        if let number = Int64(String(decoding: token.prefix(24), as: UTF8.self)) {
            stack.append(.value(UInt64(bitPattern: number) & mask))
        } else {
            stack.append(.name(token))
        }
        return true
    }

    private mutating func pop() -> UInt64? {
        switch stack.popLast() {
        case .value(let value): value
        case .name(let name): value(of: PostfixMachine.key(name))
        case nil: nil
        }
    }

    private func value(of name: String) -> UInt64? {
        variables[name] ?? registers.processor.index(of: name).flatMap { registers[$0] }
    }

    private static func key(_ name: ArraySlice<UInt8>) -> String {
        String(decoding: name.first == UInt8(ascii: "$") ? name.dropFirst() : name, as: UTF8.self)
    }
}
