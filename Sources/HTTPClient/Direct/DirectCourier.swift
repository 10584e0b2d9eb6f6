// SPDX-License-Identifier: Apache-2.0

package import Platform
import Synchronization

/// Sends requests to literal addresses on kept connections, on the loop of the connection that asks for them.
///
/// A request and its response need no other thread, so they cost two system calls each, as in a proxy. The rules are those of `HTTPCourier`: no
/// redirects, `block` judges each request, every exchange has a time limit and one result.
package final class DirectCourier: Sendable {
    private let options: HTTPCourierOptions
    private let block: @Sendable (IPAddress, Int) -> CourierFailure?
    private let onResult: @Sendable (CourierResult) -> Void
    private let shards = Mutex<[ObjectIdentifier: DirectShard]>([:])
    /// The targets of URLs that were used before; nil for URLs that need libcurl.
    private let targets = Mutex<[String: DirectTarget?]>([:])
    private static let maximumTargets = 10_000

    /// Reports each result on the loop's thread, where `onResult` must not wait.
    package init(
        _ options: HTTPCourierOptions, block: @escaping @Sendable (IPAddress, Int) -> CourierFailure?,
        onResult: @escaping @Sendable (CourierResult) -> Void
    ) {
        (self.options, self.block, self.onResult) = (options, block, onResult)
    }

    /// Returns where requests to a URL go; nil for URLs that this courier cannot reach.
    package func target(of url: String) -> DirectTarget? {
        targets.withLock { targets in
            if let known = targets[url] { return known }
            if targets.count >= DirectCourier.maximumTargets { targets = [:] }
            let target = DirectTarget(url)
            targets[url] = .some(target)
            return target
        }
    }

    /// Sends a request, which has a receiver, from a loop.
    package func send(_ request: CourierRequest, to target: DirectTarget, on handle: SocketLoopHandle) {
        handle.run { [self] loop in
            shard(of: loop).begin(DirectExchange(request, target))
        }
    }

    /// Cancels a request that was sent from the loop. Its result says so, unless it has ended before.
    package func cancel(_ id: Int64, on handle: SocketLoopHandle) {
        handle.run { [self] loop in shard(of: loop).cancel(id) }
    }

    private func shard(of loop: any SocketLoop) -> DirectShard {
        shards.withLock { shards in
            let key = ObjectIdentifier(loop)
            if let shard = shards[key] { return shard }
            let shard = DirectShard(loop, options, block, onResult)
            shards[key] = shard
            return shard
        }
    }
}

/// A request under way.
final class DirectExchange {
    let id: Int64
    let target: DirectTarget
    let bytes: [UInt8]
    let deadline: ContinuousClock.Instant
    let isRepeatable: Bool
    private let started = ContinuousClock.now
    private let receiver: CourierReceiver?

    init(_ request: CourierRequest, _ target: DirectTarget) {
        (id, self.target, receiver, isRepeatable) = (request.id, target, request.receiver, request.isRepeatable)
        bytes = request.bytes(for: target)
        deadline = started + request.timeout
    }

    func take(_ head: ResponseHead, _ bytes: [UInt8]) -> Bool {
        receiver?(CourierHead(status: head.status, contentType: head.contentType), bytes) ?? true
    }

    func result(status: Int, _ failure: CourierFailure?) -> CourierResult {
        var result = CourierResult(id: id, failure)
        result.status = status
        result.milliseconds = Int((ContinuousClock.now - started) / .milliseconds(1))
        return result
    }
}

/// The connections of one loop.
///
/// `@unchecked Sendable`: after its creation only the loop's thread uses it.
final class DirectShard: @unchecked Sendable {
    /// Idle connections beyond these are closed, the oldest first.
    private static let maximumIdle = 256

    unowned let loop: any SocketLoop
    private let options: HTTPCourierOptions
    private let block: @Sendable (IPAddress, Int) -> CourierFailure?
    private let onResult: @Sendable (CourierResult) -> Void
    private var idle: [DirectTarget.Origin: [DirectConnection]] = [:]
    private var idleCount = 0
    private var busy: [Int64: DirectConnection] = [:]
    /// The buffer into which all connections receive.
    var input = [UInt8](repeating: 0, count: 64 << 10)

    init(
        _ loop: any SocketLoop, _ options: HTTPCourierOptions, _ block: @escaping @Sendable (IPAddress, Int) -> CourierFailure?,
        _ onResult: @escaping @Sendable (CourierResult) -> Void
    ) {
        (self.loop, self.options, self.block, self.onResult) = (loop, options, block, onResult)
    }

    func begin(_ exchange: DirectExchange) {
        let origin = exchange.target.origin
        if let failure = block(origin.address, Int(origin.port)) { return end(exchange, status: 0, failure) }
        guard let connection = takeIdle(to: origin) else { return beginAnew(exchange) }
        busy[exchange.id] = connection
        connection.begin(exchange)
    }

    /// Begins an exchange on a new connection.
    func beginAnew(_ exchange: DirectExchange) {
        busy[exchange.id] = nil
        guard busy.count < options.exchangesPerShard,
            let connection = DirectConnection(exchange.target.origin, self, connectTimeout: options.connectTimeout, longestIdle: options.longestIdle)
        else { return end(exchange, status: 0, .failed) }
        busy[exchange.id] = connection
        connection.begin(exchange)
    }

    func cancel(_ id: Int64) { busy[id]?.cancel() }

    func end(_ exchange: DirectExchange, status: Int, _ failure: CourierFailure?) {
        busy[exchange.id] = nil
        onResult(exchange.result(status: status, failure))
    }

    // MARK: Idle connections

    private func takeIdle(to origin: DirectTarget.Origin) -> DirectConnection? {
        while let connection = idle[origin]?.popLast() {
            idleCount -= 1
            if connection.isFresh { return connection }
            connection.close()
        }
        return nil
    }

    func becameIdle(_ connection: DirectConnection) {
        idle[connection.origin, default: []].append(connection)
        idleCount += 1
        if idleCount > DirectShard.maximumIdle { idle.values.lazy.compactMap(\.first).first?.close() }
    }

    /// Forgets a connection that was closed.
    func closed(_ connection: DirectConnection) {
        guard let place = idle[connection.origin]?.firstIndex(where: { $0 === connection }) else { return }
        idle[connection.origin]?.remove(at: place)
        if idle[connection.origin]?.isEmpty == true { idle[connection.origin] = nil }
        idleCount -= 1
    }
}

extension CourierRequest {
    /// The request as it goes over the connection.
    fileprivate func bytes(for target: DirectTarget) -> [UInt8] {
        var bytes: [UInt8] = []
        let body: [UInt8] = if case .post(let body) = content { body } else { [] }
        bytes.reserveCapacity(512 + body.count)
        if case .get = content { bytes += "GET ".utf8 } else { bytes += "POST ".utf8 }
        bytes += target.path.utf8
        bytes += " HTTP/1.1\r\nHost: ".utf8
        bytes += target.host.utf8
        for field in sharedFields { field.append(to: &bytes) }
        for field in fields { field.append(to: &bytes) }
        if case .post = content {
            bytes += "\r\nContent-Length: ".utf8
            bytes += String(body.count).utf8
        }
        bytes += "\r\n\r\n".utf8
        bytes += body
        return bytes
    }
}

extension HTTPField {
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes += "\r\n".utf8
        bytes += line.utf8
        // libcurl's form of an empty value.
        if line.utf8.last == UInt8(ascii: ";"), !line.utf8.contains(UInt8(ascii: ":")) { bytes[bytes.count - 1] = UInt8(ascii: ":") }
    }
}
