// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Requests of accounts over keep-alive connections (`--clients`), each with a thread that waits for its response.
///
/// With a rate, request n is due at n / rate and its time counts from then, so a slow response does not hide those behind it.
final class AccountLoad: Sendable {
    enum Kind: String {
        case signIns = "account-sign-ins"
        case refreshes = "account-refreshes"
        case lookUps = "account-look-ups"
    }

    private struct Outcome {
        var accepted: [Double] = []
        var limited: [Double] = []
        var others: [Int: Int] = [:]

        mutating func add(_ other: Outcome) {
            accepted += other.accepted
            limited += other.limited
            others.merge(other.others, uniquingKeysWith: +)
        }
    }

    private let kind: Kind
    private let options: Options
    /// The refresh tokens of the sessions, of which each client has every n-th.
    private let tokens: [String]
    private let next = Atomic(0)
    private let outcome = Mutex(Outcome())

    init(_ kind: Kind, _ options: Options) throws {
        (self.kind, self.options) = (kind, options)
        let text = options.csv.isEmpty ? "" : try String(contentsOfFile: options.csv, encoding: .utf8)
        tokens = text.split(separator: "\n").map(String.init)
        if kind == .refreshes, tokens.count < options.clients { throw BenchmarkError("--csv names a file of \(tokens.count) refresh tokens") }
    }

    func run() throws {
        let group = DispatchGroup()
        let start = monotonicSeconds()
        for client in 0..<options.clients {
            group.enter()
            let thread = Thread { [self] in
                do { try work(client, from: start) } catch { print("failed: \(error)") }
                group.leave()
            }
            thread.stackSize = 256 << 10
            thread.start()
        }
        group.wait()
        let (seconds, all) = (monotonicSeconds() - start, outcome.withLock { $0 })
        let limited = all.limited.isEmpty ? "" : ", \(all.limited.count) limited in \(LoadGenerator.Result.percentiles(all.limited)) ms"
        let others = all.others.isEmpty ? "" : ", others \(all.others.sorted { $0.key < $1.key })"
        let rate = Int(Double(all.accepted.count) / seconds)
        print("\(options.name): \(rate) requests/s, p50 / p99 / p99.9 \(LoadGenerator.Result.percentiles(all.accepted)) ms\(limited)\(others)")
    }

    private func work(_ client: Int, from start: Double) throws {
        let connection = try BlockingConnection(port: UInt16(options.port))
        var own = stride(from: client, to: tokens.count, by: options.clients).map { tokens[$0] }
        var (outcome, turn) = (Outcome(), 0)
        while true {
            let number = next.add(1, ordering: .relaxed).oldValue
            guard number < options.requests else { break }
            let due = options.rate == 0 ? monotonicSeconds() : start + Double(number) / Double(options.rate)
            let early = due - monotonicSeconds()
            if early > 0 { usleep(UInt32(early * 1_000_000)) }
            let place = own.isEmpty ? 0 : turn % own.count
            turn += 1
            let (status, body) = try connection.exchange(request(number, own.isEmpty ? "" : own[place]))
            let time = monotonicSeconds() - due
            switch status {
            case 200, 201: outcome.accepted.append(time)
            case 429: outcome.limited.append(time)
            default: outcome.others[status, default: 0] += 1
            }
            if kind == .refreshes, status == 200, let token = AccountLoad.text("refresh_token", in: body) { own[place] = token }
        }
        let done = outcome
        self.outcome.withLock { $0.add(done) }
    }

    private func request(_ number: Int, _ token: String) -> [UInt8] {
        let email = AccountFill.address(Int(truncatingIfNeeded: UInt64(truncatingIfNeeded: number) &* 2_654_435_761 % UInt64(options.people)))
        // Every request comes from an address of its own.
        let address = "10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
        let (path, body) =
            switch kind {
            case .signIns: ("POST /v1/auth/sign-in", #"{"method":"password","email":"\#(email)","password":"\#(AccountFill.password)"}"#)
            case .refreshes: ("POST /v1/auth/token", #"{"refresh_token":"\#(token)"}"#)
            case .lookUps: ("GET /v1/auth/accounts?email=\(email)", "")
            }
        let head = "\(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(options.key)\r\nX-Forwarded-For: \(address)\r\n"
        return Array((head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body).utf8)
    }

    private static func text(_ name: String, in body: String) -> String? {
        guard let start = body.range(of: "\"\(name)\":\"")?.upperBound, let end = body[start...].firstIndex(of: "\"") else { return nil }
        return String(body[start..<end])
    }
}

/// A connection that waits for each response.
struct BlockingConnection {
    private let descriptor: Int32

    init(port: UInt16) throws {
        descriptor = try LoadGenerator.connect(to: port)
    }

    func exchange(_ request: [UInt8]) throws -> (status: Int, body: String) {
        guard request.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == request.count else {
            throw BenchmarkError("the connection broke while sending")
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { throw BenchmarkError("the connection broke while reading") }
            answer += buffer[..<count]
            let text = String(decoding: answer, as: UTF8.self)
            guard let head = text.range(of: "\r\n\r\n"), let status = Int(text.dropFirst(9).prefix(3)) else { continue }
            let length = text[..<head.lowerBound].split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
            let body = text[head.upperBound...]
            if body.utf8.count >= length.flatMap({ Int($0.dropFirst("Content-Length: ".count)) }) ?? 0 { return (status, String(body)) }
        }
    }
}
