<?php
/* A stand-in for the part of WooCommerce that the plugin calls. */

namespace Automattic\WooCommerce\Utilities {
    class FeaturesUtil
    {
        public static array $compatible = [];

        public static function declare_compatibility(string $feature, string $file, bool $isCompatible): void
        {
            self::$compatible[$feature] = $isCompatible;
        }
    }
}

namespace {
    class WC_Order
    {
        public array $meta = [];

        public function update_meta_data(string $key, string $value): void
        {
            $this->meta[$key] = $value;
        }
    }

    class WC_Webhook
    {
        private array $data = [
            'id' => 0,
            'name' => '',
            'topic' => '',
            'delivery_url' => '',
            'secret' => '',
            'api_version' => 3,
            'user_id' => 0,
            'status' => 'disabled',
            'failure_count' => 0,
        ];

        public function __construct(int $id = 0)
        {
            $this->data = $GLOBALS['state']['webhooks'][$id] ?? $this->data;
        }

        /** Handles the methods get_… and set_… of each field. */
        public function __call(string $method, array $arguments)
        {
            [$verb, $field] = explode('_', $method, 2);
            array_key_exists($field, $this->data) || throw new BadMethodCallException($method);
            if ($verb === 'get') {
                return $this->data[$field];
            }
            $this->data[$field] = $arguments[0];
        }

        public function save(): void
        {
            if ($this->data['id'] === 0) {
                $this->data['id'] = max([0, ...stored_ids()]) + 1;
            }
            $GLOBALS['state']['webhooks'][$this->data['id']] = $this->data;
        }

        public function delete(bool $force): void
        {
            unset($GLOBALS['state']['webhooks'][$this->data['id']]);
        }

        public function generate_signature(string $body): string
        {
            $secret = wp_specialchars_decode($this->data['secret'], ENT_QUOTES);
            return base64_encode(hash_hmac('sha256', $body, $secret, true));
        }

        public function deliver_ping()
        {
            $code = send($this->data['delivery_url'], 'webhook_id=' . $this->data['id'], [
                'Content-Type: application/x-www-form-urlencoded',
            ]);
            return $code === 200 ? true : new WP_Error("Error: Delivery URL returned response code: $code");
        }
    }

    class WC_Data_Store
    {
        public static function load(string $type): self
        {
            return new self();
        }

        public function search_webhooks(array $arguments): array
        {
            return stored_ids();
        }
    }

    class WP_Error
    {
        public function __construct(private string $message)
        {
        }

        public function get_error_message(): string
        {
            return $this->message;
        }
    }

    function stored_ids(): array
    {
        return array_keys($GLOBALS['state']['webhooks']);
    }

    function wc_get_webhook(int $id): ?WC_Webhook
    {
        return isset($GLOBALS['state']['webhooks'][$id]) ? new WC_Webhook($id) : null;
    }

    /** Posts a body. Returns the status code of the response, or 0 if there is no response within five seconds. */
    function send(string $url, string $body, array $headers): int
    {
        $http = ['method' => 'POST', 'header' => $headers, 'content' => $body, 'ignore_errors' => true, 'timeout' => 5];
        $response = @file_get_contents($url, false, stream_context_create(['http' => $http]));
        return $response === false ? 0 : (int) explode(' ', $http_response_header[0])[1];
    }
}
