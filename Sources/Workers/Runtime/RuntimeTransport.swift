// SPDX-License-Identifier: Apache-2.0

import Functions
import Glibc
import JSON
import Platform

/// AWS Lambda's Runtime API: the program asks for the next call and posts its response.
///
///     GET …/invocation/next                    waits for a call   →   200, the event
///     POST …/invocation/call_1/response  7     →   202            →   result 7
final class RuntimeTransport: WorkerTransport {
    private static let maximumConnections = 4

    private let parser: JSONParser
    private let surroundings: WorkerSurroundings
    private let memory: LineMemory
    private let function: WorkerFunction
    private let listener: RuntimeListener
    private var connections: [Int32: RuntimeConnection] = [:]
    private var output = LineBuffer(limit: WorkerLogLine.maximumBytes)
    /// The connection whose request for a call waits.
    private var waiting: Int32?
    /// The call that the program has not asked for yet.
    private var unread: RuntimeEvent?
    /// The ID of the call under way.
    private var id: String?
    /// The group of processes that may connect; nil until it has started.
    var group: pid_t?

    init(_ parser: JSONParser, _ surroundings: WorkerSurroundings, _ function: WorkerFunction) throws(SystemError) {
        (self.parser, self.surroundings, self.function) = (parser, surroundings, function)
        memory = LineMemory(surroundings)
        listener = try RuntimeListener()
    }

    var address: String { "127.0.0.1:\(listener.port)" }

    func interests(at now: ContinuousClock.Instant) -> [WorkerInterest] {
        let accepts = listener.resumesAt <= now
        return (accepts ? [WorkerInterest(descriptor: listener.descriptor, events: Int16(POLLIN))] : []) + connections.values.map(\.interest)
    }

    var resumesAt: ContinuousClock.Instant? { listener.resumesAt }

    var callIsUnread: Bool { unread != nil }
    // No loop of clients begins its calls.
    var hasUnsentBytes: Bool { false }
    var readsLargeLine: Bool { false }

    func begin(_ job: WorkerJob) -> [WorkerEvent] {
        do throws(JSONError) { unread = try RuntimeEvent(job, of: function, parser) } catch {
            return [.ended(.resourceExhausted, CallError(.resourceExhausted, "The server has no free memory for the call.").json)]
        }
        passOn()
        return []
    }

    /// Sends the call to the program, if it waits for one.
    private func passOn() {
        guard let event = unread, let waiting, let connection = connections[waiting] else { return }
        (unread, self.waiting, id) = (nil, nil, event.id)
        connection.send(event.response)
    }

    func ready(_ descriptor: Int32) -> [WorkerEvent] {
        if descriptor == listener.descriptor {
            return accept()
        }
        guard let connection = connections[descriptor] else { return [] }
        let requests = connection.receive()
        guard memory.hold(connections.values.reduce(0) { $0 + $1.bytesHeld }) else {
            return [.fault("posted a response for which there is no memory")]
        }
        let events = requests.flatMap { handle($0, on: connection) }
        if connection.isOver {
            connections[descriptor] = nil
            if waiting == descriptor { waiting = nil }
        }
        return events
    }

    private func accept() -> [WorkerEvent] {
        guard let group else { return [] }
        let (descriptors, strangers) = listener.accept(from: group)
        for descriptor in descriptors {
            let connection = RuntimeConnection(descriptor)
            if connections.count < RuntimeTransport.maximumConnections { connections[descriptor] = connection }
        }
        return Array(repeating: .stranger, count: strangers)
    }

    private func handle(_ request: RuntimeRequest, on connection: RuntimeConnection) -> [WorkerEvent] {
        switch request {
        case .next:
            guard id == nil else { return [.fault("asked for another call before it answered")] }
            waiting = connection.descriptor
            passOn()
            return []
        case .response(let id, let body): return answered(id, connection) { result(body) }
        case .error(let id, let body): return answered(id, connection) { failure(body) }
        case .startFailed(let body):
            connection.send(status: 202, RuntimeTransport.accepted)
            return [.startFailed(RuntimeTransport.text(body))]
        case .unknown:
            connection.send(status: 404, #"{"errorMessage":"There is no such resource.","errorType":"NotFound"}"#)
            return []
        }
    }

    private static let accepted = #"{"status":"OK"}"#

    private func answered(_ id: String, _ connection: RuntimeConnection, _ events: () -> [WorkerEvent]) -> [WorkerEvent] {
        guard id == self.id else {
            connection.send(status: 400, #"{"errorMessage":"No such call is under way.","errorType":"InvalidRequestID"}"#)
            return []
        }
        self.id = nil
        connection.send(status: 202, RuntimeTransport.accepted)
        return events()
    }

    // MARK: Answers

    private func result(_ body: [UInt8]) -> [WorkerEvent] {
        // Functions without a result post nothing.
        if body.isEmpty { return [.ended(.ok, Array(#"{"result":null}"#.utf8))] }
        do throws(JSONError) {
            _ = try parser.withReader { reader throws(JSONError) in try reader.parse(body, limits: CallBody.limits) }
            return [.ended(.ok, Array(#"{"result":"#.utf8) + CallStreamReader.withoutLineEnds(body[...]) + Array("}".utf8))]
        } catch {
            if error.reason == .noMemory {
                return [.ended(.resourceExhausted, CallError(.resourceExhausted, "The server has no free memory for the result.").json)]
            }
            let text = "The function's result \(error.explanation)."
            return [surroundings.logged(.error, text), .ended(.internal, CallError(.internal, text).json)]
        }
    }

    /// The error of a function: its type is the status word, if it is one.
    ///
    ///     {"errorType": "NOT_FOUND", "errorMessage": "no order"}   →   NOT_FOUND "no order"
    ///     {"errorType": "KeyError", "errorMessage": "'id'"}        →   INTERNAL; the log has the rest
    private func failure(_ body: [UInt8]) -> [WorkerEvent] {
        let value = body.count <= RuntimeTransport.maximumErrorBytes ? try? JSONValue(body) : nil
        let word = value?["errorType"]?.string.flatMap(CallStatus.init(rawValue:))
        guard let word, word != .ok else {
            return [surroundings.logged(.error, RuntimeTransport.text(body)), .ended(.internal, CallError(.internal, "INTERNAL").json)]
        }
        let message = value?["errorMessage"]?.string.flatMap { $0.utf8.count <= CallError.maximumMessageBytes ? $0 : nil }
        return [.ended(word, CallError(word, message ?? word.rawValue).json)]
    }

    private static let maximumErrorBytes = 1 << 20

    private static func text(_ body: [UInt8]) -> String { String(decoding: body.prefix(WorkerLogLine.maximumBytes), as: UTF8.self) }

    // MARK: Program

    func output(_ bytes: ArraySlice<UInt8>) -> [WorkerEvent] {
        surroundings.logged(output.takeCut(bytes))
    }

    func askToEnd(_ process: inout WorkerProcess) {
        process.signal(SIGTERM)
    }

    func close() {
        connections = [:]
        _ = memory.hold(0)
    }
}
