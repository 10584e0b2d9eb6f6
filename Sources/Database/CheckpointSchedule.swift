// SPDX-License-Identifier: Apache-2.0

/// The decision when the log of a file is copied into the file, by the number of its pages.
///
/// While readers need the log it cannot begin anew, and each attempt costs two fsyncs for a few pages. So the next attempt waits for as many
/// pages as the first:
///
///     300 pages, every 300   an attempt; the log begins anew with the next commit
///     303 pages              a reader needs the log, which goes on: no attempt
///     600 pages              an attempt
struct CheckpointSchedule {
    private let pages: Int
    private var next: Int
    private var last = 0

    /// - Parameter pages: The pages of a log at the first attempt, and between two.
    init(every pages: Int) {
        (self.pages, next) = (pages, pages)
    }

    /// Returns whether an attempt is due for a log of this many pages, and counts it.
    mutating func takeDue(_ logPages: Int) -> Bool {
        if logPages < last { next = pages }
        last = logPages
        if logPages < next { return false }
        next = logPages + pages
        return true
    }
}
