<?php
/* A stand-in for the part of WordPress that the plugin calls. */

function add_action(string $hook, callable $callback): void
{
    $GLOBALS['hooks'][$hook][] = $callback;
}

function add_filter(string $hook, callable $callback): void
{
    add_action($hook, $callback);
}

function do_action(string $hook, ...$arguments): void
{
    foreach ($GLOBALS['hooks'][$hook] ?? [] as $callback) {
        $callback(...$arguments);
    }
}

function register_activation_hook(string $file, callable $callback): void
{
    add_action('activate', $callback);
}

function register_deactivation_hook(string $file, callable $callback): void
{
    add_action('deactivate', $callback);
}

function register_uninstall_hook(string $file, callable $callback): void
{
    add_action('uninstall', $callback);
}

function plugin_basename(string $file): string
{
    return basename($file);
}

function get_option(string $name, $default = false)
{
    return $GLOBALS['state']['options'][$name] ?? $default;
}

function update_option(string $name, $value, $isLoadedAlways = null): void
{
    $GLOBALS['state']['options'][$name] = $value;
}

function delete_option(string $name): void
{
    unset($GLOBALS['state']['options'][$name]);
}

function add_submenu_page(
    string $parent,
    string $title,
    string $menu,
    string $capability,
    string $name,
    callable $render
): string {
    $GLOBALS['pages'][$name] = ['capability' => $capability, 'render' => $render];
    return $name;
}

function get_current_user_id(): int
{
    return (int) ($_SERVER['HTTP_X_USER'] ?? 0);
}

function current_user_can(string $capability): bool
{
    return get_current_user_id() === 1;
}

function nonce_for(string $action): string
{
    return substr(hash('sha256', $action . get_current_user_id()), 0, 10);
}

function wp_nonce_field(string $action): void
{
    echo '<input type="hidden" name="_wpnonce" value="' . nonce_for($action) . '">';
}

function check_admin_referer(string $action): void
{
    if (($_POST['_wpnonce'] ?? '') !== nonce_for($action)) {
        wp_die('The link you followed has expired.', '', ['response' => 403]);
    }
}

function wp_die(string $message, string $title, array $arguments): void
{
    http_response_code($arguments['response']);
    exit($message);
}

function add_settings_error(string $setting, string $code, string $message, string $type): void
{
    $GLOBALS['notices'][] = [$code, $message, $type];
}

function settings_errors(string $setting): void
{
    foreach ($GLOBALS['notices'] as [$code, $message, $type]) {
        echo "<div id=\"$code\" class=\"notice-$type\">$message</div>";
    }
}

function wp_print_script_tag(array $attributes): void
{
    $texts = array_map(
        fn($name) => $attributes[$name] === true ? $name : "$name=\"" . esc_attr($attributes[$name]) . '"',
        array_keys($attributes)
    );
    echo '<script ' . implode(' ', $texts) . "></script>\n";
}

function wp_get_environment_type(): string
{
    return getenv('STAND_IN_ENVIRONMENT');
}

function wp_generate_password(int $length, bool $hasSpecialCharacters): string
{
    return substr(bin2hex(random_bytes($length)), 0, $length);
}

function wp_slash($value)
{
    return is_array($value) ? array_map('wp_slash', $value) : addslashes($value);
}

function wp_unslash($value)
{
    return is_array($value) ? array_map('wp_unslash', $value) : stripslashes($value);
}

function wp_specialchars_decode(string $text, int $flags): string
{
    return htmlspecialchars_decode($text, $flags);
}

function is_wp_error($value): bool
{
    return $value instanceof WP_Error;
}

function esc_attr(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES, 'UTF-8', false);
}

function esc_html(string $text): string
{
    return esc_attr($text);
}

function esc_url(string $url): string
{
    return esc_attr(esc_url_raw($url));
}

function esc_url_raw(string $url): string
{
    return preg_replace('/[\s"<>`{}^]/', '', $url);
}

function checked(bool $isChecked): void
{
    echo $isChecked ? 'checked' : '';
}

function submit_button(): void
{
    echo '<button>Save Changes</button>';
}
