// SPDX-License-Identifier: Apache-2.0

import Compression
import Testing

private let text = Array("signals arrive, are logged, and are sent on; signals arrive again".utf8)

/// The text in the output of each coding's reference encoder.
private struct Sample: CustomTestStringConvertible {
    let name: String
    let coding: ContentCoding
    let bytes: [UInt8]

    var testDescription: String { name }

    init(_ name: String, _ coding: ContentCoding, _ digits: String) {
        self.name = name
        self.coding = coding
        bytes = unhex(digits)
    }

    static let all = [
        Sample(
            "gzip", .gzip,
            "1f8b08000000000002032bce4ccf4bcc2956482c2aca2c4bd501d2a90a39f9e9e9a92940765e0a985f9c9a57a2909f67ad508ca25821313d31330f0017ebdf5141000000"
        ),
        Sample(
            "gzip of two members", .gzip,
            "1f8b08000000000002032bce4ccf4bcc2956482c2aca2c4bd501d2a90a0029e117b9140000001f8b0800000000000203"
                + "cbc94f4f4f4dd15148cc4b51482c4a55284ecd2b51c8cfb35628ce4ccf4bcc29060a166596a52a24a62766e60100db4887162d000000"),
        Sample("zlib", .deflate, "78da2bce4ccf4bcc2956482c2aca2c4bd501d2a90a39f9e9e9a92940765e0a985f9c9a57a2909f67ad508ca25821313d31330f0005f41774"),
        Sample("raw deflate", .deflate, "2bce4ccf4bcc2956482c2aca2c4bd501d2a90a39f9e9e9a92940765e0a985f9c9a57a2909f67ad508ca25821313d31330f00"),
        Sample("brotli", .br, "1b400000047463a98e6e68b6643822c80d3ac601fb354dd7a6d7c4c3c6d878ad2082c6cafa69d73ee075562862e3798c0a8f346fe79c04442f"),
        Sample(
            "zstd", .zstd, "28b52ffd04687d01003283090cc03de056407afca37fe862276852f207e619694f2a1f94c35055de49e5406daaf23dc1b20d010085b22a032822c1b1"),
        Sample(
            "zstd of two frames", .zstd,
            "28b52ffd0458a100007369676e616c73206172726976652c2061726520cec36bfc28b52ffd04586901006c6f676765642c20616e64206172652073656e74206f6e3b2073"
                + "69676e616c732061727269766520616761696ecf0e9288"),
    ]
}

private func unhex(_ digits: String) -> [UInt8] {
    var bytes: [UInt8] = [], rest = digits[...]
    while let byte = UInt8(rest.prefix(2), radix: 16) {
        bytes.append(byte)
        rest = rest.dropFirst(2)
    }
    return bytes
}

struct DecodeTests {
    @Test(arguments: Sample.all)
    fileprivate func `output of reference encoders is decoded, with spare capacity`(sample: Sample) throws {
        let decoded = try decode(sample.bytes, coding: sample.coding, limit: 1_000, spare: 64)
        #expect(decoded == text)
        #expect(decoded.capacity >= decoded.count + 64)
    }

    @Test(arguments: [ContentCoding.gzip, .zstd]) func `a result has at most a quarter of unused capacity`(coding: ContentCoding) throws {
        var random = SystemRandomNumberGenerator()
        // Barely compressible, so the first size estimate is too large.
        let bytes = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let decoded = try decode(coding == .gzip ? gzip(bytes) : compress(bytes), coding: coding, limit: 1 << 20, spare: 64)
        #expect(decoded == bytes && decoded.capacity < 126_000)
        #expect(compress([UInt8](repeating: 7, count: 100_000)).capacity < 1_000)
    }

    @Test(arguments: Sample.all)
    fileprivate func `the limit is exact`(sample: Sample) throws {
        #expect(try decode(sample.bytes, coding: sample.coding, limit: text.count) == text)
        for limit in [0, 1, text.count - 1] {
            #expect(throws: DecodeError.tooLarge) { try decode(sample.bytes, coding: sample.coding, limit: limit) }
        }
    }

    @Test(arguments: Sample.all)
    fileprivate func `a truncated body is malformed`(sample: Sample) {
        for end in sample.bytes.indices {
            guard let decoded = try? decode(Array(sample.bytes[..<end]), coding: sample.coding, limit: 1_000) else { continue }
            #expect(sample.name.contains("two") && text.starts(with: decoded), "accepted \(end) of \(sample.bytes.count) bytes")
        }
        #expect(throws: DecodeError.malformed) { try decode([], coding: sample.coding, limit: 1_000) }
    }

