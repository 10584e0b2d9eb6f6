/// Lets one in after the other, in the order they came.
actor OneAtATime {
    private var last: Task<Void, Never>?

    func run<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) async throws -> T {
        let before = last
        let mine = Task {
            await before?.value
            return try await body()
        }
        last = Task { _ = await mine.result }
        return try await mine.value
    }
}
