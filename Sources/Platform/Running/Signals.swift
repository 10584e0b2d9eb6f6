// SPDX-License-Identifier: Apache-2.0

// The sources are only cancelled from elsewhere, which Dispatch allows from any thread.
@unsafe @preconcurrency import Dispatch
import Glibc

/// A request of the operator or the supervisor to this process.
package enum Signal: Int32, CaseIterable, Sendable {
    case hangup = 1
    case interrupt = 2
    case terminate = 15
}

extension Signal {
    /// The signals as they come; when this returns none of them ends the process any more, until the stream is dropped.
    package static func stream(_ signals: [Signal] = allCases) -> AsyncStream<Signal> {
        let (stream, continuation) = AsyncStream<Signal>.makeStream(bufferingPolicy: .bufferingNewest(16))
        let registrations = DispatchGroup()
        let sources = signals.map { signal in
            let source = DispatchSource.makeSignalSource(signal: signal.rawValue, queue: .global())
            source.setEventHandler { continuation.yield(signal) }
            source.setRegistrationHandler { registrations.leave() }
            registrations.enter()
            source.resume()
            return source
        }
        // Dispatch registers in the background, and a signal before that would still have its default effect.
        registrations.wait()
        continuation.onTermination = { _ in
            for source in sources { source.cancel() }
        }
        return stream
    }

    /// Makes a write to a closed connection an error of that write instead of the end of the process.
    package static func ignoreBrokenPipes() {
        _ = Glibc.signal(SIGPIPE, SIG_IGN)
    }
}
