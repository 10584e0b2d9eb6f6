// SPDX-License-Identifier: Apache-2.0

/// A request that is processed by an asynchronous handler.
struct HandlerJob: Sendable {
    let reply: HTTPReply
    let isHead: Bool
    let streamHighMark: Int
    /// The executor; `nil` for the default thread pool.
    let lane: WorkExecutor?
    /// Decodes the body and calls the route's handler.
    let handler: @Sendable () async throws(HTTPRequestError) -> HandlerResponse

    private var ticket: Ticket { reply.ticket }
    private var mailbox: Mailbox { reply.mailbox }

    func run() async {
        let result: HandlerResponse
        do throws(HTTPRequestError) {
            result = try await handler()
        } catch {
            return mailbox.post(.fault(ticket, error))
        }
        switch result {
        case .response(let response): reply.send(response)
        case .stream(let status, let headers, let body):
            let channel = ResponseChannel(ticket: ticket, mailbox: mailbox, highMark: streamHighMark)
            mailbox.post(.stream(ticket, status: status, headers: headers, channel))
            if !isHead { await channel.run(body) }
        case .events(let status, let headers, let source):
            let channel = ResponseChannel(ticket: ticket, mailbox: mailbox, highMark: streamHighMark)
            if !isHead { channel.attach(source(HTTPEventSink(channel: channel))) }
            mailbox.post(.stream(ticket, status: status, headers: headers, channel))
        }
    }
}

/// A bounded queue of work waiting to become child tasks of `HTTPServer.run()`.
struct TaskQueue: Sendable {
    private struct Job: Sendable {
        let lane: WorkExecutor?
        let run: @Sendable () async -> Void
    }

    private let jobs: AsyncStream<Job>
    private let continuation: AsyncStream<Job>.Continuation

    init(capacity: Int) {
        (jobs, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(capacity))
    }

    /// Returns `false` if the queue is full.
    func offer(_ job: HandlerJob) -> Bool {
        offer(on: job.lane) { await job.run() }
    }

    /// The same for other work.
    func offer(on lane: WorkExecutor? = nil, _ run: @escaping @Sendable () async -> Void) -> Bool {
        if case .enqueued = continuation.yield(Job(lane: lane, run: run)) { true } else { false }
    }

    func end() {
        continuation.finish()
    }

    /// Runs each job as a child task until the queue ends, then cancels running jobs and waits for them.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await job in jobs { group.addTask(executorPreference: job.lane) { await job.run() } }
            group.cancelAll()
        }
    }
}
