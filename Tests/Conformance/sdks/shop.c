// SPDX-License-Identifier: Apache-2.0

// Sends a session with a message and an error with sentry-native, or crashes, as sdks.py says: shop DATABASE HANDLER [crash].

#include <sentry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile int *nowhere = NULL;

__attribute__((noinline)) static void take_item(void) { *nowhere = 4711; }

__attribute__((noinline)) static void checkout(void) {
    take_item();
    fputs("after the crash\n", stderr);
}

static void describe(void) {
    sentry_value_t user = sentry_value_new_object(), shop = sentry_value_new_object(), basket = sentry_value_new_object();
    sentry_value_set_by_key(user, "id", sentry_value_new_string("user-4711"));
    sentry_value_set_by_key(user, "email", sentry_value_new_string("ann@example.com"));
    sentry_value_set_by_key(user, "username", sentry_value_new_string("ann-4711"));
    sentry_set_user(user);
    sentry_set_tag("flavour", "beta-tag");
    sentry_value_set_by_key(basket, "items", sentry_value_new_int32(1234));
    sentry_set_extra("basket", basket);
    sentry_value_set_by_key(shop, "branch", sentry_value_new_string("branch-99"));
    sentry_set_context("shop", shop);
    sentry_value_t crumb = sentry_value_new_breadcrumb("user", "opened cart");
    sentry_value_set_by_key(crumb, "category", sentry_value_new_string("ui.click"));
    sentry_value_set_by_key(crumb, "level", sentry_value_new_string("info"));
    sentry_value_t data = sentry_value_new_object();
    sentry_value_set_by_key(data, "item", sentry_value_new_string("mug-17"));
    sentry_value_set_by_key(crumb, "data", data);
    sentry_add_breadcrumb(crumb);
}

int main(int count, char **arguments) {
    if (count < 3) return 2;
    sentry_options_t *options = sentry_options_new();
    sentry_options_set_dsn(options, getenv("SENTRY_DSN"));
    sentry_options_set_database_path(options, arguments[1]);
    sentry_options_set_handler_path(options, arguments[2]);
    sentry_options_set_release(options, "shop@1.2.3");
    sentry_options_set_dist(options, "build-57");
    sentry_options_set_environment(options, "live");
    sentry_options_set_auto_session_tracking(options, 1);
    char log[4096];
    snprintf(log, sizeof log, "%s/shop-17.log", arguments[1]);
    FILE *file = fopen(log, "w");
    if (!file) return 3;
    fputs("last line 4711", file);
    fclose(file);
    sentry_options_add_attachment(options, log);
    if (sentry_init(options)) return 4;
    describe();
    if (count > 3 && strcmp(arguments[3], "crash") == 0) {
        checkout();
        return 5;
    }
    sentry_value_t event = sentry_value_new_event();
    sentry_value_t exception = sentry_value_new_exception("OutOfStock", "item of the shop is out of stock");
    sentry_value_set_stacktrace(exception, NULL, 0);
    sentry_event_add_exception(event, exception);
    sentry_capture_event(event);
    sentry_capture_event(sentry_value_new_message_event(SENTRY_LEVEL_WARNING, "shop", "message 4711"));
    return sentry_close();
}
