// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Calls functions of the app's servers. `LiveFunctions` reaches them through the daemon, `InMemoryFunctions` serves tests.
///
/// ```swift
/// let receipt = try await signalbox.functions.httpsCallable("receipt").call(["order": "o-7"])
/// receipt.data["total"].numberValue    // 12.5
/// ```
///
/// A call of a signed-in user carries the ID token, any other the app's key. It is neither queued nor repeated.
public protocol Functions: Sendable {
    /// Calls a function and returns its result; `null` if there is none. The time limit is in seconds.
    func call(_ name: String, _ data: JSONValue, timeout: TimeInterval) async throws(FunctionsError) -> JSONValue

    /// Calls a function and yields its messages, then its result. Ending the loop ends the call. The time limit, in seconds, is for each message.
    func stream(_ name: String, _ data: JSONValue, timeout: TimeInterval) -> AsyncThrowingStream<StreamResponse<JSONValue, JSONValue>, any Error>
}

extension Functions {
    /// A function with JSON for data and result.
    public func httpsCallable(_ name: String) -> HTTPSCallable {
        HTTPSCallable(functions: self, name: name)
    }

    /// A function with types for data and result.
    ///
    /// ```swift
    /// let receipt = signalbox.functions.httpsCallable("receipt", requestAs: Order.self, responseAs: Receipt.self)
    /// let total = try await receipt.call(Order(id: "o-7")).total
    /// ```
    public func httpsCallable<Request: Encodable, Response>(
        _ name: String, requestAs: Request.Type = Request.self, responseAs: Response.Type = Response.self,
        encoder: JSONEncoder = JSONEncoder(), decoder: JSONDecoder = JSONDecoder()
    ) -> Callable<Request, Response> {
        Callable(callable: httpsCallable(name), encoder: encoder, decoder: decoder)
    }
}

/// A function with JSON for data and result.
public struct HTTPSCallable: Sendable {
    private let functions: any Functions
    private let name: String
    /// The time limit of a call in seconds, 70 as in Firebase. The function's own limit is at the daemon.
    public var timeoutInterval: TimeInterval = 70

    init(functions: any Functions, name: String) {
        (self.functions, self.name) = (functions, name)
    }

    /// Calls the function.
    @discardableResult
    public func call(_ data: JSONValue = .null) async throws(FunctionsError) -> HTTPSCallableResult {
        HTTPSCallableResult(data: try await functions.call(name, data, timeout: timeoutInterval))
    }

    /// Calls the function and yields its messages, then its result.
    public func stream(_ data: JSONValue = .null) -> AsyncThrowingStream<StreamResponse<JSONValue, JSONValue>, any Error> {
        functions.stream(name, data, timeout: timeoutInterval)
    }
}

/// The result of a function.
public struct HTTPSCallableResult: Sendable, Hashable {
    /// The result; `null` if the function returned none.
    public var data: JSONValue
}

/// A part of a streaming function's response.
public enum StreamResponse<Message: Sendable, Result: Sendable>: Sendable {
    /// A message on the way.
    case message(Message)
    /// The result, with which the stream ends.
    case result(Result)
}

extension StreamResponse: Equatable where Message: Equatable, Result: Equatable {}

/// A function with types for data and result.
public struct Callable<Request: Encodable, Response> {
    private var callable: HTTPSCallable
    private let encoder: JSONEncoder
    private let decoder: JSONDecoder

    init(callable: HTTPSCallable, encoder: JSONEncoder, decoder: JSONDecoder) {
        (self.callable, self.encoder, self.decoder) = (callable, encoder, decoder)
    }

    /// The time limit of a call in seconds, 70 as in Firebase.
    public var timeoutInterval: TimeInterval {
        get { callable.timeoutInterval }
        set { callable.timeoutInterval = newValue }
    }

    private func encode(_ data: Request) throws(FunctionsError) -> JSONValue {
        do {
            return try JSONDecoder().decode(JSONValue.self, from: try encoder.encode(data))
        } catch {
            throw FunctionsError(.invalidArgument, "The data of the call could not be encoded: \(error)")
        }
    }
}

private func decoded<Value: Decodable>(_ value: JSONValue, _ decoder: JSONDecoder) throws(FunctionsError) -> Value {
    do {
        return try decoder.decode(Value.self, from: try JSONEncoder().encode(value))
    } catch {
        throw FunctionsError(.internal, "The response of the function could not be decoded: \(error)")
    }
}

extension Callable where Response: Decodable {
    /// Calls the function.
    @discardableResult
    public func call(_ data: Request) async throws(FunctionsError) -> Response {
        try decoded(try await callable.call(try encode(data)).data, decoder)
    }

    /// Calls the function.
    @discardableResult
    public func callAsFunction(_ data: Request) async throws(FunctionsError) -> Response {
        try await call(data)
    }
}

extension Callable {
    /// Calls the function and yields its messages, then its result. Declare it with `responseAs: StreamResponse<Message, Result>.self`.
    public func stream<Message: Decodable & Sendable, Result: Decodable & Sendable>(
        _ data: Request
    ) throws(FunctionsError) -> AsyncThrowingStream<Response, any Error> where Response == StreamResponse<Message, Result> {
        let (source, decoder) = (callable.stream(try encode(data)), decoder)
        return AsyncThrowingStream(bufferingPolicy: .bufferingOldest(LiveFunctions.maxUnread)) { continuation in
            let task = Task {
                do {
                    for try await part in source {
                        let typed: Response
                        switch part {
                        case .message(let message): typed = .message(try decoded(message, decoder))
                        case .result(let result): typed = .result(try decoded(result, decoder))
                        }
                        if case .dropped = continuation.yield(typed) { throw FunctionsError.unread }
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

extension Callable: Sendable where Request: Sendable, Response: Sendable {}
