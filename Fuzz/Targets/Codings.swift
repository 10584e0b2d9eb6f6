// SPDX-License-Identifier: Apache-2.0

import Compression

/// Compressed bodies. The first byte selects the coding and the limit, which the output never exceeds.
enum Codings {
    static func run(_ bytes: [UInt8]) {
        guard let choice = bytes.first else { return }
        let rest = Array(bytes.dropFirst())
        let codings = ContentCoding.allCases
        decode(rest, codings[Int(choice) % codings.count], limit: choice & 0x80 == 0 ? 64 << 10 : 100)
        roundTrip(rest)
    }

    private static func decode(_ bytes: [UInt8], _ coding: ContentCoding, limit: Int) {
        guard let body = try? Compression.decode(bytes, coding: coding, limit: limit, spare: 64) else { return }
        accepted()
        require(body.count <= limit, "more than the limit came out")
        require(body.capacity >= body.count + 64, "no room behind the body")
        require((try? Compression.decode(bytes, coding: coding, limit: body.count)) == body, "did not fit the limit of its own size")
        guard !body.isEmpty else { return }
        do throws(DecodeError) {
            _ = try Compression.decode(bytes, coding: coding, limit: body.count - 1)
            require(false, "fitted a limit that is too small")
        } catch {
            require(error == .tooLarge, "the error of a small limit is \(error)")
        }
    }

    private static func roundTrip(_ bytes: [UInt8]) {
        require((try? Compression.decode(gzip(bytes), coding: .gzip, limit: bytes.count)) == bytes, "gzip lost something")
        require((try? decompress(compress(bytes), limit: bytes.count)) == bytes, "zstd lost something")
    }
}