    @Test(arguments: Sample.all)
    fileprivate func `trailing data is malformed`(sample: Sample) {
        for tail in [[0], [0, 0, 0, 0], Array("GET /".utf8)] as [[UInt8]] {
            #expect(throws: DecodeError.malformed) { try decode(sample.bytes + tail, coding: sample.coding, limit: 1_000) }
        }
    }

    @Test(arguments: Sample.all)
    fileprivate func `a corrupted byte never traps or exceeds the limit`(sample: Sample) {
        for index in sample.bytes.indices {
            for change in [0x01, 0x80, 0xff] as [UInt8] {
                var broken = sample.bytes
                broken[index] ^= change
                if let decoded = try? decode(broken, coding: sample.coding, limit: 200) { #expect(decoded.count <= 200) }
            }
        }
    }

    /// The length of the longest run in the bombs below.
    private static let zeros = [UInt8](repeating: 0, count: 16 * 1_024 * 1_024)

    @Test(arguments: [
        (ContentCoding.gzip, gzip(zeros)),
        (.deflate, Array(gzip(zeros).dropFirst(10).dropLast(8))),
        (.br, unhex("cbffff3f002400e2b14072effff2ffff0f8004401c1680eefd1f")),
        (.zstd, compress(zeros)),
    ])
    func `a bomb stops at the limit`(coding: ContentCoding, bomb: [UInt8]) throws {
        #expect(bomb.count < 20_000)
        #expect(throws: DecodeError.tooLarge) { try decode(bomb, coding: coding, limit: 1_024 * 1_024) }
        #expect(try decode(bomb, coding: coding, limit: DecodeTests.zeros.count).count == DecodeTests.zeros.count)
    }

    @Test func `a zstd window beyond 8 MiB is refused before it is allocated`() throws {
        #expect(try decode(unhex("28b52ffd006809000061"), coding: .zstd, limit: 10) == [0x61])
        #expect(throws: DecodeError.malformed) { try decode(unhex("28b52ffd008809000061"), coding: .zstd, limit: 10) }
    }

    @Test func `identity has the limit too`() throws {
        #expect(try decode([1, 2], coding: .identity, limit: 2, spare: 64).capacity >= 66)
        #expect(throws: DecodeError.tooLarge) { try decode([1, 2], coding: .identity, limit: 1) }
    }

    @Test(arguments: [
        ("GZIP", ContentCoding.gzip), ("x-gzip", .gzip), ("Deflate", .deflate), ("br", .br), ("zstd", .zstd), ("identity", .identity),
        ("", .identity),
    ])
    func `codings are case-insensitive`(token: String, coding: ContentCoding) {
        #expect(ContentCoding(token: token) == coding)
    }

    @Test(arguments: [" ", "gzip, br", "compress", " gzip", "gzip;q=1"])
    func `other codings are unknown`(token: String) {
        #expect(ContentCoding(token: token) == nil)
    }
}

struct EncodeTests {
    @Test(arguments: [[], [7], text, (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }])
    func `compressed blobs decompress`(bytes: [UInt8]) throws {
        #expect(try decode(gzip(bytes), coding: .gzip, limit: bytes.count) == bytes)
        #expect(try decompress(compress(bytes), limit: bytes.count) == bytes)
    }

    @Test(arguments: Sample.all)
    fileprivate func `the beginning of a stream is decoded within a limit`(_ sample: Sample) throws {
        for limit in [0, 1, text.count - 1, text.count, 1_000] {
            let found = try decodeBeginning(sample.bytes, coding: sample.coding, limit: limit, isTruncated: false)
            #expect(found.bytes == Array(text.prefix(limit)) && found.isWhole == (limit >= text.count), "\(limit)")
        }
        for end in sample.bytes.indices {
            let part = Array(sample.bytes[..<end])
            let found = try decodeBeginning(part, coding: sample.coding, limit: 1_000, isTruncated: true)
            #expect(text.starts(with: found.bytes) && !found.isWhole, "\(end)")
            // The first of two members is a stream of its own.
            let isStream = (try? decode(part, coding: sample.coding, limit: 1_000)) != nil
            #expect(((try? decodeBeginning(part, coding: sample.coding, limit: 1_000, isTruncated: false)) != nil) == isStream, "\(end)")
        }
    }
}
