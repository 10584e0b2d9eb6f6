// SPDX-License-Identifier: Apache-2.0

package enum HTTPMethod: Sendable, Equatable {
    case get, head, post, put, delete, patch, options
    /// Any other method, as sent.
    case other(String)

    init(_ bytes: ArraySlice<UInt8>) {
        let name = String(decoding: bytes, as: UTF8.self)
        self =
            switch name {
            case "GET": .get
            case "HEAD": .head
            case "POST": .post
            case "PUT": .put
            case "DELETE": .delete
            case "PATCH": .patch
            case "OPTIONS": .options
            default: .other(name)
            }
    }

    package var name: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .delete: "DELETE"
        case .patch: "PATCH"
        case .options: "OPTIONS"
        case .other(let name): name
        }
    }
}
