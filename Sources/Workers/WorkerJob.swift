// SPDX-License-Identifier: Apache-2.0

import Functions
import HTTPClient
import Platform

/// A call or run that a worker carries out.
struct WorkerJob: Sendable {
    /// The request's number among those of all couriers.
    struct Key: Hashable, Sendable {
        var courier: Int
        var request: Int64
    }

    let key: Key
    let call: WorkerCall
    let deadline: ContinuousClock.Instant
    /// The deadline by the wall clock, for the program.
    let deadlineTime: Timestamp
    /// The number of the run; nil for a call.
    let run: Int64?
    /// An object with `data` and `context`; empty once the program reads it, if it is large.
    var body: [UInt8]
    private let started: ContinuousClock.Instant
    private let receiver: CourierReceiver?
    private let end: @Sendable (CourierResult) -> Void
    /// Whether the result was given.
    private(set) var isOver = false

    init(
        _ request: CourierRequest, _ call: WorkerCall, courier: Int, clock: WallClock, end: @escaping @Sendable (CourierResult) -> Void
    ) {
        key = Key(courier: courier, request: request.id)
        self.call = call
        started = .now
        deadline = started + request.timeout
        deadlineTime = clock.now() + Timestamp.Span(request.timeout)
        receiver = request.receiver
        run = receiver == nil ? request.id : nil
        if case .post(let bytes) = request.content { body = bytes } else { body = [] }
        self.end = end
    }

    /// Passes a message of a stream on. Calls that want none, and runs, have none.
    mutating func send(message line: [UInt8]) {
        guard !isOver, call.wantsEvents, let receiver else { return }
        if !receiver(WorkerJob.streamHead, WorkerJob.event(line)) { finish(CourierResult(id: key.request), 200) }
    }

    /// Gives the result: an object with `result` or `error`.
    ///
    /// - Parameter isOwnError: Whether it is an error of the daemon's, not of the program's.
    mutating func finish(_ status: CallStatus, _ json: [UInt8], isOwnError: Bool = false) {
        guard !isOver else { return }
        var result = CourierResult(id: key.request)
        result.isOwnError = isOwnError
        if let receiver {
            let goesAsEvent = call.wantsEvents && status == .ok
            _ = receiver(
                goesAsEvent ? WorkerJob.streamHead : CourierHead(status: status.httpStatus, contentType: "application/json"),
                goesAsEvent ? WorkerJob.event(json) : json)
        } else {
            result.response = Array(json.prefix(CallBody.maximumRunBytes))
        }
        finish(result, status.httpStatus)
    }

    /// Gives an error of the daemon's.
    mutating func fail(_ status: CallStatus, _ message: String) { finish(status, CallError(status, message).json, isOwnError: true) }

    /// Ends without a response.
    mutating func end(_ failure: CourierFailure) {
        if !isOver { finish(CourierResult(id: key.request, failure), 0) }
    }

    private mutating func finish(_ result: CourierResult, _ status: Int) {
        var result = result
        result.status = status
        let time = ContinuousClock.now - started
        result.milliseconds = Int(time.components.seconds * 1_000 + time.components.attoseconds / 1_000_000_000_000_000)
        isOver = true
        end(result)
    }

    private static let streamHead = CourierHead(status: 200, contentType: "text/event-stream")

    private static func event(_ line: [UInt8]) -> [UInt8] { Array("data: ".utf8) + line + "\n\n".utf8 }
}

/// A call whose program has answered.
struct EndedCall: Sendable {
    let job: WorkerJob
    let status: CallStatus
    /// An object with `result` or `error`.
    let json: [UInt8]

    /// Gives the result.
    func finish() {
        var job = job
        job.finish(status, json)
    }
}
