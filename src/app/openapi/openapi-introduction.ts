/**
 * Returns the introduction of the reference in Markdown: the rules for all calls. `root` is the path where the service
 * is mounted, or an empty string.
 */
export function introduction(headerPrefix: string, root: string): string {
  return `Whence attributes sales to the collaborators (partners) who referred them, with three calls:

1. \`POST /v1/event/site-visited\` reports a referred visit. The response header \`${headerPrefix}-OID\` has the visitor’s number.
2. \`POST /v1/event/sale\` reports an order, with that number as its \`trackingId\`.
3. \`POST /v1/event/refund\` reports that an order was refunded.

All other calls define the programs, explain the commissions, and pay the collaborators.

**Keys.** Send \`Authorization: Bearer <key>\`. Secret keys (\`sk_live_…\`) are for servers and have scopes. Publishable keys (\`pk_live_…\`) are for
browsers and can only report visits.

**People** log in to the console with \`POST /v1/sessions\`, which sets a cookie. Their session can do what a secret key with the scopes of their role
can do, and manage their own account. The cookie is only accepted from pages that the service itself serves.

**Values.** Amounts in responses are integers in hundredths of the major unit, with their currency in a separate field. Reports have amounts in major units
(\`total\`) or in the smallest unit of the currency (\`totalMinor\`). Times are RFC 3339, and in UTC in responses. Unknown fields of a request body are
ignored, and null counts as absent in a report and at creation. Responses may get new fields, so ignore fields that you do not know.

**Lists** are bare arrays with \`page\` and \`perPage\`, filters, and \`sort\` (\`-\` for descending). \`${headerPrefix}-Estimated-Count\` is the number of
rows, which is exact up to 10,000. To read a long list, follow \`Link\` with \`rel="next"\`.

**Retries.** A POST with an \`Idempotency-Key\` is carried out once, even if it is sent several times within 24 hours. Sales, refunds, leads and renewals
don’t need a key, because they have ids of their own.

**Errors** are RFC 9457 problems with a stable \`code\`. \`invalid-request\` lists up to 100 errors at once. 429 and 503 have a \`Retry-After\` header.

[Guides](${root}/docs/guides) have the tutorial, step-by-step instructions and background.

Machine-readable descriptions of the API are [openapi.json](${root}/openapi.json) and [llms.txt](${root}/llms.txt).`;
}

export const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Events: 'Reports from your shop: visits, sales, refunds, coupons, leads, renewals, and custom events.',
  Organization: 'Your organization: its name, tier, time zone and reporting currency.',
  'API keys': 'API keys with scopes, expiry and origins.',
  People: 'The people who use the console: their roles and invitations.',
  Login: 'Login and password resets of people. Calls are open to everyone and rate-limited for each network.',
  Account:
    'A person’s own settings: name, password, second factor, passkeys, sessions. API keys can’t make these calls.',
  Collaborators: 'The people and companies that refer visitors, and their codes.',
  Programs:
    'The rules for commissions: who can earn, for which events, and how much. Every change creates a new version.',
  'Program groups': 'Groups of programs. Only one program of a group pays for a transaction.',
  'Custom events': 'Custom events, which can trigger engagements.',
  Backtests: 'What past transactions would have paid with other terms, compared with the books.',
  'Fraud lists': 'The allow list and the deny list for fraud signals: networks, referrers and email domains.',
  Opportunities: 'Referred visitors, identified with the number in the response to a visit.',
  Engagements: 'Claims to credit for a visitor, in a program.',
  Transactions: 'Reported sales, leads and renewals.',
  Explanations: 'Why a collaborator earned something, or nothing.',
  Conversions: 'A collaborator’s commission on a transaction, and its approval.',
  Obligations: 'Money owed for a conversion.',
  Fulfillments: 'Payout runs.',
  Payouts: 'One collaborator’s part of a payout run, and its review.',
  Ledger: 'Balances, statements and ledger entries.',
  Figures: 'Results: visits, sales, revenue and earnings by day, collaborator, program, source or link.',
  'Exchange rates': 'The rates with which figures are converted to the reporting currency.',
  Connectors:
    'Connections to billing and shop systems, whose signed events are recorded as sales, renewals and refunds.',
  Webhooks: 'Messages about events, sent to your URLs, and the log of their delivery.',
  Portal: 'Your portal for collaborators: its settings, sign-ups, invitation links, materials and emails.',
  'Portal login': 'Public calls of an open portal: sign-up, and login with an email or a passkey.',
  Privacy: 'Personal data of a visitor or collaborator: export and erasure.',
  'Portal pages': 'What a logged-in collaborator can see and change.',
  Audit: 'Who changed what, and when.',
};
