<?php
/**
 * Plugin Name: Whence
 * Description: Credits your partners for the orders that they refer. Stores Whence's tracking id with each order, and sends orders to Whence.
 * Version: 0.1.0
 * Requires at least: 6.1
 * Requires PHP: 7.4
 * Requires Plugins: woocommerce
 * WC requires at least: 7.5
 * WC tested up to: 11.0
 * License: Apache-2.0
 * License URI: https://www.apache.org/licenses/LICENSE-2.0
 * Update URI: false
 */

// Whence is licensed under Apache-2.0. That license is compatible with version 3 of the GPL, under which WordPress can
// be used.

namespace Whence\WooCommerce;

defined('ABSPATH') || exit();

/** The cookie in which the browser snippet stores the tracking id. */
const COOKIE = 'whence_oid';
/** The metadata of an order in which Whence expects the tracking id. The underscore hides it from customers. */
const META_KEY = '_whence';
/** The topics that a WooCommerce connector of Whence needs. */
const TOPICS = ['order.created', 'order.updated', 'order.deleted', 'order.restored'];
const SETTINGS_OPTION = 'whence_settings';
const WEBHOOKS_OPTION = 'whence_webhook_ids';
const CAPABILITY = 'manage_woocommerce';
/** The name of the settings page, and of its nonce and notices. */
const PAGE = 'whence';

add_action('before_woocommerce_init', __NAMESPACE__ . '\declare_compatibility');
add_action('woocommerce_checkout_create_order', __NAMESPACE__ . '\store_tracking_id');
add_action('woocommerce_store_api_checkout_update_order_meta', __NAMESPACE__ . '\store_tracking_id');
add_action('wp_head', __NAMESPACE__ . '\print_snippet');
add_action('admin_menu', __NAMESPACE__ . '\add_settings_page', 99);
add_filter('plugin_action_links_' . plugin_basename(__FILE__), __NAMESPACE__ . '\add_settings_link');
register_activation_hook(__FILE__, __NAMESPACE__ . '\activate');
register_deactivation_hook(__FILE__, __NAMESPACE__ . '\delete_webhooks');
register_uninstall_hook(__FILE__, __NAMESPACE__ . '\uninstall');

/** Declares support for high-performance order storage (HPOS) and for the checkout block. */
function declare_compatibility(): void
{
    $features = '\Automattic\WooCommerce\Utilities\FeaturesUtil';
    if (class_exists($features)) {
        $features::declare_compatibility('custom_order_tables', __FILE__, true);
        $features::declare_compatibility('cart_checkout_blocks', __FILE__, true);
    }
}

/** Stores the visitor's tracking id with a new order. The checkout saves the order afterwards. */
function store_tracking_id(\WC_Order $order): void
{
    $id = tracking_id();
    if ($id !== null) {
        $order->update_meta_data(META_KEY, $id);
    }
}

/** Returns the tracking id in the visitor's cookie, or null if the cookie is missing or has another format. */
function tracking_id(): ?string
{
    $value = isset($_COOKIE[COOKIE]) ? wp_unslash($_COOKIE[COOKIE]) : null;
    return is_string($value) && preg_match('/^[1-9][0-9]{0,15}$/D', $value) === 1 ? $value : null;
}

/** Prints the browser snippet on the shop's pages, if a publishable key is set. */
function print_snippet(): void
{
    $settings = load_settings();
    if ($settings['publishable_key'] === '') {
        return;
    }
    $service = preg_replace('#/v1/connectors/[0-9]+/webhook$#', '', $settings['webhook_url']);
    $attributes = [
        'async' => true,
        'src' => esc_url($service . '/whence.js'),
        'data-key' => $settings['publishable_key'],
    ];
    if ($settings['needs_consent']) {
        $attributes['data-consent'] = 'required';
    }
    // wp_print_script_tag escapes the attributes.
    wp_print_script_tag($attributes);
}

/** Returns the saved settings, with defaults for missing settings. */
function load_settings(): array
{
    $defaults = [
        'webhook_url' => '',
        'secret' => '',
        'publishable_key' => '',
        'needs_consent' => false,
        // The id of a user. WooCommerce reads orders with the permissions of this user before it sends the orders.
        'user_id' => 0,
    ];
    $saved = get_option(SETTINGS_OPTION, []);
    return array_merge($defaults, is_array($saved) ? $saved : []);
}

/** Generates the secret if there is none. Saves the webhooks if their URL is set and WooCommerce is active. */
function activate(): void
{
    $settings = load_settings();
    if ($settings['secret'] === '') {
        $settings['secret'] = wp_generate_password(48, false);
        update_option(SETTINGS_OPTION, $settings);
    }
    if ($settings['webhook_url'] !== '' && function_exists('wc_get_webhook')) {
        save_webhooks($settings);
    }
}

