import HTTPServer
import Platform
import Synchronization

/// Lets only so many exports be written at a time: each holds a page of what it reads for as long as its reader takes.
final class ExportPlaces: Sendable {
    /// One of them, until it is let go of.
    final class Place: Sendable {
        private let places: ExportPlaces

        fileprivate init(of places: ExportPlaces) {
            self.places = places
        }

        deinit {
            places.taken.withLock { $0 -= 1 }
        }
    }

    static let most = 16
    private let taken = Mutex(0)

    /// An answer of any length, written page by page; its place is free again when it has ended.
    func stream(
        _ headers: [(name: String, value: String)], _ write: @escaping @Sendable (HTTPResponseWriter) async throws -> Void
    ) throws(Refusal) -> HTTPAnswer {
        let place = try take()
        return .stream(status: 200, headers: headers) { writer in
            try await write(writer)
            withExtendedLifetime(place) {}
        }
    }

    func take() throws(Refusal) -> Place {
        let isFull = taken.withLock { taken in
            if taken == ExportPlaces.most { return true }
            taken += 1
            return false
        }
        if isFull {
            throw Refusal(.overloaded, "Too many exports are being read already.", hint: "Ask again when one has ended.", retryAfterSeconds: 10)
        }
        return Place(of: self)
    }
}
