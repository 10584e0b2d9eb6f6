// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform

extension HTTPRequestHead {
    /// Of the body, without parameters, in lower case.
    var mediaType: String? {
        guard let value = header("Content-Type"), let type = value.split(separator: ";").first else { return nil }
        return type.lowercased().filter { $0 != " " }
    }
}

extension Call {
    /// The body of a route that takes one JSON document. A browser's beacon can only send plain text or a form's type, so those pass for JSON.
    func json() throws(Refusal) -> [UInt8] {
        switch head.mediaType {
        case nil, "application/json", "text/plain", "application/x-www-form-urlencoded": return request.body
        default: throw Refusal(.unsupportedMediaType, "This route takes JSON.", hint: "Send application/json.")
        }
    }
}
