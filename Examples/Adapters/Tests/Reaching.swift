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

extension AsyncThrowingStream.Iterator where Failure == any Error {
    /// Reads until the stream has ended, with or without an error.
    mutating func end() async {
        while let element = try? await next() { _ = element }
    }
}
