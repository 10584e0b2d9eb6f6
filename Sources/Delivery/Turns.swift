/// Who is next: first come, first served.
struct Turns: Sendable {
    private var origins: [Int64] = []
    private var first = 0

    mutating func add(_ origin: Int64) {
        origins.append(origin)
    }

    mutating func next() -> Int64? {
        guard first < origins.count else { return nil }
        defer {
            first += 1
            if first == origins.count { (origins, first) = ([], 0) }
        }
        return origins[first]
    }
}
