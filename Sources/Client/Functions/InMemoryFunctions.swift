// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Functions for an app's tests: handlers take the place of servers.
///
/// ```swift
/// let functions = InMemoryFunctions()
/// functions.handle("receipt") { data in ["total": 12.5] }
/// functions.handle("pay") { _ in throw FunctionsError(.failedPrecondition, "The card has expired.") }
/// ```
public final class InMemoryFunctions: Functions {
    /// A call as a handler gets it.
    public struct Call: Sendable, Hashable {
        /// The function's name.
        public var name: String
        /// The data.
        public var data: JSONValue
    }

    /// Returns the result, and sends messages before if the caller reads a stream.
    public typealias Handler = @Sendable (_ data: JSONValue, _ send: (JSONValue) -> Void) async throws -> JSONValue

    private struct Recorded {
        var handlers: [String: Handler] = [:]
        var calls: [Call] = []
    }

    private let recorded = Locked(Recorded())

    /// Creates an instance without functions.
    public init() {}

    /// Sets the handler of a function.
    public func handle(_ name: String, _ handler: @escaping @Sendable (JSONValue) async throws -> JSONValue) {
        handleStream(name) { data, _ in try await handler(data) }
    }

    /// Sets the handler of a function that sends messages.
    public func handleStream(_ name: String, _ handler: @escaping Handler) {
        recorded.withLock { $0.handlers[name] = handler }
    }

    /// All calls, in order.
    public var calls: [Call] { recorded.withLock { $0.calls } }

    /// Calls the handler; a function without one is `notFound`.
    public func call(_ name: String, _ data: JSONValue, timeout: TimeInterval) async throws(FunctionsError) -> JSONValue {
        try await run(name, data) { _ in }
    }

    /// Calls the handler and yields what it sends.
    public func stream(
        _ name: String, _ data: JSONValue, timeout: TimeInterval
    ) -> AsyncThrowingStream<StreamResponse<JSONValue, JSONValue>, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do throws(FunctionsError) {
                    let result = try await run(name, data) { continuation.yield(.message($0)) }
                    continuation.yield(.result(result))
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func run(_ name: String, _ data: JSONValue, _ send: (JSONValue) -> Void) async throws(FunctionsError) -> JSONValue {
        let handler = recorded.withLock { recorded in
            recorded.calls.append(Call(name: name, data: data))
            return recorded.handlers[name]
        }
        guard let handler else { throw FunctionsError(.notFound, "There is no function \(name).") }
        do {
            return try await handler(data, send)
        } catch let error as FunctionsError {
            throw error
        } catch {
            throw FunctionsError(.internal, "\(error)")
        }
    }
}
