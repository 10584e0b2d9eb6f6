// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import CSignalbox
    import Foundation
    import FoundationNetworking
    import Glibc

    /// Requests on Linux, over the libcurl that Foundation has loaded. One thread carries all requests of a loop, over connections that they
    /// share.
    ///
    /// Foundation of Swift 6.3 goes on to watch whether a socket can be written after the request was sent. It always can, so a request that
    /// waits for bytes would keep a processor busy.
    final class CurlLoop: Sendable {
        private static let longestSeconds: TimeInterval = 24 * 60 * 60

        /// The C loop, owned by this one and by its thread.
        private final class Handle: Sendable {
            nonisolated(unsafe) let pointer: OpaquePointer

            init(_ pointer: OpaquePointer) {
                self.pointer = pointer
            }

            deinit {
                csignalbox_loop_free(pointer)
            }
        }

        private let handle: Handle
        private let isStarted = Locked(false)

        /// Returns `nil` if libcurl is not there, as in a program that has it linked statically, or if file descriptors are short.
        init?() {
            guard let pointer = csignalbox_loop_new() else { return nil }
            handle = Handle(pointer)
        }

        deinit {
            stop()
        }

        /// Ends all requests soon, and takes no further ones.
        func stop() { csignalbox_loop_stop(handle.pointer) }

        /// Returns when the response has ended, when `onData` returns `false`, or when the task is cancelled. Returns `nil` after ``stop()``.
        ///
        /// - Parameters:
        ///   - silence: Idle timeout in seconds.
        ///   - acceptsEncodings: Whether the response may be compressed; `onData` gets it decompressed.
        ///   - mayRepeat: Whether a request may be sent again if a kept connection ends without a response.
        ///   - onData: Called by the loop's thread with each part of the body; it must not wait.
        func run(
            _ request: URLRequest, silence: TimeInterval, acceptsEncodings: Bool, mayRepeat: Bool = true,
            _ onData: @escaping @Sendable (Data, HTTPURLResponse?) -> Bool
        ) async -> CurlTransfer.End? {
            guard let transfer = CurlTransfer(request, acceptsEncodings: acceptsEncodings, mayRepeat: mayRepeat) else {
                return CurlTransfer.End(failure: "The request cannot be made; check the address and the key.")
            }
            return await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let reader = CurlReader(transfer, request.url, onData) { continuation.resume(returning: $0) }
                    add(transfer, silence, reader)
                }
            } onCancel: {
                transfer.cancel()
                csignalbox_loop_wake(handle.pointer)
            }
        }

        private func add(_ transfer: CurlTransfer, _ silence: TimeInterval, _ reader: CurlReader) {
            guard start() else { return reader.onEnd(CurlTransfer.End(failure: "No thread could be started.")) }
            let milliseconds = Int64(max(0, min(silence, CurlLoop.longestSeconds)) * 1_000)
            let context = Unmanaged.passRetained(reader)
            guard !csignalbox_loop_add(handle.pointer, transfer.pointer, milliseconds, CurlReader.receiver(context)) else { return }
            context.release()
            reader.onEnd(nil)
        }

        /// Starts the thread, unless it runs; returns false if the system allows no further one. `Thread` does not tell that.
        private func start() -> Bool {
            isStarted.withLock { isStarted in
                if !isStarted { isStarted = CurlLoop.startThread(handle) }
                return isStarted
            }
        }

        private static func startThread(_ handle: Handle) -> Bool {
            let context = Unmanaged.passRetained(handle)
            var thread = pthread_t()
            let status = pthread_create(
                &thread, nil,
                { argument in
                    guard let argument else { return nil }
                    let handle = Unmanaged<Handle>.fromOpaque(argument).takeRetainedValue()
                    withExtendedLifetime(handle) { csignalbox_loop_run(handle.pointer) }
                    return nil
                }, context.toOpaque())
            guard status == 0 else {
                context.release()
                return false
            }
            pthread_detach(thread)
            return true
        }
    }
#endif