/** Deletes the settings, and the plugin's webhooks if WooCommerce is active. The orders keep their tracking ids. */
function uninstall(): void
{
    delete_webhooks();
    delete_option(WEBHOOKS_OPTION);
    delete_option(SETTINGS_OPTION);
}

/**
 * Saves and enables one webhook for each topic, and returns them. Reuses webhooks that this plugin saved, and webhooks
 * for the same topic and URL that a person created. Deletes duplicates.
 */
function save_webhooks(array $settings): array
{
    $webhooks = [];
    foreach (TOPICS as $topic) {
        $found = find_webhooks($topic, $settings['webhook_url']);
        $webhook = array_shift($found) ?? new \WC_Webhook();
        foreach ($found as $duplicate) {
            $duplicate->delete(true);
        }
        $webhook->set_name("Whence: $topic");
        $webhook->set_topic($topic);
        $webhook->set_delivery_url($settings['webhook_url']);
        $webhook->set_secret($settings['secret']);
        $webhook->set_api_version(3);
        $webhook->set_user_id($settings['user_id']);
        $webhook->set_status('active');
        $webhook->set_failure_count(0);
        $webhook->save();
        $webhooks[] = $webhook;
    }
    $ids = array_map(fn(\WC_Webhook $webhook) => $webhook->get_id(), $webhooks);
    update_option(WEBHOOKS_OPTION, $ids, false);
    return $webhooks;
}

/** Returns the webhooks with the given topic that this plugin saved or that send to the given URL. */
function find_webhooks(string $topic, string $url): array
{
    $own = get_option(WEBHOOKS_OPTION, []);
    $ids = \WC_Data_Store::load('webhook')->search_webhooks(['limit' => -1, 'order' => 'ASC']);
    $webhooks = array_filter(array_map('wc_get_webhook', $ids));
    return array_filter(
        $webhooks,
        fn(\WC_Webhook $webhook) => $webhook->get_topic() === $topic &&
            (in_array($webhook->get_id(), $own, true) || $webhook->get_delivery_url() === $url)
    );
}

/** Returns the webhooks that this plugin saved and that still exist. */
function own_webhooks(): array
{
    return array_filter(array_map('wc_get_webhook', get_option(WEBHOOKS_OPTION, [])));
}

/**
 * Deletes the webhooks that this plugin saved. Does nothing if WooCommerce is inactive, because its webhooks then send
 * nothing and can't be deleted.
 */
function delete_webhooks(): void
{
    if (!function_exists('wc_get_webhook')) {
        return;
    }
    foreach (own_webhooks() as $webhook) {
        $webhook->delete(true);
    }
    update_option(WEBHOOKS_OPTION, [], false);
}

/** Adds the page WooCommerce → Whence, if WooCommerce is active. */
function add_settings_page(): void
{
    if (!function_exists('wc_get_webhook')) {
        return;
    }
    $page = add_submenu_page('woocommerce', 'Whence', 'Whence', CAPABILITY, PAGE, __NAMESPACE__ . '\render_settings_page');
    // The hook `load-$page` runs before the page is printed, so the page shows the saved settings.
    add_action("load-$page", __NAMESPACE__ . '\save_settings');
}

/** Adds a link to the settings page in the list of plugins. */
function add_settings_link(array $links): array
{
    $url = admin_url('admin.php?page=' . PAGE);
    array_unshift($links, '<a href="' . esc_url($url) . '">Settings</a>');
    return $links;
}

/**
 * Saves submitted settings and the webhooks, and adds a notice with the result. Saves nothing if a setting is invalid.
 * Ends the request with a 403 if the user lacks the permission or the form has no valid nonce.
 */
function save_settings(): void
{
    if (!is_submitted()) {
        return;
    }
    if (!current_user_can(CAPABILITY)) {
        wp_die('You are not allowed to change these settings. Log in as a shop manager.', '', ['response' => 403]);
    }
    check_admin_referer(PAGE);
    $settings = submitted_settings();
    $error = error_in($settings);
    if ($error !== null) {
        add_settings_error(PAGE, 'invalid', $error, 'error');
        return;
    }
    update_option(SETTINGS_OPTION, $settings);
    add_ping_notice(save_webhooks($settings));
}

function is_submitted(): bool
{
    return isset($_SERVER['REQUEST_METHOD']) && $_SERVER['REQUEST_METHOD'] === 'POST';
}

/**
 * Returns the settings in the submitted form. sanitize_text_field would change a secret that contains a percent sign,
 * so `error_in` checks each value instead.
 */
