// SPDX-License-Identifier: Apache-2.0

// Not compiled in our CI, which has no Apple platform.
#if canImport(Darwin)
    import Foundation

    /// Gives the rest of each transfer to the system's background session while the app does not run.
    final class BackgroundSession: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
        private let runner: TransferRunner
        private let identifier: String
        private let made = Locked<URLSession?>(nil)
        private let onEvents = Locked<(@Sendable () -> Void)?>(nil)

        /// - Parameter identifier: The name of the session: one for each folder.
        init(_ runner: TransferRunner, identifier: String) {
            (self.runner, self.identifier) = (runner, identifier)
        }

        private var session: URLSession {
            made.withLock { made in
                if let made { return made }
                let session = URLSession(configuration: .background(withIdentifier: identifier), delegate: self, delegateQueue: nil)
                made = session
                return session
            }
        }

        func handOver() async {
            for request in await runner.handOver() {
                let task = request.body.map { session.uploadTask(with: request.request, fromFile: $0) } ?? session.downloadTask(with: request.request)
                task.taskDescription = "\(request.offset) \(request.id)"
                task.resume()
            }
        }

        /// Goes on in this process.
        func takeBack() async {
            for task in await session.allTasks { task.cancel() }
            await runner.resume()
        }

        /// Keeps the handler that the system passes to the app when it was launched for the session's events.
        func handleEvents(completionHandler: @escaping @Sendable () -> Void) {
            onEvents.withLock { $0 = completionHandler }
            _ = session
        }

        func urlSession(_ session: URLSession, downloadTask task: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
            let parts = (task.taskDescription ?? "").split(separator: " ")
            guard parts.count == 2, let offset = Int64(parts[0]), let status = (task.response as? HTTPURLResponse)?.statusCode else { return }
            // The system removes the file when this returns.
            let kept = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            guard (try? FileManager.default.moveItem(at: location, to: kept)) != nil else { return }
            Task { [runner] in
                await runner.take(kept, of: String(parts[1]), from: offset, status: status)
                try? FileManager.default.removeItem(at: kept)
            }
        }

        func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
            let handler = onEvents.withLock { handler in
                defer { handler = nil }
                return handler
            }
            Task {
                await handOver()
                if let handler { await MainActor.run { handler() } }
            }
        }
    }
#endif
