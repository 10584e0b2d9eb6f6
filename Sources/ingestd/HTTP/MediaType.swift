// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform

extension HTTPRequestHead {
    /// The media type of the body in lower case, without parameters: `application/json`.
    var mediaType: String? {
        guard let value = header("Content-Type"), let type = value.split(separator: ";").first else { return nil }
        return type.lowercased().filter { $0 != " " }
    }
}

extension Call {
    /// The body of a route that accepts one JSON document. A browser's beacon can only declare plain text or a form, so both count as JSON.
    func json() throws(Refusal) -> [UInt8] {
        switch head.mediaType {
        case nil, "application/json", "text/plain", "application/x-www-form-urlencoded": return request.body
        default: throw Refusal(.unsupportedMediaType, "This route accepts JSON only.", hint: "Send application/json.")
        }
    }
}
