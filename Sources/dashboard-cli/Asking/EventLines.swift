import JSON
import Synchronization

/// Cuts an export into its events, however the bytes come, as if they were told live.
final class EventLines: Sendable {
    private let rest = Mutex<[UInt8]>([])

    func take(_ bytes: [UInt8]) -> [ServerSentEvents.Event] {
        let whole = rest.withLock { rest in
            rest += bytes
            let end = rest.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
            defer { rest.removeFirst(end) }
            return Array(rest[..<end])
        }
        return whole.split(separator: 0x0a).map { line in
            let seq = (try? JSONValue(Array(line)))?.text("seq") ?? ""
            return ServerSentEvents.Event(id: seq, name: "event", data: String(decoding: line, as: UTF8.self))
        }
    }
}
