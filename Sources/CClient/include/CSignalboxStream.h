// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__linux__) && defined(__GLIBC__)

/// One streaming request over the libcurl that Foundation has loaded.
typedef struct csignalbox_stream csignalbox_stream;

/// How a stream has ended.
enum csignalbox_stream_end {
    /// The response has ended.
    CSIGNALBOX_STREAM_ENDED = 0,
    /// `on_bytes` returned false, or the stream was cancelled.
    CSIGNALBOX_STREAM_STOPPED = 1,
    /// Nothing was sent or received for too long.
    CSIGNALBOX_STREAM_SILENT = 2,
    /// `csignalbox_stream_error` has the reason.
    CSIGNALBOX_STREAM_FAILED = 3,
};

/// Called for each line of the response's head, with its line break.
typedef void (*csignalbox_stream_on_line)(void *context, const char *line, size_t count);
/// Called with each part of the body. Returning false ends the stream.
typedef bool (*csignalbox_stream_on_bytes)(void *context, const void *bytes, size_t count);

/// Creates a stream; NULL if libcurl is not there, or memory is short.
csignalbox_stream *csignalbox_stream_new(void);

/// Sets the request, without a body if `count` is 0. Strings and body are copied.
bool csignalbox_stream_set_request(csignalbox_stream *stream, const char *url, const char *method, const void *body, size_t count);

/// Adds a header field, such as `Accept: text/event-stream`.
bool csignalbox_stream_add_field(csignalbox_stream *stream, const char *line);

/// Sends the request and reads the response until its end. A stream runs once, on a thread of its own, which gets no SIGPIPE from here on.
enum csignalbox_stream_end csignalbox_stream_run(
    csignalbox_stream *stream, int64_t silence_milliseconds, void *context, csignalbox_stream_on_line on_line, csignalbox_stream_on_bytes on_bytes);

/// Ends the stream soon, also one that has not begun. May be called by any thread until the stream is freed.
void csignalbox_stream_cancel(csignalbox_stream *stream);

/// The reason of a failure.
const char *csignalbox_stream_error(const csignalbox_stream *stream);

void csignalbox_stream_free(csignalbox_stream *stream);

#endif
