// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Decodable {
    /// Decodes the body of a response, whose members are in snake_case: `last_seq` becomes `lastSeq`.
    package init(response body: [UInt8]) throws(RequestError) {
        do {
            self = try JSONDecoder.responses.decode(Self.self, from: Data(body))
        } catch {
            throw .unexpectedResponse
        }
    }
}

extension JSONDecoder {
    /// Shared, because a tail decodes thousands of bodies a second.
    fileprivate static let responses = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }()
}
