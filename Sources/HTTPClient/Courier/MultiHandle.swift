// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc

/// A libcurl multi handle: concurrent exchanges on one thread, and their kept connections.
///
/// `@unchecked Sendable`: one thread makes all calls except `wake`, which libcurl allows from other threads.
final class MultiHandle: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer

    init(connections: Int) throws {
        guard EasyHandle.isLibraryReady, let multi = curl_multi_init() else { throw HTTPClientError.notStarted }
        self.multi = multi
        // By default libcurl keeps four times as many connections as current exchanges, and closes them when there are few.
        signalbox_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, connections)
        // There are never more exchanges than this, so none waits inside libcurl; it closes the oldest idle connection instead.
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

    /// Returns a finished exchange. Call it until it returns `nil` before sleeping, because finished exchanges do not wake the handle.
    func nextFinished() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            if message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle { return (easy, message.pointee.data.result) }
        }
        return nil
    }

    func sleep(milliseconds: Int32) {
        // Without free descriptors it fails at once, and the loop would spin.
        if curl_multi_poll(multi, nil, 0, milliseconds, nil) != CURLM_OK { usleep(10_000) }
    }

    func wake() {
        curl_multi_wakeup(multi)
    }
}
