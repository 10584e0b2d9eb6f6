// SPDX-License-Identifier: Apache-2.0

import Crypto
import Files
import Platform
import Testing

@Suite struct FileLinkTests {
    private typealias Parameters = [(name: String, value: String)]

    private static func key(_ byte: UInt8 = 7) throws -> FileLinkKey { try #require(FileLinkKey(Array(repeating: byte, count: 32))) }
    private static func path(_ text: String = "users/ann/photo.jpg") throws -> FilePath { try #require(FilePath(text)) }
    private static let app = AppID(rawValue: 1)

    private static func link() throws -> FileLink {
        FileLink(app: app, path: try path(), generation: 1_795_260_500_000_000, expires: 1_795_264_100, disposition: .inline, revocable: 12)
    }

    private static func read(_ parameters: Parameters, app: AppID = app, path: FilePath? = nil, key: FileLinkKey? = nil) throws -> FileLink? {
        FileLink(app: app, path: try path ?? self.path(), parameters: parameters, try key ?? self.key())
    }

    @Test func `a link is read from its parameters, with and without optional ones`() throws {
        var link = try Self.link()
        #expect(try Self.read(link.parameters(Self.key())) == link)
        (link.generation, link.disposition, link.revocable) = (nil, nil, nil)
        #expect(try Self.read(link.parameters(Self.key()) + [("unrelated", "1")]) == link)
    }

    @Test func `a link with any field changed is not signed`() throws {
        let link = try Self.link()
        let signature = try link.signature(Self.key())
        let changes: [(inout FileLink) throws -> Void] = [
            { $0.app = AppID(rawValue: 11) }, { $0.path = try Self.path("users/ann/photo.jpf") }, { $0.generation = nil }, { $0.generation? += 1 },
            { $0.expires += 1 }, { $0.disposition = .attachment }, { $0.disposition = nil }, { $0.revocable = nil }, { $0.revocable? += 1 },
        ]
        #expect(try link.isSigned(signature, with: Self.key()))
        for change in changes {
            var changed = link
            try change(&changed)
            #expect(try !changed.isSigned(signature, with: Self.key()), "\(changed)")
        }
        #expect(try !link.isSigned(signature, with: Self.key(8)))
    }

    @Test func `a signature with any bit changed is not that of the link`() throws {
        let link = try Self.link()
        let signature = try link.signature(Self.key())
        for bit in 0..<signature.count * 8 {
            var changed = signature
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(try !link.isSigned(changed, with: Self.key()))
        }
        for other in [[], Array(signature.dropLast()), signature + [0]] { #expect(try !link.isSigned(other, with: Self.key())) }
    }

    @Test func `a parameter that is changed, repeated, missing or of another form makes no link`() throws {
        let parameters = try Self.link().parameters(Self.key())
        for index in parameters.indices {
            var missing = parameters
            missing.remove(at: index)
            #expect(try Self.read(missing) == nil)
            #expect(try Self.read(parameters + [parameters[index]]) == nil)
            for value in ["", "0", "-1", "+1", "01", " 1", "1 ", "99999999999999999999", "inline ", "INLINE", parameters[index].value + "0"] {
                var changed = parameters
                changed[index].value = value
                #expect(try Self.read(changed) == nil, "\(changed)")
            }
        }
        #expect(try Self.read(parameters, app: AppID(rawValue: 2)) == nil)
        #expect(try Self.read(parameters, path: Self.path("users/bob/photo.jpg")) == nil)
        #expect(try Self.read(parameters, key: Self.key(8)) == nil)
        #expect(try Self.read([]) == nil)
    }

    @Test func `fields cannot take each other's places`() throws {
        // Both would be signed alike if the parts were joined without separators.
        let one = FileLink(app: AppID(rawValue: 1), path: try Self.path("a"), generation: 12, expires: 3)
        let two = FileLink(app: AppID(rawValue: 11), path: try Self.path("a"), generation: 2, expires: 3)
        #expect(try one.signature(Self.key()) != two.signature(Self.key()))
    }

    @Test func `a link is over at its second`() throws {
        let link = try Self.link()
        #expect(!link.isOver(at: Timestamp(milliseconds: link.expires * 1_000 - 1)))
        #expect(link.isOver(at: Timestamp(milliseconds: link.expires * 1_000)))
    }
}

@Suite struct FileSumsTests {
    @Test func `the sums are those of the standards`() {
        let sums = FileSums(of: Array("123456789".utf8), withMD5: true)
        #expect(sums.crc32c == 0xe306_9283)
        #expect(Hex.encode(sums.sha256) == "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225")
        #expect(sums.md5.map(Hex.encode) == "25f9e794323b453885f5181f1b624d0b")
        #expect(FileSums(of: []).crc32c == 0 && FileSums(of: []).md5 == nil)
    }

    @Test func `pieces have the sums of the whole`() {
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 * 31 + $0 / 7) }
        for size in [1, 7, 8, 9, 4_096] {
            var summing = FileSumming(withMD5: true)
            for start in stride(from: 0, to: bytes.count, by: size) { summing.update(Array(bytes[start..<min(start + size, bytes.count)]).span) }
            #expect(summing.finish() == FileSums(of: bytes, withMD5: true))
        }
    }

    @Test func `each promised sum must agree`() {
        let sums = FileSums(of: [1, 2, 3], withMD5: true)
        #expect(ExpectedSums().agree(with: sums))
        #expect(ExpectedSums(sha256: sums.sha256, crc32c: sums.crc32c, md5: sums.md5).agree(with: sums))
        #expect(!ExpectedSums(sha256: Array(repeating: 0, count: 32)).agree(with: sums))
        #expect(!ExpectedSums(crc32c: sums.crc32c ^ 1).agree(with: sums))
        #expect(!ExpectedSums(md5: []).agree(with: sums))
    }

    @Test func `a condition holds for the states that it names`() {
        let cases: [(FileCondition, [Bool])] = [
            (.any, [true, true, true]), (.absent, [true, false, false]), (.present, [false, true, true]), (.generation(5), [false, true, false]),
        ]
        for (condition, expected) in cases { #expect([nil, 5, 6].map { condition.holds(for: $0) } == expected) }
        let version = FileCondition.version(generation: 5, metageneration: 2)
        #expect(version.holds(for: 5, metageneration: 2) && !version.holds(for: 5) && !version.holds(for: 6, metageneration: 2))
        #expect(!version.holds(for: nil, metageneration: 2))
    }
}
