/**
 * Returns the introduction of the reference in Markdown: the rules that apply to every call. `root` is the path where
 * the service is mounted, or an empty string.
 */
export function introduction(headerPrefix: string, root: string): string {
  return `Whence attributes sales to those who referred them. Three calls do it:

1. \`POST /v1/event/site-visited\` reports a referred visit, and answers the visitor’s number in the header \`${headerPrefix}-OID\`.
2. \`POST /v1/event/sale\` reports an order, with that number as its \`trackingId\`.
3. \`POST /v1/event/refund\` takes the order back.

All others say who may earn what, show what was earned and why, and pay it.

**Keys.** \`Authorization: Bearer <key>\`. Secret keys (\`sk_live_…\`) are for servers and have scopes; publishable keys (\`pk_live_…\`) are for
browsers and may report visits, and nothing else.

**People** log in to the console by \`POST /v1/sessions\`, which sets a cookie. Their session may do what a secret key with the scopes of their role
may, and calls of their own account beside that. It counts only in requests of pages that the service itself serves.

**Values.** Amounts in answers are integers in hundredths of the major unit, with their currency beside them; a sale is reported in major units. Times are
RFC 3339 in UTC. Unknown fields of a request are ignored, and null counts as absent in a report and at creation. Answers may get further
fields: ignore those that you do not know.

**Lists** are bare arrays with \`page\` and \`perPage\`, filters, and \`sort\` (\`-\` for descending). \`${headerPrefix}-Estimated-Count\` says how many rows
there are; for long walks follow \`Link\` with \`rel="next"\`.

**Sending again.** A POST with an \`Idempotency-Key\` is done once, however often it is sent. Sales, refunds, leads and renewals need none: their
own ids do it.

**Errors** are RFC 9457 problems with a stable \`code\`; a 422 names every fault at once. 429 and 503 say in \`Retry-After\` when to try again.

[Guides](${root}/docs/guides) have the tutorial, step-by-step instructions and background.

For machines there are [openapi.json](${root}/openapi.json) and [llms.txt](${root}/llms.txt).`;
}

/** The description of each group of calls. */
export const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Events: 'What happened in your shop: visits, sales, refunds, coupons, leads, renewals, and events of your own.',
  Organization: 'Your organization: its name and tier.',
  'API keys': 'Who may call: keys with scopes, expiry and origins.',
  People: 'Those who work with the console: their roles, and how they are invited.',
  'Log-in':
    'How people get a session, and back in when they have lost their password. Open to all, each network so often.',
  Account: 'What people change of themselves: name, password, second factor, passkeys, sessions. No key can call it.',
  Collaborators: 'Those who refer visitors, and the codes that they are known by.',
  Programs: 'Rules: who may earn, on what, how much. Every change is a new version.',
  'Program groups': 'Programs of which only one pays for a transaction.',
  'Custom events': 'Events of your own that can trigger an engagement.',
  Opportunities: 'Referred visitors, by the number that a visit answers.',
  Engagements: 'Who has a claim on a visitor, in which program.',
  Transactions: 'Sales, leads and renewals, as they were reported.',
  Explanations: 'Why somebody earned, or did not.',
  Conversions: 'What a collaborator has earned by a transaction, and its approval.',
  Obligations: 'What is owed for a conversion.',
  Fulfillments: 'Payout runs.',
  Payouts: 'What one collaborator gets out of a run, and its review.',
  Ledger: 'Balances, statements, and the entries that they are made of.',
  Figures: 'What came of it all: visits, sales, revenue and earnings by day and by whom.',
  Webhooks: 'News that are sent to you, and the log of their delivery.',
  Portal: 'Your portal for collaborators: how it looks, who may sign up, how they want to be paid.',
  'Portal log-in': 'What anybody may call of an open portal: to sign up, and to log in by mail or passkey.',
  Privacy: 'What is stored of a visitor or a collaborator: to be given to them, or taken away for good.',
  'Portal pages': 'What a collaborator who has logged in may see and change: their own.',
  Audit: 'Who changed what, and when.',
};
