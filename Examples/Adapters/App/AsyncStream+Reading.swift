// SPDX-License-Identifier: Apache-2.0

extension AsyncStream where Element: Sendable {
    /// A stream that reads another one only as it is read itself, so that a message is acknowledged when the app asks for the next one.
    init<Source: Sendable>(reading source: AsyncStream<Source>, _ transform: @escaping @Sendable (Source) -> Element) {
        self.init {
            // Iterators of a stream share its elements, so each call takes the next one.
            for await element in source { return transform(element) }
            return nil
        }
    }

    /// A stream over one that may fail. An error is reported, and ends the stream.
    init<Source: Sendable>(
        reading source: AsyncThrowingStream<Source, any Error>, onError: @escaping @Sendable (any Error) -> Void,
        _ transform: @escaping @Sendable (Source) -> Element
    ) {
        self.init {
            do {
                for try await element in source { return transform(element) }
            } catch {
                onError(error)
            }
            return nil
        }
    }
}
