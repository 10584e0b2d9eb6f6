// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform
import Terminal

/// Something that happened to the dashboard.
enum DashboardEvent: Sendable {
    case started(Timestamp)
    /// A second has passed.
    case tick(Timestamp)
    case screen(ScreenEvent)
    case received(GetRequest, Result<QueryResult, RequestError>, Timestamp)
    /// More of the stream that is followed, and how much of it was too much to be handed on.
    case streamed(GetRequest, [StreamEvent], dropped: Int)
    /// The stream is not there, for the moment.
    case streamFailed(GetRequest, RequestError)
    /// What has become of a deed.
    case finished(Result<String, RequestError>)
}

/// Something the dashboard wants done.
enum DashboardAction: Sendable {
    case send(PolledQuery)
    case perform(PendingAction)
    /// Follow another stream from now on, or none.
    case readTail(GetRequest?)
    /// Write a new file.
    case write(String, [UInt8])
    /// Paint everything, whatever is on the screen.
    case repaint
    case suspend
    case quit
}
