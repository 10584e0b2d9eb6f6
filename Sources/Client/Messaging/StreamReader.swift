// SPDX-License-Identifier: Apache-2.0

/// A registered reader, removed when the app releases its stream.
final class StreamReader: Sendable {
    private let receiving: Receiving
    private let number: Int

    init(_ receiving: Receiving, _ number: Int) {
        self.receiving = receiving
        self.number = number
    }

    deinit {
        leave()
    }

    func next() async -> RemoteMessage? {
        await receiving.next(number)
    }

    func leave() {
        receiving.leave(number)
    }
}
