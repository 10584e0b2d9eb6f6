// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform
import Terminal

/// An input of the dashboard.
enum DashboardEvent: Sendable {
    case started(Timestamp)
    /// One second passed.
    case tick(Timestamp)
    case screen(ScreenEvent)
    case received(ReadRequest, Result<QueryResult, RequestError>, Timestamp)
    /// Events of the stream, and the number that was dropped.
    case streamed(ReadRequest, [StreamEvent], dropped: Int)
    /// The stream was interrupted.
    case streamFailed(ReadRequest, RequestError)
    /// The result of a pending action or an export.
    case finished(Result<String, RequestError>)
}

/// An output of the dashboard.
enum DashboardAction: Sendable {
    case send(PolledQuery)
    case perform(PendingAction)
    /// Reads another stream, or none.
    case readTail(ReadRequest?)
    /// Writes a new file.
    case write(String, [UInt8])
    /// Repaints the whole screen.
    case repaint
    case suspend
    case quit
}
