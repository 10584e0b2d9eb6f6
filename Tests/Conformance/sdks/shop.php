<?php
// SPDX-License-Identifier: Apache-2.0

// Sends a message and errors with sentry-php, as sdks.py says: php shop.php SDK.

spl_autoload_register(function (string $name) use ($argv): void {
    $file = $argv[1] . '/src/' . str_replace('\\', '/', preg_replace('/^Sentry\\\\/', '', $name)) . '.php';
    if (str_starts_with($name, 'Sentry\\') && is_file($file)) {
        require $file;
    }
});
foreach (['GuzzleHttp/Psr7/autoload.php', 'Psr/Log/autoload.php', 'Symfony/Component/OptionsResolver/autoload.php'] as $library) {
    require_once '/usr/share/php/' . $library;
}
require $argv[1] . '/src/functions.php';

class OutOfStock extends RuntimeException
{
}

class Shop
{
    public function takeItem(string $item): void
    {
        throw new OutOfStock('item of the shop is out of stock');
    }

    public function checkout(): void
    {
        try {
            $this->takeItem('mug-17');
        } catch (OutOfStock $problem) {
            throw new LogicException('checkout failed', 17, $problem);
        }
    }
}

Sentry\init([
    'dsn' => getenv('SENTRY_DSN'), 'release' => 'shop@1.2.3', 'environment' => 'live', 'server_name' => 'host-1', 'send_default_pii' => true,
    'attach_stacktrace' => true,
]);
Sentry\configureScope(function (Sentry\State\Scope $scope): void {
    $scope->setUser(['id' => 'user-4711', 'email' => 'ann@example.com', 'username' => 'ann-4711']);
    $scope->setTag('flavour', 'beta-tag');
    $scope->setExtra('basket', ['items' => 1234]);
    $scope->setContext('shop', ['branch' => 'branch-99']);
    $scope->setFingerprint(['{{ default }}', 'checkout-17']);
    $scope->addBreadcrumb(new Sentry\Breadcrumb(Sentry\Breadcrumb::LEVEL_INFO, 'user', 'ui.click', 'opened cart', ['item' => 'mug-17']));
});
try {
    (new Shop())->checkout();
} catch (LogicException $problem) {
    Sentry\captureException($problem);
}
Sentry\captureMessage('message 4711', Sentry\Severity::warning());
Sentry\SentrySdk::getCurrentHub()->getClient()->flush(10);
// An error that nothing catches.
(new Shop())->missing();
