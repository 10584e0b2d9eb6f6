// SPDX-License-Identifier: Apache-2.0

import Platform

/// The path and parameters of a GET request.
package struct GetRequest: Hashable, Sendable {
    package struct Parameter: Hashable, Sendable {
        let name: String
        package let value: String
    }

    package let path: String
    package let parameters: [Parameter]

    package init(_ path: String, _ parameters: [(String, String)] = []) {
        self.path = path
        self.parameters = parameters.map { Parameter(name: $0.0, value: $0.1) }
    }

    package var target: String {
        let query = parameters.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
        return query.isEmpty ? path : "\(path)?\(query)"
    }
}
