// SPDX-License-Identifier: Apache-2.0

/// A registered reader, removed when the app releases its stream.
final class StreamReader: Sendable {
    private let receiver: MessageReceiver
    private let number: Int

    init(_ receiver: MessageReceiver, _ number: Int) {
        self.receiver = receiver
        self.number = number
    }

    deinit {
        leave()
    }

    func next() async -> RemoteMessage? {
        await receiver.next(number)
    }

    func leave() {
        receiver.leave(number)
    }
}
