// SPDX-License-Identifier: Apache-2.0

import HTTPClient

/// Responses of functions' addresses. What is read does not depend on how the bytes are cut.
enum Responses {
    private enum Outcome: Equatable {
        case broken
        case unfinished(status: Int?)
        case complete(status: Int?, body: [UInt8])
    }

    static func run(_ bytes: [UInt8]) {
        let whole = read(bytes, step: max(1, bytes.count))
        require(whole == read(bytes, step: 5), "the response depends on how the bytes are cut")
        if case .complete(let status, let body) = whole {
            accepted()
            require(status.map { (200...599).contains($0) } ?? false, "a complete response has no status")
            require(body.count < bytes.count, "the body is longer than the response")
        }
    }

    private static func read(_ bytes: [UInt8], step: Int) -> Outcome {
        var (reader, body) = (ResponseReader(), [UInt8]())
        do {
            for start in stride(from: 0, to: bytes.count, by: step) where !reader.isComplete {
                _ = try reader.read(bytes[start..<min(start + step, bytes.count)]) { _, piece in
                    body += piece
                    return true
                }
            }
        } catch {
            return .broken
        }
        return reader.isComplete ? .complete(status: reader.head?.status, body: body) : .unfinished(status: reader.head?.status)
    }
}
