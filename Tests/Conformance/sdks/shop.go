// SPDX-License-Identifier: Apache-2.0

// Sends a message and an error with sentry-go, as sdks.py says.
package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/getsentry/sentry-go"
)

type OutOfStock struct{ Item string }

func (problem *OutOfStock) Error() string { return "item of the shop is out of stock" }

func takeItem() error { return &OutOfStock{"mug-17"} }

func checkout() error {
	if problem := takeItem(); problem != nil {
		return fmt.Errorf("checkout failed: %w", problem)
	}
	return errors.New("nothing failed")
}

func main() {
	problem := sentry.Init(sentry.ClientOptions{
		Dsn: os.Getenv("SENTRY_DSN"), Release: "shop@1.2.3", Dist: "build-57", Environment: "live", ServerName: "host-1",
		AttachStacktrace: true, SendDefaultPII: true,
	})
	if problem != nil {
		panic(problem)
	}
	sentry.ConfigureScope(func(scope *sentry.Scope) {
		scope.SetUser(sentry.User{ID: "user-4711", Email: "ann@example.com", Username: "ann-4711"})
		scope.SetTag("flavour", "beta-tag")
		scope.SetExtra("basket", map[string]int{"items": 1234})
		scope.SetContext("shop", sentry.Context{"branch": "branch-99"})
		scope.SetFingerprint([]string{"{{ default }}", "checkout-17"})
		scope.AddAttachment(&sentry.Attachment{Filename: "shop-17.log", ContentType: "text/plain", Payload: []byte("last line 4711")})
	})
	sentry.AddBreadcrumb(&sentry.Breadcrumb{
		Message: "opened cart", Category: "ui.click", Type: "user", Level: sentry.LevelInfo, Data: map[string]interface{}{"item": "mug-17"}})
	sentry.CaptureException(checkout())
	sentry.CaptureMessage("message 4711")
	func() {
		defer sentry.Recover()
		var basket map[string]int
		basket["mug"] = 1
	}()
	if !sentry.Flush(10 * time.Second) {
		os.Exit(1)
	}
}
