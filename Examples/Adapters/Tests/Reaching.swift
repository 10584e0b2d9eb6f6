// SPDX-License-Identifier: Apache-2.0

extension AsyncStream.Iterator {
    struct Ended: Error {}

    /// Reads until an element is as wanted. A stream may have any number of earlier states.
    mutating func reach(_ isWanted: (Element) -> Bool) async throws {
        while let element = await next() {
            if isWanted(element) { return }
        }
        throw Ended()
    }
}
