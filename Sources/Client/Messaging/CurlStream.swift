// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import CSignalbox
    import Foundation
    import FoundationNetworking
    import Glibc

    /// A streaming request on Linux, over the libcurl that Foundation has loaded.
    ///
    /// Foundation of Swift 6.3 goes on to watch whether a socket can be written after the request was sent. It always can, so a stream would
    /// keep a processor busy.
    final class CurlStream: Sendable {
        private static let longestSeconds: TimeInterval = 24 * 60 * 60

        /// The end of a stream. There is no response if the daemon was not reached, and no failure of a response that is complete.
        struct End: Sendable {
            var response: HTTPURLResponse?
            var failure: String?
        }

        /// Passes the lines and bytes of a response on. Used by the thread of the stream alone.
        private final class Reader {
            private let url: URL?
            private let onData: (Data, HTTPURLResponse?) -> Bool
            private var status = 0
            private var fields: [String: String] = [:]
            /// Made when the head is complete.
            private(set) var response: HTTPURLResponse?

            init(_ url: URL?, _ onData: @escaping (Data, HTTPURLResponse?) -> Bool) {
                (self.url, self.onData) = (url, onData)
            }

            func take(line: String) {
                let line = line.trimmingCharacters(in: .whitespacesAndNewlines)
                if line.hasPrefix("HTTP/") {
                    // A head of its own is before that of the response: `100 Continue`.
                    (status, fields) = (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0, [:])
                } else if let colon = line.firstIndex(of: ":") {
                    fields[String(line[..<colon])] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                } else if line.isEmpty, let url {
                    response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields)
                }
            }

            func take(_ data: Data) -> Bool { onData(data, response) }
        }

        /// The body of a thread.
        private final class Work: Sendable {
            let run: @Sendable () -> Void

            init(_ run: @escaping @Sendable () -> Void) {
                self.run = run
            }
        }

        private nonisolated(unsafe) let handle: OpaquePointer

        /// Returns `nil` if libcurl is not there, as in a program that has it linked statically.
        init?() {
            guard let handle = csignalbox_stream_new() else { return nil }
            self.handle = handle
        }

        deinit {
            csignalbox_stream_free(handle)
        }

        /// Returns when the daemon ends the stream, when `onData` returns `false`, or after `cancel()`.
        ///
        /// - Parameter silence: Idle timeout in seconds.
        func run(
            _ request: URLRequest, silence: TimeInterval, _ onData: @escaping @Sendable (Data, HTTPURLResponse?) -> Bool
        ) async -> End {
            await withCheckedContinuation { continuation in
                let isStarted = CurlStream.start { continuation.resume(returning: self.perform(request, silence, onData)) }
                if !isStarted { continuation.resume(returning: End(failure: "No thread could be started.")) }
            }
        }

        /// Runs `body` on a new thread; returns false if the system allows no further one. `Thread` does not tell that.
        private static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
            let work = Unmanaged.passRetained(Work(body))
            var thread = pthread_t()
            let status = pthread_create(
                &thread, nil,
                { argument in
                    if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
                    return nil
                }, work.toOpaque())
            guard status == 0 else {
                work.release()
                return false
            }
            pthread_detach(thread)
            return true
        }

        /// Ends the stream soon. May be called before it runs.
        func cancel() { csignalbox_stream_cancel(handle) }

        private func perform(_ request: URLRequest, _ silence: TimeInterval, _ onData: @escaping (Data, HTTPURLResponse?) -> Bool) -> End {
            guard set(request) else { return End(failure: "The request cannot be made.") }
            let reader = Reader(request.url, onData)
            let end = withExtendedLifetime(reader) {
                csignalbox_stream_run(
                    handle, Int64(max(0, min(silence, CurlStream.longestSeconds)) * 1_000), Unmanaged.passUnretained(reader).toOpaque(),
                    { context, line, count in
                        guard let context, let line else { return }
                        let bytes = UnsafeRawBufferPointer(start: line, count: count)
                        Unmanaged<Reader>.fromOpaque(context).takeUnretainedValue().take(line: String(decoding: bytes, as: UTF8.self))
                    },
                    { context, bytes, count in
                        guard let context, let bytes else { return true }
                        return Unmanaged<Reader>.fromOpaque(context).takeUnretainedValue().take(Data(bytes: bytes, count: count))
                    })
            }
            return End(response: reader.response, failure: failure(end))
        }

        private func set(_ request: URLRequest) -> Bool {
            guard let url = request.url else { return false }
            let (method, body) = (request.httpMethod ?? "GET", [UInt8](request.httpBody ?? Data()))
            guard csignalbox_stream_set_request(handle, url.absoluteString, method, body, body.count) else { return false }
            // Firewalls reject requests without a name. With `Expect` libcurl would wait for the daemon's consent to a large body.
            let lines = (request.allHTTPHeaderFields ?? [:]).map { "\($0.key): \($0.value)" } + ["User-Agent: Signalbox", "Expect:"]
            return lines.allSatisfy { CurlStream.isOneLine($0) && csignalbox_stream_add_field(handle, $0) }
        }

        /// libcurl sends a line break in a value as it is, and another field would begin there.
        private static func isOneLine(_ line: String) -> Bool {
            !line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f }
        }

        private func failure(_ end: csignalbox_stream_end) -> String? {
            switch end {
            case CSIGNALBOX_STREAM_ENDED: nil
            case CSIGNALBOX_STREAM_STOPPED: "The stream was stopped."
            case CSIGNALBOX_STREAM_SILENT: "Nothing was sent or received in time."
            default: String(cString: csignalbox_stream_error(handle))
            }
        }
    }
#endif
