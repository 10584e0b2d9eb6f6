// SPDX-License-Identifier: Apache-2.0

/// The list of integrations. An integration is available once its routes are in it.
enum Integrations {
    static let routes: [Route] = GoogleAnalytics.routes + FirebaseMessaging.routes + Sentry.routes + Segment.routes + PostHog.routes
}
