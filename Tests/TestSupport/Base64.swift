// SPDX-License-Identifier: Apache-2.0

import Foundation

extension String {
    package var base64: String { Data(utf8).base64EncodedString() }
}
