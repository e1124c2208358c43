<?php
/*
 * A stand-in for a shop with WordPress and WooCommerce. It has the functions and classes that the plugin calls. This
 * file is the router of PHP's built-in server.
 *
 * STAND_IN_STATE is the file with the shop's state, and STAND_IN_ENVIRONMENT is the environment type. The header X-User
 * chooses the user: 1 may manage the shop, 2 is a customer.
 *
 *   GET  /                                the HTML that the plugin adds to the head of a shop page
 *   POST /checkout                        an order of the classic checkout; returns its metadata
 *   POST /store-api/checkout              an order of the checkout block; returns its metadata
 *   GET, POST /wp-admin/admin.php         the plugin's settings page
 *   GET, POST, DELETE /webhooks           lists the webhooks; saves a webhook from the body; deletes all webhooks
 *   POST /deliver                         sends the order in the body to each active webhook for order.updated
 *   GET  /nonce                           the nonce of the user for the settings page
 *   GET  /features                        the features that the plugin supports
 *   POST /plugin/{activate,deactivate,uninstall}
 */

define('ABSPATH', __DIR__ . '/');

/** The shop's options and webhooks, which are stored between requests. */
$state = is_file(getenv('STAND_IN_STATE'))
    ? json_decode(file_get_contents(getenv('STAND_IN_STATE')), true)
    : ['options' => [], 'webhooks' => []];
register_shutdown_function(function (): void {
    file_put_contents(getenv('STAND_IN_STATE'), json_encode($GLOBALS['state']));
});

$hooks = [];
$pages = [];
$notices = [];

require __DIR__ . '/wordpress.php';
require __DIR__ . '/woocommerce.php';

// WordPress puts a backslash before each quote and backslash in the input, with every version of PHP.
$_COOKIE = wp_slash($_COOKIE);
$_POST = wp_slash($_POST);

require __DIR__ . '/../../../../packages/woocommerce/whence.php';
answer($_SERVER['REQUEST_METHOD'], parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));

function answer(string $method, string $path): void
{
    do_action('before_woocommerce_init');
    if ($method === 'GET' && $path === '/') {
        do_action('wp_head');
    } elseif ($method === 'POST' && $path === '/checkout') {
        answer_with_order('woocommerce_checkout_create_order');
    } elseif ($method === 'POST' && $path === '/store-api/checkout') {
        answer_with_order('woocommerce_store_api_checkout_update_order_meta');
    } elseif ($path === '/wp-admin/admin.php') {
        show_admin_page($_GET['page']);
    } elseif ($method === 'GET' && $path === '/webhooks') {
        echo json_encode(array_values($GLOBALS['state']['webhooks']));
    } elseif ($method === 'POST' && $path === '/webhooks') {
        $fields = body();
        $webhook = new WC_Webhook($fields['id'] ?? 0);
        foreach ($fields as $name => $value) {
            $webhook->{"set_$name"}($value);
        }
        $webhook->save();
    } elseif ($method === 'DELETE' && $path === '/webhooks') {
        $GLOBALS['state']['webhooks'] = [];
    } elseif ($method === 'POST' && $path === '/deliver') {
        echo json_encode(deliver('order.updated', file_get_contents('php://input')));
    } elseif ($method === 'POST' && str_starts_with($path, '/plugin/')) {
        do_action(substr($path, strlen('/plugin/')));
    } elseif ($method === 'GET' && $path === '/nonce') {
        echo nonce_for('whence');
    } elseif ($method === 'GET' && $path === '/features') {
        echo json_encode(Automattic\WooCommerce\Utilities\FeaturesUtil::$compatible);
    } else {
        http_response_code(404);
    }
}

function body(): array
{
    return json_decode(file_get_contents('php://input'), true);
}

function answer_with_order(string $hook): void
{
    $order = new WC_Order();
    do_action($hook, $order);
    echo json_encode($order->meta);
}

function show_admin_page(string $name): void
{
    do_action('admin_menu');
    // WordPress checks the capability of the menu entry before this hook. Here, the hook runs first, so that the tests
    // reach the plugin's own check.
    do_action("load-$name");
    if (!current_user_can($GLOBALS['pages'][$name]['capability'])) {
        wp_die('Sorry, you are not allowed to access this page.', '', ['response' => 403]);
    }
    $GLOBALS['pages'][$name]['render']();
}

/**
 * Sends a body to each active webhook for the topic, as WC_Webhook::deliver does. Returns the status codes of the
 * responses.
 */
function deliver(string $topic, string $body): array
{
    $codes = [];
    foreach (array_filter(array_map('wc_get_webhook', stored_ids())) as $webhook) {
        if ($webhook->get_topic() === $topic && $webhook->get_status() === 'active') {
            $codes[] = send($webhook->get_delivery_url(), $body, [
                'Content-Type: application/json',
                "X-WC-Webhook-Topic: $topic",
                'X-WC-Webhook-Signature: ' . $webhook->generate_signature($body),
                'X-WC-Webhook-ID: ' . $webhook->get_id(),
                'X-WC-Webhook-Delivery-ID: ' . bin2hex(random_bytes(16)),
            ]);
        }
    }
    return $codes;
}
