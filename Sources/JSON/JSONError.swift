// SPDX-License-Identifier: Apache-2.0

import CSimdJSON

/// The reason why bytes are not an acceptable JSON document.
package struct JSONError: Error, Equatable, Sendable {
    package enum Reason: Sendable, CaseIterable {
        case empty, tooLarge, tooManyTokens, tooManyMembers, tooDeep, byteOrderMark, invalidUTF8, unclosedString, controlCharacter
        case badEscape, badNumber, badLiteral, unexpected, unfinished, trailingContent, noMemory
    }

    package var reason: Reason
    /// The byte of the error, counted from the beginning of the body, if known.
    package var offset: Int?
    /// The exceeded limit of `JSONLimits`, if there is one.
    package var limit: Int?

    package init(reason: Reason, offset: Int?) {
        self.reason = reason
        self.offset = offset
    }

    package init(_ reason: Reason, limit: Int, offset: Int? = nil) {
        self.init(reason: reason, offset: offset)
        self.limit = limit
    }

    /// The error as the end of a sentence that begins with its subject: "The body" + "is not JSON at byte 12".
    package var explanation: String {
        let place = offset.map { " at byte \($0)" } ?? ""
        return reason.phrase(limit) + place
    }

    /// Returns the failure with its byte counted from the start of the document.
    package func counted(from start: Int) -> JSONError {
        var failure = self
        failure.offset = offset.map { $0 - start }
        return failure
    }
}

extension JSONError.Reason {
    fileprivate func phrase(_ limit: Int?) -> String {
        let count = limit.map(String.init) ?? "the allowed number of"
        return switch self {
        case .empty: "is empty"
        case .tooLarge: "has more than \(count) bytes"
        case .tooManyTokens: "has more than \(count) values and keys"
        case .tooManyMembers: "has an object with more than \(count) members"
        case .tooDeep: "is nested more deeply than \(count) levels"
        case .byteOrderMark: "begins with a byte order mark"
        case .invalidUTF8: "is not valid UTF-8"
        case .unclosedString: "has an unterminated string"
        case .controlCharacter: "has a control character inside a string"
        case .badEscape: "has an invalid escape"
        case .badNumber: "has an invalid number"
        case .badLiteral: "has a word that is not true, false or null"
        case .unexpected: "has an unexpected character"
        case .unfinished: "ends unexpectedly"
        case .trailingContent: "has content after its end"
        case .noMemory: "could not be parsed because memory is exhausted"
        }
    }

    init(_ status: sbj_status) {
        switch status {
        case sbj_empty: self = .empty
        case sbj_too_large: self = .tooLarge
        case sbj_too_many_tokens: self = .tooManyTokens
        case sbj_too_many_members: self = .tooManyMembers
        case sbj_too_deep: self = .tooDeep
        case sbj_byte_order_mark: self = .byteOrderMark
        case sbj_invalid_utf8: self = .invalidUTF8
        case sbj_unclosed_string: self = .unclosedString
        case sbj_control_character: self = .controlCharacter
        case sbj_bad_escape: self = .badEscape
        case sbj_bad_number: self = .badNumber
        case sbj_bad_literal: self = .badLiteral
        case sbj_unfinished: self = .unfinished
        case sbj_trailing_content: self = .trailingContent
        case sbj_no_memory: self = .noMemory
        default: self = .unexpected
        }
    }
}
