// SPDX-License-Identifier: Apache-2.0

import Platform

/// URLs of pictures in profiles. Pages use them as they are, so a script is none.
package enum PictureURL {
    package static func isOne(_ text: String) -> Bool {
        let start = text.utf8.prefix(8).map(\.lowercased)
        return (start.elementsEqual("https://".utf8) || start.starts(with: "http://".utf8)) && !text.unicodeScalars.contains(where: \.isInvisible)
    }
}
