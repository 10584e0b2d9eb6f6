/// Something that runs as long as the program does.
package protocol Service: Sendable {
    /// Returns when its task is cancelled and it has put its things in order; returning or throwing earlier ends the program.
    func run() async throws
}

/// Services that live and end together.
package struct ServiceGroup: Service {
    private let services: [any Service]

    /// In the order of their starts: what others lean on comes first, and so ends last.
    package init(_ services: [any Service]) {
        self.services = services
    }

    /// Runs until this task is cancelled or a service ends; then ends the others, the last started first, each before the next.
    package func run() async throws {
        let (endings, ending) = AsyncStream<Result<Void, any Error>>.makeStream(bufferingPolicy: .bufferingOldest(1))
        // Not children of one task group: those could only be cancelled all at once.
        let tasks = services.map { service in
            Task {
                let ended = await ServiceGroup.outcome(of: service)
                ending.yield(ended)
                return ended
            }
        }
        // Ends with nil when this task is cancelled.
        var outcomes = [await endings.first { _ in true } ?? .success(())]
        for task in tasks.reversed() {
            task.cancel()
            outcomes.append(await task.value)
        }
        // The first failure is the cause; later ones are mostly its echo.
        for outcome in outcomes { try outcome.get() }
    }

    private static func outcome(of service: any Service) async -> Result<Void, any Error> {
        do {
            return .success(try await service.run())
        } catch is CancellationError {
            return .success(())
        } catch {
            return .failure(error)
        }
    }
}
