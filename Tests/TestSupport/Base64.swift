import Foundation

extension String {
    package var base64: String { Data(utf8).base64EncodedString() }
}
