// SPDX-License-Identifier: Apache-2.0

extension Unicode.Scalar {
    /// The escape of a character that HTML and XML give a meaning; nil for all others.
    ///
    ///     "<"    &lt;
    package var markupEntity: String? {
        switch self {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "'": "&#39;"
        default: nil
        }
    }
}
