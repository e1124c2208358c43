/**
 * A text that keeps a regular expression busy for as long as possible. It has a beginning that starts a match, many
 * repetitions of `repeated`, and an end that makes the match fail.
 */
export type Hostile = readonly [begin: string, repeated: string, end?: string];

/** The reason why an expression is never applied to input from outside. */
export type Inside = { readonly inside: string };

const OUR_OWN: Inside = { inside: 'reads text of this repository' };
const DATABASE: Inside = { inside: 'reads output of PostgreSQL, its driver or the operating system' };

/**
 * Every regular expression literal of the service, the SDK and the snippet, by file, with a hostile input or a reason.
 */
export const REGULAR_EXPRESSIONS: Readonly<Record<string, Readonly<Record<string, Hostile | Inside>>>> = {
  'packages/browser/src/along.ts': { '/^(buy|book|donate)\\.stripe\\.com$/': ['buy.stripe.com', '.stripe.com'] },
  'packages/browser/src/navigation.ts': { '/^(reload|back)/': ['', 'reloa'] },
  'packages/browser/src/report.ts': {
    '/^(408|409|429|5..)$/': ['', '5'],
    '/\\/$/': ['', '/', 'x'],
  },
  'packages/browser/src/whence.ts': {
    '/^\\d+$/': ['', '1', 'x'],
    '/^\\d{1,16}$/': ['', '1', 'x'],
    '/^[\\w-]{11}$/': ['', 'a'],
  },
  'packages/sdk/src/amounts.ts': {
    '/[1-9]/': ['', '0'],
    '/^(-?)([0-9]+)(?:\\.([0-9]+))?$/': ['-', '1', 'x'],
  },
  'packages/sdk/src/client.ts': {
    '/^\\.{0,2}$/': ['', '.'],
    '/^[\\x21-\\x7e]+$/': ['', 'a', ' '],
  },
  'packages/sdk/src/urls.ts': {
    '/^https?:$/': ['', 'https:'],
    '/<([^<>]*)>\\s*;\\s*rel="?next"?/': ['', '<>;  '],
  },
  'packages/sdk/src/retry.ts': {
    '/^\\s*[A-Z]/i': ['', ' ', '1'],
    '/^\\d+$/': ['', '1', 'x'],
  },
  'packages/sdk/src/webhook-signature.ts': { '/^\\d+$/': ['', '1', 'x'] },
  'src/app/command-arguments.ts': { '/^[1-9]\\d{0,15}$/': ['', '1', 'x'] },
  'src/app/commands.ts': { '/^y(es)?$/i': ['', 'y', 'x'] },
  'src/app/config.ts': {
    '/^\\d{1,9}$/': ['', '1', 'x'],
    '/^postgres(ql)?:\\/\\//': ['', 'postgresql:'],
    '/^\\/([\\w.~-]+(\\/[\\w.~-]+)*)?$/': ['/', 'a/', '!'],
    '/^https?:\\/\\/[^/?#\\s]+(\\/[^?#\\s]+)?$/': ['https://', 'a/', ' '],
    '/^([0-9a-f]{64}|[\\w+/-]{43}=?)$/i': ['', 'a', '='],
    '/^[A-Za-z][A-Za-z0-9-]{0,31}$/': ['', 'a', '!'],
    '/^smtps?:\\/\\//': ['', 'smtps:'],
  },
  'src/app/pages/guides/guide-files.ts': {
    '/^- \\[([^\\]]+)\\]\\(([\\w/-]+)\\.md\\)/gm': OUR_OWN,
    '/[^\\p{Letter}\\p{Number}\\s_-]/gu': OUR_OWN,
  },
  'src/access/contract/api-key.ts': { '/^https?:\\/\\/[^*]+\\/$/': ['https://', 'a/', '*'] },
  'src/core/contract/decimal.ts': {
    '/^(-?)(0|[1-9]\\d*)(?:\\.(\\d+))?(?:[eE]([+-]?\\d+))?$/': ['1.1e', '1', 'x'],
    '/^0+/': ['', '0', 'x'],
  },
  'src/core/contract/fields.ts': {
    '/^-?[0-9]+$/': ['-', '1', 'x'],
    '/^[A-Za-z]{3}$/': ['', 'a'],
    '/^-[0.]*[1-9]/': ['-', '0.', 'x'],
  },
  'src/core/contract/time-field.ts': {
    '/^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?(?:[Zz]|[+-]\\d{2}:\\d{2})$/': [
      '2026-01-01T00:00:00.',
      '1',
    ],
    '/[-T:]/i': ['', 'a'],
  },
  'src/core/day.ts': { '/^[1-9]\\d{3}-\\d\\d-\\d\\d$/': ['2026-01-01', '-01'] },
  'src/core/contract/list.ts': {
    '/^[0-9,]+$/': ['', '1,', 'x'],
    '/(^a|A)t$/': { inside: 'reads names of our own fields' },
  },
  'src/app/pages/llms-text.ts': { '/\\/$/': { inside: 'reads BASE_PATH after its check' } },
  'src/app/openapi/openapi-csv.ts': { '/[",]/': OUR_OWN },
  'src/app/openapi/openapi-webhooks.ts': { '/\\.(\\w)/': OUR_OWN },
  'src/app/openapi/openapi.ts': { '/\\/$/': { inside: 'reads BASE_PATH after its check' } },
  'src/access/contract/passkey-answer.ts': { '/^[\\w-]+$/': ['', 'a', '!'] },
  'src/access/contract/password.ts': { '/^[\\w-]{43}$/': ['', 'a', '!'] },
  'src/materials/contract/material.ts': { '/^[A-Za-z0-9+/]*={0,2}$/': ['', 'A', '!'] },
  'src/portal/contract/portal.ts': {
    '/^[\\w-]{43}$/': ['', 'a', '!'],
    '/^[0-9A-Za-z]{3}-?[0-9A-Za-z]{3}$/': ['', 'abc-'],
  },
  'src/core/contract/text.ts': { '/\\p{Cc}/u': ['', 'a'], '/\\S/': ['', ' '] },
  'src/tracking/contract/visit-report.ts': {
    '/^[0-9]+$/': ['', '1', 'x'],
    '/^0+(?=\\d)/': ['', '0', 'x'],
  },
  'src/core/contract/web-address.ts': {
    '/[\\s\\p{Cc}]/u': ['', 'a'],
    '/^[\\p{L}\\p{M}\\p{N}.-]+$/u': ['', 'a', '!'],
    '/^https?:$/': ['', 'https:'],
    '/^https?:\\/\\/[\\w.:[\\]-]+$/': ['https://', 'a:', '!'],
    '/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/': ['', 'a.', '!'],
    '/^[^\\s@<>"(),;:\\\\]+@[^\\s@<>"(),;:\\\\]+$/': ['a@', 'a.', '@'],
  },
  'src/collaborators/domain/alias.ts': { '/^[a-z][a-z0-9_-]{0,63}$/': ['', 'a', '!'] },
  'src/access/domain/api-key.ts': { '/^[\\x21-\\x7e]+$/': ['', 'a', ' '] },
  'src/core/currency.ts': { '/\\s+/': OUR_OWN },
  'src/core/country.ts': { '/\\s+/': OUR_OWN },
  'src/core/contract/country-field.ts': { '/^[A-Za-z]{2}$/': ['', 'a'] },
  'src/collaborators/domain/tax-details.ts': {
    '/^\\d{9}$/': ['', '1', 'x'],
    '/^\\d{5}(-\\d{4})?$/': ['12345-', '1', 'x'],
    '/^[A-Z0-9 ./-]*$/': ['', 'A', 'a'],
    '/^.{4,25}$/': ['', 'A'],
    '/[ ./-]/g': ['', 'A '],
    '/[ -]/g': ['', 'A '],
  },
  'src/programs/domain/fraud-list.ts': {
    '/^[a-z0-9_-]{1,63}$/': ['', 'a'],
    '/^\\d{1,3}$/': ['', '1', 'x'],
  },
  'src/programs/domain/custom-event.ts': { '/^[a-z][a-z0-9-]{0,63}$/': ['', 'a', '!'] },
  'src/connectors/commands/verify-woocommerce.ts': { '/^webhook_id=\\d{1,20}$/': ['webhook_id=', '1', 'x'] },
  'src/connectors/domain/woocommerce/translator.ts': {
    '/^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$/': ['2026-', '1', 'x'],
  },
  'src/connectors/domain/reconciliation/values.ts': {
    '/^\\d+$/': ['', '1', 'x'],
    '/^(\\d{4}-\\d{2}-\\d{2})[T ](\\d{2}:\\d{2}(?::\\d{2})?) ?(Z|UTC|[+-]\\d{2}:?\\d{2})?$/': ['2026-11-20 ', '1', 'x'],
  },
  'src/connectors/commands/make-reports.ts': { '/^[1-9][0-9]{0,15}$/': ['', '1', 'x'] },
  'src/connectors/commands/parse-message.ts': { '/^-?[0-9]+$/': ['-', '1', 'x'] },
  'src/webhooks/domain/delivery.ts': { '/^\\d{1,9}$/': ['', '1', 'x'] },
  'src/payouts/domain/payer-account.ts': { '/[\\s-]/g': ['', ' -'] },
  'src/portal/domain/entry-code.ts': { '/[\\s-]/g': ['', ' -'], '/[IL]/g': ['', 'IL'] },
  'src/materials/domain/material-file.ts': {
    '/^[^\\p{Cc}\\p{Cf}\\\\/:*?"<>|]+$/u': ['', 'a', '/'],
    '/[^ -~]/g': ['', 'é'],
    "/['()*]/g": ['', "'"],
  },
  'src/app/pages/merchant-domains.ts': {
    '/^\\/(?:healthz|readyz|materials\\/[^/]+|unsubscribe\\/[^/]+)$/': ['/materials/', 'a', '/'],
  },
  'src/app/pages/material-files.ts': { '/^[\\w-]{22}$/': ['', 'a', '!'] },
  'src/organizations/domain/custom-domains.ts': {
    '/^[a-z0-9.-]+\\.[a-z][a-z0-9-]*(?:=[1-9][0-9]{0,14})?$/i': { inside: 'reads the setting CUSTOM_DOMAINS' },
  },
  'src/organizations/domain/logo.ts': {
    '/^data:(image\\/[a-z+]+);base64,([A-Za-z0-9+/]+={0,2})$/': ['data:image/png;base64,', 'a', '!'],
    '/^RIFF.{4}WEBP/s': ['RIFF', 'RIFF'],
    '/^\\uFEFF?\\s*(?:<\\?xml[^>]*>\\s*)?(?:<!--(?:(?!-->).)*-->\\s*|<!DOCTYPE[^>[]*>\\s*)*<svg[\\s>]/is': [
      '<?xml>',
      '<!-- -->  <!DOCTYPE>  ',
      '<!--',
    ],
  },
  'src/platform/email/email.ts': { '/[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+/gu': ['', '\n', 'x'] },
  'src/platform/email/html-email.ts': {
    '/(https?:\\/\\/[^\\s<>"]*[^\\s<>"\'.,;:!?)\\]])/': ['https://', '.'],
    '/[&<>"\'{}]/g': ['', '<', 'x'],
    '/[^\\t\\n\\r -\\uD7FF\\uE000-\\uFFFD\\u{10000}-\\u{10FFFF}]/gu': ['', '\0', 'x'],
  },
  'src/core/money.ts': {
    '/^(-?)(0|[1-9][0-9]*)(?:\\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/': ['1.1e', '1', 'x'],
  },
  'src/collaborators/domain/payout-details.ts': {
    '/\\s/g': ['', 'a '],
    '/[\\s-]/g': ['', 'a '],
    '/^\\d+$/': ['', '1', 'x'],
    '/^[^\\s@]+@[^\\s@]+$/': ['', 'a', '@@'],
  },
  'src/payouts/domain/reported-payment.ts': {
    '/^PAYOUT-(\\d{1,16})$/i': ['PAYOUT-', '1', ''],
  },
  'src/payouts/domain/result-table.ts': { '/[^a-z]/g': ['', '-'], '/[ _-]/g': ['', '-'] },
  'src/payouts/domain/sepa-text.ts': {
    "/^[A-Za-z0-9?:().,'+ -]+$/": ['', 'a', '/'],
    '/^\\p{L}$/u': ['', 'a'],
    '/^\\p{M}$/u': ['', '\u0301'],
  },
  'src/access/domain/person.ts': {
    '/[._+-]/': ['', 'a.'],
    '/[^a-z]/g': ['', '-'],
    '/\\.$/': ['', '.', 'a'],
    "/^[\\p{L}\\p{M}\\p{N}.!#$%&'*/=?^_`{|}~-]+$/u": ['', 'a', '"'],
  },
  'src/portal/commands/merchant-domains.ts': { '/\\.$/': ['', '.', 'a'] },
  'src/portal/domain/portal-link.ts': {
    '/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/': ['', 'a', '!'],
    '/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/': ['', 'a', '!'],
    '/\\p{M}/gu': ['', '\u0301'],
    '/[a-z0-9]+/g': ['', 'a', '!'],
    '/-$/': ['', '-', 'x'],
  },
  'src/organizations/domain/portal.ts': {
    '/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/': ['', 'a-', '!'],
    '/^#[0-9A-Fa-f]{6}$/': ['#', 'a'],
    '/^[A-Za-z][A-Za-z0-9_-]{0,31}$/': ['', 'a', '!'],
  },
  'src/webhooks/domain/receiver-url.ts': {
    '/[\\s\\p{Cc}]/u': ['', 'a'],
    '/^\\[(.*)\\]$/': ['[', ']', 'x'],
    '/(?<!\\.)\\.+$/': ['', '.', 'x'],
    '/\\.(localhost|local|internal|home\\.arpa)$/i': ['', '.localhost', 'x'],
  },
  'src/access/domain/second-factor.ts': { '/[\\s-]/g': ['', ' -'] },
  'src/access/domain/session.ts': { '/^[\\w-]{43}$/': ['', 'a', '!'] },
  'src/core/user.ts': { '/^(?:0|[1-9][0-9]{0,15})$/': ['', '1', 'x'] },
  'src/platform/http/admission.ts': {
    '/^Bearer +(\\S+)$/i': ['Bearer', ' ', 'a '],
    '/^application\\/json[ \\t]*(?:;[ \\t]*(?:charset=(?:utf-8|"utf-8")[ \\t]*(?:;[ \\t]*)?)?)?$/i': [
      'application/json',
      ' ',
      'x',
    ],
  },
  'src/access/routes/changes.ts': { '/\\{(\\w+)\\}/g': OUR_OWN },
  'src/platform/http/csv.ts': {
    '/[=+\\-@\\uFF0B\\uFF0D\\uFF1D\\uFF20]/u': ['', 'a'],
    '/[;\\t\\r\\n]/u': ['', 'a'],
    '/[\\s"\\u2800\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}]/u': ['', 'a'],
    '/^-\\d+(?:\\.\\d+)?$/': ['-1.', '1', 'x'],
  },
  'src/platform/http/entity-tags.ts': { '/^W\\//': ['', 'W'] },
  'src/platform/http/idempotency-key.ts': { '/^[!-~]{1,255}$/': ['', 'a', ' '] },
  'src/platform/http/known-paths.ts': { '/\\{\\w+\\}/': OUR_OWN, '/[.*+?^$()|[\\]\\\\{}]/g': OUR_OWN },
  'src/platform/http/rate-limits.ts': {
    '/^(?:\\[([^\\]]+)\\](?::\\d+)?|(?:::ffff:)?(\\d{1,3}(?:\\.\\d{1,3}){3})(?::\\d+)?)$/i': ['[::1]:', '1', 'x'],
  },
  'src/platform/http/read-request.ts': { '/^[!-~]*$/': ['', 'a', ' '] },
  'src/platform/http/refusal-log.ts': { '/[.:]/': ['', ':'] },
  'src/sales/domain/buyer.ts': { '/\\s+/': ['x', ' ', 'y'] },
  'src/sales/routes/report-batches.ts': { '/^[1-9]\\d{0,15}$/': ['', '1', 'x'] },
  'src/platform/http/server.ts': {
    '/\\/$/': { inside: 'reads BASE_PATH after its check' },
    '/\\{(\\w+)\\}/g': OUR_OWN,
  },
  'src/platform/http/static-text.ts': { '/^q=0(\\.0*)?$/': ['q=0.', '0', 'x'] },
  'src/app/pages/web-pages.ts': { '/^[\\w-]+\\.(js|css|woff2)$/': ['', 'a', '.js!'] },
  'src/access/commands/passwords.ts': {
    '/^\\$argon2id\\$v=19\\$m=(\\d+),t=(\\d+),p=(\\d+)\\$([\\w+/]+)\\$([\\w+/]+)$/': {
      inside: 'reads hashes that the service has made itself',
    },
  },
  'src/access/commands/second-factor.ts': { '/^\\d{6}$/': ['', '1', 'x'] },
  'src/platform/postgres/failures.ts': {
    '/^((08|53|57|58)...|25006|25P03|55P03)$/': DATABASE,
    '/^E[A-Z]+$/': DATABASE,
    '/^(08...|57P0[12]|25P03|E[A-Z]+)$/': DATABASE,
    '/connection terminated|not queryable/i': DATABASE,
    '/connection terminated|not queryable|pool after calling end/i': DATABASE,
  },
  'src/platform/postgres/embedded/account.ts': { '/\\s+/': DATABASE },
  'src/platform/postgres/embedded/process-identity.ts': { '/^.*\\) /s': DATABASE },
  'src/platform/postgres/embedded/server-log.ts': {
    '/FATAL: {2}the database system is |DETAIL: {2}Consistent recovery state/': DATABASE,
  },
  'src/platform/postgres/embedded/supervision.ts': {
    '/pre-existing shared memory block|could not bind|lock file "postmaster\\.pid" already exists/': DATABASE,
    '/No space left on device/': DATABASE,
  },
  'src/platform/postgres/migrate.ts': { '/^(\\d{4})_([a-z0-9_-]+)\\.sql$/': OUR_OWN },
  'src/platform/postgres/partitions.ts': { '/^visits_(\\d+)$/': DATABASE },
  'src/ledger/store/read/owed.ts': { '/^\\d+$/': DATABASE },
  'src/platform/postgres/lists/rows.ts': {
    '/(:text|:organization)/': OUR_OWN,
    '/Ids$/': OUR_OWN,
    '/\\$(\\d+)/': OUR_OWN,
  },
  'src/platform/postgres/backup/restore.ts': { '/^(?:22|23|42)/': DATABASE },
  'src/webhooks/reactions/send.ts': { '/CERT|^ERR_TLS|^ERR_SSL|^UNABLE_TO|^HOSTNAME/': ['', 'CER'] },
  'src/webhooks/reactions/sign.ts': { '/^whsec_/': { inside: 'reads secrets that the service has made itself' } },
};

/**
 * Expressions that are composed at run time, by source line. Each has an example of the composed expression, and a
 * hostile input for it.
 */
export const COMPOSED_EXPRESSIONS: Readonly<Record<string, { readonly as: RegExp; readonly hostile: Hostile }>> = {
  'src/app/config.ts: new RegExp(`^${KEY_PREFIXES[kind]}[\\\\x21-\\\\x7e]{32,200}$`),': {
    as: /^sk_live_[\x21-\x7e]{32,200}$/,
    hostile: ['sk_live_', 'a', ' '],
  },
  'src/access/domain/second-factor.ts: const CODE = new RegExp(`^(?:[${ALPHABET}]{${LENGTH}}|[${ALPHABET}]{${OLDER_LENGTH}})$`);':
    { as: /^(?:[A-Z2-7]{24}|[A-Z2-7]{16})$/, hostile: ['', 'A', '!'] },
  "src/platform/http/known-paths.ts: return new RegExp(`^${parts.join('[^/]+')}$`);": {
    as: /^\/v1\/webhooks\/[^/]+\/deliveries\/[^/]+\/retry$/,
    hostile: ['/v1/webhooks/', 'a', '/deliveries/1/retry/'],
  },
};
