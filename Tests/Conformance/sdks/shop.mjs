// SPDX-License-Identifier: Apache-2.0

// Sends a message, an error and counted sessions with @sentry/node, as sdks.py says.

import * as Sentry from "@sentry/node";

class OutOfStock extends Error {
    name = "OutOfStock";
}

function takeItem(item) {
    const stock = { item, left: "none-17" };
    if (stock.left !== item) throw new OutOfStock("item of the shop is out of stock");
}

function checkout() {
    try {
        takeItem("mug-17");
    } catch (cause) {
        throw new Error("checkout failed", { cause });
    }
}

Sentry.init({
    dsn: process.env.SENTRY_DSN, release: "shop@1.2.3", dist: "build-57", environment: "live", serverName: "host-1", sendDefaultPii: true,
    includeLocalVariables: true, autoSessionTracking: true, attachStacktrace: true,
});
Sentry.setUser({ id: "user-4711", email: "ann@example.com", username: "ann-4711", ip_address: "203.0.113.7" });
Sentry.setTag("flavour", "beta-tag");
Sentry.setExtra("basket", { items: 1234 });
Sentry.setContext("shop", { branch: "branch-99" });
Sentry.addBreadcrumb({ message: "opened cart", category: "ui.click", type: "user", level: "info", data: { item: "mug-17" } });
Sentry.configureScope((scope) => {
    scope.setFingerprint(["{{ default }}", "checkout-17"]);
    scope.addAttachment({ filename: "shop-17.log", data: "last line 4711", contentType: "text/plain" });
});
try {
    checkout();
} catch (problem) {
    Sentry.captureException(problem);
}
Sentry.captureMessage("message 4711", "warning");
await Sentry.close(10_000);
