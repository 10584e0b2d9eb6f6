// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The pause between two attempts, which another call may cut short.
package final class Pause: Sendable {
    private let running = Locked<Task<Void, Never>?>(nil)

    package init() {}

    /// Returns after some seconds, after `cut()`, or when the task is cancelled.
    package func wait(_ seconds: TimeInterval) async {
        let pause = Task { _ = try? await Task.sleep(for: .seconds(seconds)) }
        running.withLock { $0 = pause }
        await withTaskCancellationHandler {
            await pause.value
        } onCancel: {
            pause.cancel()
        }
    }

    /// Ends the current pause, if there is one.
    package func cut() { running.withLock { $0 }?.cancel() }
}
