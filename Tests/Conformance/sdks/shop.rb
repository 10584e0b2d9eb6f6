# SPDX-License-Identifier: Apache-2.0

# Sends a message and an error with sentry-ruby, as sdks.py says: ruby -I SDK/lib shop.rb.

require "sentry-ruby"

class OutOfStock < StandardError; end

def take_item(item)
  raise OutOfStock, "item of the shop is out of stock"
end

def checkout
  take_item("mug-17")
rescue OutOfStock
  raise "checkout failed"
end

Sentry.init do |config|
  config.dsn = ENV.fetch("SENTRY_DSN")
  config.release = "shop@1.2.3"
  config.environment = "live"
  config.server_name = "host-1"
  config.send_default_pii = true
  config.background_worker_threads = 0
  config.include_local_variables = true
  config.auto_session_tracking = true
end
Sentry.configure_scope do |scope|
  scope.set_user(id: "user-4711", email: "ann@example.com", username: "ann-4711")
  scope.set_tags(flavour: "beta-tag")
  scope.set_extras(basket: { items: 1234 })
  scope.set_contexts(shop: { branch: "branch-99" })
  scope.set_fingerprint(["{{ default }}", "checkout-17"])
end
Sentry.add_attachment(filename: "shop-17.log", content_type: "text/plain", bytes: "last line 4711") if Sentry.respond_to?(:add_attachment)
Sentry.add_breadcrumb(
  Sentry::Breadcrumb.new(message: "opened cart", category: "ui.click", type: "user", level: "info", data: { item: "mug-17" }))
begin
  checkout
rescue RuntimeError => problem
  Sentry.capture_exception(problem)
end
Sentry.capture_message("message 4711", level: :warning)
# A request of a server, whose session is counted.
Sentry.with_session_tracking { 4711 }
Sentry.session_flusher&.flush
