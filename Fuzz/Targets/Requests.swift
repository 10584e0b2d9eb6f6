// SPDX-License-Identifier: Apache-2.0

import HTTPServer

/// Bytes of a connection. Any split into chunks gives the same requests and bodies, or the same error.
enum Requests {
    private static let bodyLimit = 4_096

    static func run(_ bytes: [UInt8]) {
        let whole = Reading([bytes[...]])
        var random = InputRandom(bytes)
        let cut = pieces(of: bytes, &random)
        require(Reading(cut) == whole, "read differently when it was cut into \(cut.map(\.count))")
        require(Reading(cut, streams: true) == whole, "read differently when its bodies were streamed")
        if bytes.count <= 256 { require(Reading(bytes.indices.map { bytes[$0...$0] }) == whole, "read differently byte by byte") }
    }

    private static func pieces(of bytes: [UInt8], _ random: inout InputRandom) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + Int.random(in: 1...max(2, bytes.count / 3), using: &random))
            pieces.append(bytes[start..<end])
            start = end
        }
        return pieces
    }

    private struct Reading: Equatable {
        private var heads: [[String]] = []
        private var bodies: [[UInt8]] = []
        private var fault: HTTPRequestError?

        init(_ pieces: [ArraySlice<UInt8>], streams: Bool = false) {
            var reader = RequestReader(limits: HeadLimits())
            do throws(HTTPRequestError) {
                var parts: [UInt8] = []
                for piece in pieces { try read(Array(piece), with: &reader, streams, &parts) }
            } catch {
                fault = error
            }
        }

        private mutating func read(
            _ bytes: [UInt8], with reader: inout RequestReader, _ streams: Bool, _ parts: inout [UInt8]
        ) throws(HTTPRequestError) {
            var offset = 0
            while true {
                switch try reader.next(bytes.span, at: &offset) {
                case .needsMore:
                    require(offset == bytes.count, "asked for more with bytes left")
                    if streams, reader.isInBody { parts += reader.takePart() }
                    return
                case .piece(let range): parts += bytes[range]
                case .head(let head):
                    heads.append(Reading.summary(of: head))
                    try reader.expect(head.body, limit: bodyLimit, streaming: streams)
                case .body(let rest):
                    bodies.append(parts + rest)
                    parts = []
                    require(bodies[bodies.count - 1].count <= bodyLimit, "a body over its limit")
                    require(reader.bodyReceived == bodies[bodies.count - 1].count, "miscounted a body")
                }
            }
        }

        private static func summary(of head: HTTPRequestHead) -> [String] {
            let fields = ["Host", "content-type", "CONTENT-ENCODING", "authorization", "x-request-id", "a"].map { head.headers($0).description }
            accepted()
            return [head.method.name, head.path, head.query ?? "-", "\(head.body)"] + fields
        }
    }
}
