// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc

/// libcurl's multi handle: exchanges that go on side by side on one thread, and the connections kept between them.
///
/// `@unchecked Sendable`: one thread calls everything but `wake`, the one call that libcurl allows from others.
final class MultiHandle: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer

    init(connections: Int) throws {
        guard EasyHandle.isLibraryReady, let multi = curl_multi_init() else { throw HTTPClientError.notStarted }
        self.multi = multi
        // Of its own accord libcurl keeps four times as many as it has exchanges at the moment, and so closes them whenever it has few.
        signalbox_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, connections)
        // There are never more exchanges than this, so none ever waits inside libcurl; it closes the oldest idle connection instead.
        signalbox_curl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, connections)
    }

    deinit {
        curl_multi_cleanup(multi)
    }

    func add(_ easy: UnsafeMutableRawPointer) throws {
        guard curl_multi_add_handle(multi, easy) == CURLM_OK else { throw HTTPClientError.notStarted }
    }

    func remove(_ easy: UnsafeMutableRawPointer) {
        curl_multi_remove_handle(multi, easy)
    }

    func perform() {
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
    }

    /// An exchange that is over; asked for until there is none, before the next sleep: it would not wake for what lies there.
    func nextFinished() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            if message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle { return (easy, message.pointee.data.result) }
        }
        return nil
    }

    func sleep(milliseconds: Int32) {
        // Without descriptors left it fails at once, and a loop around it would spin.
        if curl_multi_poll(multi, nil, 0, milliseconds, nil) != CURLM_OK { usleep(10_000) }
    }

    func wake() {
        curl_multi_wakeup(multi)
    }
}
