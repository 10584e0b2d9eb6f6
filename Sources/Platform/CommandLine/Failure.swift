/// Why a command ended without having done its work, as one line: what, why, what to do.
package struct Failure: Error {
    package let what: String
    package let hint: String?
    package private(set) var exitCode: Int32 = 1

    package init(_ what: String, hint: String?) {
        self.what = what
        self.hint = hint
    }

    package init(_ usage: WrongUsage) {
        self.init(usage.what, hint: usage.hint)
        exitCode = 2
    }

    package var line: String {
        let sentence = ".?!".contains(what.last ?? " ") ? what : what + "."
        let text = [sentence, hint].compactMap(\.self).joined(separator: " ")
        return text.split(whereSeparator: \.isNewline).joined(separator: "; ")
    }
}
