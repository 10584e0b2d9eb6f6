// SPDX-License-Identifier: Apache-2.0

import io.sentry.Attachment;
import io.sentry.Breadcrumb;
import io.sentry.Sentry;
import io.sentry.SentryLevel;
import io.sentry.protocol.User;
import java.util.List;
import java.util.Map;

/** Sends a session with a message and errors with sentry-java, as sdks.py says. */
public final class Shop {
    static final class OutOfStock extends Exception {
        OutOfStock() {
            super("item of the shop is out of stock");
        }
    }

    static void takeItem(String item) throws OutOfStock {
        throw new OutOfStock();
    }

    static void checkout() {
        try {
            takeItem("mug-17");
        } catch (OutOfStock problem) {
            throw new IllegalStateException("checkout failed", problem);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Sentry.init(options -> {
            options.setDsn(System.getenv("SENTRY_DSN"));
            options.setRelease("shop@1.2.3");
            options.setDist("build-57");
            options.setEnvironment("live");
            options.setServerName("host-1");
            options.setSendDefaultPii(true);
            options.setAttachThreads(true);
            options.setEnableUncaughtExceptionHandler(true);
            options.setCacheDirPath(arguments[0]);
        });
        Sentry.configureScope(scope -> {
            User user = new User();
            user.setId("user-4711");
            user.setEmail("ann@example.com");
            user.setUsername("ann-4711");
            scope.setUser(user);
            scope.setTag("flavour", "beta-tag");
            scope.setExtra("basket", "items-1234");
            scope.setContexts("shop", Map.of("branch", "branch-99"));
            scope.setFingerprint(List.of("{{ default }}", "checkout-17"));
            scope.addAttachment(new Attachment("last line 4711".getBytes(), "shop-17.log", "text/plain"));
        });
        Breadcrumb crumb = new Breadcrumb("opened cart");
        crumb.setCategory("ui.click");
        crumb.setType("user");
        crumb.setLevel(SentryLevel.INFO);
        crumb.setData("item", "mug-17");
        Sentry.addBreadcrumb(crumb);
        Sentry.startSession();
        try {
            checkout();
        } catch (IllegalStateException problem) {
            Sentry.captureException(problem);
        }
        Sentry.captureMessage("message 4711", SentryLevel.WARNING);
        Sentry.endSession();
        Sentry.flush(10_000);
        // An error that nothing catches.
        Thread worker = new Thread(() -> ((Object) "cart").equals(List.of(1).get(7)), "worker-17");
        worker.start();
        worker.join();
        Sentry.close();
    }
}
