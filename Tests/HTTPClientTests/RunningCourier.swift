// SPDX-License-Identifier: Apache-2.0

import HTTPClient
import Platform

/// A courier with awaitable results.
struct RunningCourier {
    let courier: HTTPCourier
    private let results: AsyncStream<CourierResult>

    init(
        _ options: HTTPCourierOptions = oneShard(), mayConnect: @escaping @Sendable (IPAddress) -> Bool = { _ in true }, proxy: CourierProxy? = nil
    ) throws {
        let (results, sink) = AsyncStream.makeStream(of: CourierResult.self)
        self.results = results
        courier = HTTPCourier(options, block: { address, _ in mayConnect(address) ? nil : .blockedAddress }, proxy: proxy) { results in
            for result in results { sink.yield(result) }
        }
    }

    static func oneShard(_ exchanges: Int = 64) -> HTTPCourierOptions {
        var options = HTTPCourierOptions()
        options.shards = 1
        options.exchangesPerShard = exchanges
        return options
    }

    /// The next results in order of arrival.
    func next(_ count: Int) async -> [CourierResult] {
        var found: [CourierResult] = []
        for await result in results {
            found.append(result)
            if found.count == count { break }
        }
        return found
    }

    struct Refused: Error {}

    /// Sends one request and returns its result.
    func result(of request: CourierRequest) async throws -> CourierResult {
        guard courier.send([request], shard: 0) else { throw Refused() }
        guard let result = await next(1).first, result.id == request.id else { throw Refused() }
        return result
    }

    func result(_ url: String, within limit: Duration = .seconds(60)) async throws -> CourierResult {
        try await result(of: CourierRequest(id: 7, url: url, .post(Array("{}".utf8)), timeout: limit))
    }
}
