// SPDX-License-Identifier: Apache-2.0

import CArgon2

/// Argon2 (RFC 9106), version 1.3: a key from a password, at a cost in memory that slows down guessing.
package struct Argon2: Sendable, Equatable {
    package enum Variant: Int32, Sendable {
        case d = 0
        case i = 1
        case id = 2
    }

    package var variant: Variant
    package var memoryKiB: Int
    package var passes: Int
    package var lanes: Int

    /// OWASP's first choice for passwords: 19 MiB, twenty milliseconds.
    package static let standard = Argon2(memoryKiB: 19_456, passes: 2, lanes: 1)

    package init(_ variant: Variant = .id, memoryKiB: Int, passes: Int, lanes: Int) {
        (self.variant, self.memoryKiB, self.passes, self.lanes) = (variant, memoryKiB, passes, lanes)
    }

    /// Whether the parameters need at most 256 MiB and two seconds. Those of an import could otherwise use all memory.
    package var isBounded: Bool {
        (1...16).contains(lanes) && (8 * lanes...262_144).contains(memoryKiB) && (1...64).contains(passes) && memoryKiB * passes <= 2_097_152
    }

    /// Returns a key; nil for parameters that are not bounded, a salt of less than 8 bytes, or if memory is exhausted.
    ///
    /// - Parameters:
    ///   - secret: A pepper: a key that is not stored beside the result.
    ///   - arena: Memory that is kept between hashes.
    package func key(_ password: [UInt8], salt: [UInt8], secret: [UInt8] = [], length: Int = 32, arena: borrowing Argon2Arena) -> [UInt8]? {
        guard isBounded, (8...256).contains(salt.count), (4...256).contains(length) else { return nil }
        var isDone = false
        let key = [UInt8](unsafeUninitializedCapacity: length) { out, count in
            password.withUnsafeBufferPointer { password in
                salt.withUnsafeBufferPointer { salt in
                    secret.withUnsafeBufferPointer { secret in
                        // The pointers are valid during this call only.
                        var input = sba_input(
                            variant: variant.rawValue, memory_kib: UInt32(memoryKiB), passes: UInt32(passes), lanes: UInt32(lanes),
                            password: password.baseAddress, password_count: password.count, salt: salt.baseAddress, salt_count: salt.count,
                            secret: secret.baseAddress, secret_count: secret.count)
                        isDone = sba_argon2(arena.pointer, &input, out.baseAddress, length) == 1
                    }
                }
            }
            count = isDone ? length : 0
        }
        return isDone ? key : nil
    }
}

/// Memory for one hash at a time, kept in huge pages between hashes. Owned by this value alone.
package struct Argon2Arena: ~Copyable {
    let pointer: OpaquePointer

    package init() {
        guard let pointer = sba_arena_create() else { preconditionFailure("no memory for an arena") }
        self.pointer = pointer
    }

    deinit {
        sba_arena_destroy(pointer)
    }

    package var bytes: Int { sba_arena_bytes(pointer) }

    /// Returns the memory to the system. The next hash takes it anew.
    package mutating func release() {
        sba_arena_release(pointer)
    }
}
