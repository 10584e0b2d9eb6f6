// SPDX-License-Identifier: Apache-2.0

// Other threads only cancel the sources, which Dispatch allows.
@unsafe @preconcurrency import Dispatch
import Glibc

/// A signal from the operator or service manager.
package enum Signal: Int32, CaseIterable, Sendable {
    case hangup = 1
    case interrupt = 2
    case terminate = 15
}

extension Signal {
    /// Returns a stream of signals. From then until the stream is released, they do not end the process.
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
        // Dispatch registers asynchronously; an earlier signal would still have its default effect.
        registrations.wait()
        continuation.onTermination = { _ in
            for source in sources { source.cancel() }
        }
        return stream
    }

    /// Ignores SIGPIPE, so that writing to a closed connection fails instead of ending the process.
    package static func ignoreBrokenPipes() {
        _ = Glibc.signal(SIGPIPE, SIG_IGN)
    }
}
