// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__linux__) && defined(__GLIBC__)

/// Requests over the libcurl that Foundation has loaded, all carried by one thread, and the connections that they share.
typedef struct csignalbox_loop csignalbox_loop;

/// One request and its response.
typedef struct csignalbox_transfer csignalbox_transfer;

/// How a transfer has ended.
enum csignalbox_transfer_end {
    /// The response has ended.
    CSIGNALBOX_TRANSFER_ENDED = 0,
    /// `on_bytes` returned false, or the transfer was cancelled, or its loop was stopped.
    CSIGNALBOX_TRANSFER_STOPPED = 1,
    /// Nothing was sent or received for too long.
    CSIGNALBOX_TRANSFER_SILENT = 2,
    /// `csignalbox_transfer_error` has the reason.
    CSIGNALBOX_TRANSFER_FAILED = 3,
};

/// The receiver of a response. The loop's thread calls the functions; they must not wait.
typedef struct {
    void *context;
    /// Called for each line of the response's head, with its line break.
    void (*on_line)(void *context, const char *line, size_t count);
    /// Called with each part of the body. Returning false ends the transfer.
    bool (*on_bytes)(void *context, const void *bytes, size_t count);
    /// Called once. The loop does not use the transfer any more, so it may be freed.
    void (*on_end)(void *context, enum csignalbox_transfer_end end);
} csignalbox_receiver;

/// Creates a loop that `csignalbox_loop_run` runs; NULL if libcurl is not there, or memory or file descriptors are short.
csignalbox_loop *csignalbox_loop_new(void);

/// Carries transfers until the loop is stopped, on a thread of its own, which gets no SIGPIPE from here on. A loop runs once.
void csignalbox_loop_run(csignalbox_loop *loop);

/// Begins a transfer soon; returns false, and does not call the receiver, if the loop was stopped. Called by any thread, as are the next two.
bool csignalbox_loop_add(csignalbox_loop *loop, csignalbox_transfer *transfer, int64_t silence_milliseconds, csignalbox_receiver receiver);

/// Makes the loop look at its transfers, as after `csignalbox_transfer_cancel`.
void csignalbox_loop_wake(csignalbox_loop *loop);

/// Ends all transfers and the loop soon.
void csignalbox_loop_stop(csignalbox_loop *loop);

/// Frees a loop that has run, or that never will.
void csignalbox_loop_free(csignalbox_loop *loop);

/// Creates a transfer; NULL if libcurl is not there, or memory is short.
csignalbox_transfer *csignalbox_transfer_new(void);

/// Sets the request, without a body if `count` is 0. Strings and body are copied.
bool csignalbox_transfer_set_request(csignalbox_transfer *transfer, const char *url, const char *method, const void *body, size_t count);

/// Accepts compressed responses and decompresses them.
bool csignalbox_transfer_accept_encodings(csignalbox_transfer *transfer);

/// Fails where libcurl would send the request again because its kept connection ended without a response. libcurl before 7.80 sends it again.
void csignalbox_transfer_send_once(csignalbox_transfer *transfer);

/// Adds a header field, such as `Accept: text/event-stream`.
bool csignalbox_transfer_add_field(csignalbox_transfer *transfer, const char *line);

/// Marks the transfer, also one that has not begun, so that its loop ends it. May be called by any thread until it is freed.
void csignalbox_transfer_cancel(csignalbox_transfer *transfer);

/// The reason of a failure.
const char *csignalbox_transfer_error(const csignalbox_transfer *transfer);

void csignalbox_transfer_free(csignalbox_transfer *transfer);

#endif
