// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A rejected request: problem details of RFC 9457 with a stable `code`.
package struct ProblemResponse: Codable, Sendable {
    /// One wrong field or parameter.
    package struct Field: Codable, Sendable {
        package var field: String
        /// A stable word for the kind of error.
        package var code: String
        package var message: String

        package init(field: String, code: String, message: String) {
            self.field = field
            self.code = code
            self.message = message
        }
    }

    package var type: String
    package var title: String
    package var status: Int
    package var code: Named<Refusal.Code>
    package var detail: String
    /// The next step.
    package var hint: String?
    package var errors: [Field]?

    package init(type: String, title: String, status: Int, code: Refusal.Code, detail: String, hint: String? = nil, errors: [Field]? = nil) {
        self.type = type
        self.title = title
        self.status = status
        self.code = .known(code)
        self.detail = detail
        self.hint = hint
        self.errors = errors
    }
}