function submitted_settings(): array
{
    return [
        'webhook_url' => submitted_text('webhook_url'),
        'secret' => submitted_text('secret'),
        'publishable_key' => submitted_text('publishable_key'),
        'needs_consent' => submitted_text('needs_consent') !== '',
        'user_id' => get_current_user_id(),
    ];
}

function submitted_text(string $name): string
{
    $value = isset($_POST[$name]) ? wp_unslash($_POST[$name]) : '';
    return is_string($value) ? trim($value) : '';
}

/** Returns an error message if the settings are invalid, or null if they are valid. */
function error_in(array $settings): ?string
{
    $scheme = wp_get_environment_type() === 'production' ? 'https' : 'https?';
    $url = $settings['webhook_url'];
    if (!preg_match("#^$scheme://[^\s?\#]+/v1/connectors/[1-9][0-9]*/webhook$#D", $url) || esc_url_raw($url) !== $url) {
        return 'The webhook URL is invalid. Copy it from the connector in Whence. It begins with https:// and ends with /webhook.';
    }
    // WooCommerce decodes HTML entities in a secret before it signs, so an ampersand could change the secret.
    if (!preg_match('/^[\x21-\x25\x27-\x7e]{8,255}$/D', $settings['secret'])) {
        return 'The secret is invalid. Use 8 to 255 letters, digits and punctuation marks, without spaces or ampersands.';
    }
    // A secret key must never be on a page, so accept only publishable keys.
    if (!preg_match('/^(pk_live_[\x21-\x7e]+)?$/D', $settings['publishable_key'])) {
        return 'The publishable key is invalid. It begins with pk_live_. Leave the field empty to add no snippet.';
    }
    return null;
}

/** Sends WooCommerce's ping for each webhook until one fails, and adds a notice with the result. */
function add_ping_notice(array $webhooks): void
{
    foreach ($webhooks as $webhook) {
        $result = $webhook->deliver_ping();
        if (is_wp_error($result)) {
            $message =
                'The settings are saved, but Whence did not accept a test message. Check the webhook URL, and enter the ' .
                'secret in the connector. ';
            add_settings_error(PAGE, 'refused', $message . esc_html($result->get_error_message()), 'warning');
            return;
        }
    }
    add_settings_error(PAGE, 'saved', 'The settings are saved. WooCommerce sends orders to Whence.', 'success');
}

/** Prints the settings page. If a form was submitted, shows its values, even if they are invalid. */
function render_settings_page(): void
{
    $settings = is_submitted() ? submitted_settings() : load_settings();
    $disabled = array_filter(own_webhooks(), fn(\WC_Webhook $webhook) => $webhook->get_status() !== 'active');
    if ($disabled !== []) {
        $message = 'WooCommerce has disabled webhooks after failed deliveries. Save the settings to enable them again.';
        add_settings_error(PAGE, 'disabled', $message, 'warning');
    }
    ?>
    <div class="wrap">
        <h1>Whence</h1>
        <?php settings_errors(PAGE); ?>
        <form method="post">
            <?php wp_nonce_field(PAGE); ?>
            <table class="form-table" role="presentation">
                <tr>
                    <th scope="row"><label for="webhook_url">Webhook URL</label></th>
                    <td>
                        <input name="webhook_url" id="webhook_url" type="url" class="large-text code" required
                            value="<?php echo esc_attr($settings['webhook_url']); ?>">
                        <p class="description">Copy it from the connector: Whence → Connect → your connector.</p>
                    </td>
                </tr>
                <tr>
                    <th scope="row"><label for="secret">Secret</label></th>
                    <td>
                        <input name="secret" id="secret" type="text" class="large-text code" required autocomplete="off"
                            value="<?php echo esc_attr($settings['secret']); ?>">
                        <p class="description">Also enter this secret in the connector.</p>
                    </td>
                </tr>
                <tr>
                    <th scope="row"><label for="publishable_key">Publishable key</label></th>
                    <td>
                        <input name="publishable_key" id="publishable_key" type="text" class="large-text code"
                            autocomplete="off" value="<?php echo esc_attr($settings['publishable_key']); ?>">
                        <p class="description">
                            Adds Whence's snippet to all pages. Leave it empty if your theme or tag manager adds the
                            snippet.
                        </p>
                    </td>
                </tr>
                <tr>
                    <th scope="row">Consent</th>
                    <td>
                        <label>
                            <input name="needs_consent" type="checkbox" value="1"
                                <?php checked($settings['needs_consent']); ?>>
                            Report and store nothing before your consent tool calls <code>whence.grant()</code>
                        </label>
                    </td>
                </tr>
            </table>
            <?php submit_button(); ?>
        </form>
    </div>
    <?php
}
