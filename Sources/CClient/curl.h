// SPDX-License-Identifier: Apache-2.0

#pragma once

// The part of libcurl that the client uses. Numbers of options are a part of its ABI.

#include <stdbool.h>
#include <stdint.h>

enum csignalbox_curl_number {
    OPTION_WRITE_DATA = 10001,
    OPTION_URL = 10002,
    OPTION_ERROR_BUFFER = 10010,
    OPTION_HEADER_LIST = 10023,
    OPTION_HEADER_DATA = 10029,
    OPTION_METHOD = 10036,
    OPTION_ROOTS_FILE = 10065,
    OPTION_ACCEPT_ENCODING = 10102,
    OPTION_BEFORE_REQUEST_DATA = 10313,
    OPTION_BODY = 10165,
    OPTION_WRITE_FUNCTION = 20011,
    OPTION_HEADER_FUNCTION = 20079,
    OPTION_BEFORE_REQUEST = 20312,
    OPTION_BODY_BYTES = 30120,
    OPTION_NO_RESPONSE_BODY = 44,
    OPTION_NO_SIGNAL = 99,
    OPTION_PROTOCOLS = 181,
    OPTION_NO_PROXY_HEAD = 265,
    OPTION_QUICK_EXIT = 322,
    LOOP_OPTION_MAX_HOST_CONNECTIONS = 7,
    GLOBAL_DEFAULT = 3,
    PROTOCOL_HTTP = 1,
    PROTOCOL_HTTPS = 2,
    INFO_ROOTS_FILE = 0x10003d,
    INFO_SENT_BYTES = 0x600007,
    MESSAGE_DONE = 1,
    ERROR_BYTES = 256,
};

/// A finished transfer, as `curl_multi_info_read` tells of it.
struct csignalbox_curl_message {
    int kind;
    void *easy;
    union {
        void *whatever;
        int result;
    } data;
};

struct csignalbox_curl {
    int (*global_init)(long flags);
    void *(*easy_init)(void);
    int (*easy_setopt)(void *easy, int option, ...);
    int (*easy_getinfo)(void *easy, int info, ...);
    void (*easy_cleanup)(void *easy);
    const char *(*easy_strerror)(int code);
    void *(*slist_append)(void *list, const char *line);
    void (*slist_free_all)(void *list);
    void *(*multi_init)(void);
    int (*multi_setopt)(void *multi, int option, ...);
    int (*multi_add_handle)(void *multi, void *easy);
    int (*multi_remove_handle)(void *multi, void *easy);
    int (*multi_perform)(void *multi, int *running);
    int (*multi_poll)(void *multi, void *extra, unsigned int extra_count, int timeout_milliseconds, int *count);
    int (*multi_wakeup)(void *multi);
    struct csignalbox_curl_message *(*multi_info_read)(void *multi, int *left);
    int (*multi_cleanup)(void *multi);
};

/// Returns the functions of the libcurl in this process; NULL without one.
const struct csignalbox_curl *csignalbox_curl(void);
