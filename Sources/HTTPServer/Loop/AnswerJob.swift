// SPDX-License-Identifier: Apache-2.0

/// A request on its way through an asynchronous handler.
struct AnswerJob: Sendable {
    let ticket: Ticket
    let mailbox: Mailbox
    let isHead: Bool
    let streamHighMark: Int
    /// Where it runs; nil for the threads that all tasks have in common.
    let lane: WorkLane?
    /// Decodes the body, which may take a while, and asks the route's handler.
    let handler: @Sendable () async throws(HTTPFault) -> HTTPAnswer

    func run() async {
        let answer: HTTPAnswer
        do throws(HTTPFault) {
            answer = try await handler()
        } catch {
            return mailbox.post(.fault(ticket, error))
        }
        switch answer {
        case .response(let response): mailbox.post(.answer(ticket, response))
        case .stream(let status, let headers, let body):
            let channel = ResponseChannel(ticket: ticket, mailbox: mailbox, highMark: streamHighMark)
            mailbox.post(.stream(ticket, status: status, headers: headers, channel))
            if !isHead { await channel.run(body) }
        }
    }
}

/// The jobs that wait to become child tasks of `HTTPServer.run()`; bounded, so that a flood is refused instead of hoarded.
struct TaskQueue: Sendable {
    private let jobs: AsyncStream<AnswerJob>
    private let entrance: AsyncStream<AnswerJob>.Continuation

    init(capacity: Int) {
        (jobs, entrance) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(capacity))
    }

    /// False when too many wait already.
    func offer(_ job: AnswerJob) -> Bool {
        if case .enqueued = entrance.yield(job) { true } else { false }
    }

    func end() {
        entrance.finish()
    }

    /// Runs every job as a child task until the queue has ended; then what still runs is cancelled and waited for.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await job in jobs { group.addTask(executorPreference: job.lane) { await job.run() } }
            group.cancelAll()
        }
    }
}
