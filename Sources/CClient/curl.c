// SPDX-License-Identifier: Apache-2.0

// The functions are looked up in the process, as Foundation on Linux links the library there: the client needs neither its headers nor a
// dependency.

#define _GNU_SOURCE
#include "curl.h"

#if defined(__linux__) && defined(__GLIBC__)

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static struct csignalbox_curl curl;
static bool is_there;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool find(void *function, const char *name) {
    void *found = dlsym(RTLD_DEFAULT, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static void load(void) {
    is_there = find(&curl.global_init, "curl_global_init") && find(&curl.easy_init, "curl_easy_init") &&
               find(&curl.easy_setopt, "curl_easy_setopt") && find(&curl.easy_getinfo, "curl_easy_getinfo") &&
               find(&curl.easy_cleanup, "curl_easy_cleanup") && find(&curl.easy_strerror, "curl_easy_strerror") &&
               find(&curl.slist_append, "curl_slist_append") && find(&curl.slist_free_all, "curl_slist_free_all") &&
               find(&curl.multi_init, "curl_multi_init") && find(&curl.multi_setopt, "curl_multi_setopt") &&
               find(&curl.multi_add_handle, "curl_multi_add_handle") && find(&curl.multi_remove_handle, "curl_multi_remove_handle") &&
               find(&curl.multi_perform, "curl_multi_perform") && find(&curl.multi_poll, "curl_multi_poll") &&
               find(&curl.multi_wakeup, "curl_multi_wakeup") && find(&curl.multi_info_read, "curl_multi_info_read") &&
               find(&curl.multi_cleanup, "curl_multi_cleanup") && curl.global_init(GLOBAL_DEFAULT) == 0;
}

const struct csignalbox_curl *csignalbox_curl(void) {
    pthread_once(&once, load);
    return is_there ? &curl : NULL;
}

#endif
