// SPDX-License-Identifier: Apache-2.0

/// The failure of a command as one line: operation, cause, next step.
package struct Failure: Error {
    package let what: String
    package let hint: String?
    package let exitCode: Int32

    package init(_ what: String, hint: String?, exitCode: Int32 = 1) {
        self.what = what
        self.hint = hint
        self.exitCode = exitCode
    }

    package init(_ usage: UsageError) {
        self.init(usage.what, hint: usage.hint, exitCode: 2)
    }

    package var line: String {
        let sentence = ".?!".contains(what.last ?? " ") ? what : what + "."
        let text = [sentence, hint].compactMap(\.self).joined(separator: " ")
        return text.unicodeScalars.split(whereSeparator: \.isLineBreak).map { String($0) }.joined(separator: "; ")
    }
}
