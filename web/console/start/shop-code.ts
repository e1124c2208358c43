import { isLeadProgram, saleOf, type Terms, triggerOf, usualTotal } from './trial.ts';

/** The two keys of a shop. Pages use the publishable key, and the server uses the secret key. */
export type ShopKeys = { readonly publishable: string; readonly secret: string };

/** Placeholders for keys that can no longer be shown. */
export const DOTS: ShopKeys = { publishable: 'pk_live_…', secret: 'sk_live_…' };

/** Returns the script tag for each page of a shop. The script reports visitors that arrive through a partner link. */
export function snippetCode(url: string, publishableKey: string): string {
  return `<script async src="${url}/whence.js" data-key="${publishableKey}"></script>`;
}

/**
 * Returns the code that a shop's server runs after an order. `trackingId` is read from the cookie of the snippet, and
 * is null without a referral.
 */
export function serverCode(url: string, secretKey: string, { currency }: Terms = USUAL): string {
  return `await fetch('${url}/v1/event/sale', {
  method: 'POST',
  headers: {
    Authorization: 'Bearer ${secretKey}',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    source: 'shop',
    externalId: order.id,
    total: order.total, // such as 49.99
    currency: '${currency}',
    trackingId: request.cookies.whence_oid ?? null,
  }),
});`;
}

/** The link code and the coupon code of a partner, if they exist. */
export type Codes = { readonly tracking?: string | undefined; readonly coupon?: string | undefined };

/**
 * Returns shell commands that report a visit with the code of a partner, any further touch that the program needs, and
 * a sale or lead.
 */
export function trialCode(url: string, secretKey: string, { tracking, coupon }: Codes, terms: Terms = USUAL): string {
  const collaboratorId =
    tracking === undefined && coupon !== undefined ? `coupon:${coupon}` : `tracking:${tracking ?? 'ada'}`;
  const reports = [...touchesOf(terms, collaboratorId, coupon ?? tracking ?? 'ada'), paidOf(terms)];
  return `KEY='${secretKey}'
report() { curl -s -i ${url}/v1/event/$1 -d "$2" \\
  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json'; }
OID=$(report site-visited ${argument({ collaboratorId })} \\
  | tr -d '\\r' | awk 'tolower($1) ~ /-oid:$/ { print $2 }')
${reports.map(({ event, body }) => `report ${event} ${argument(body)}`).join('\n')}`;
}

const USUAL: Terms = {
  currency: 'USD',
  triggers: { 'site-visit': 1 },
  pays: ['sale'],
  minimumOrder: null,
  countedLines: ['product'],
  lineFilter: null,
};

type Report = { readonly event: string; readonly body: object };

/** A shell variable for the opportunity number in the response to the visit. */
const OID = '$OID';

/**
 * Returns the touch to report after the visit. Returns an empty list if the program counts visits or has no triggers.
 */
function touchesOf(terms: Terms, collaboratorId: string, coupon: string): Report[] {
  const trigger = triggerOf(terms);
  if (trigger === undefined || trigger === 'site-visit') return [];
  return trigger === 'coupon-applied'
    ? [{ event: 'coupon-applied', body: { code: coupon, trackingId: OID } }]
    : [{ event: 'custom', body: { event: trigger, collaboratorId, trackingId: OID } }];
}

function paidOf(terms: Terms): Report {
  const ids = { source: 'shop', externalId: `trial-${OID}`, trackingId: OID };
  if (isLeadProgram(terms)) return { event: 'lead', body: ids };
  return { event: 'sale', body: { ...ids, ...saleOf(terms, usualTotal(terms)) } };
}

/**
 * Returns a JSON body as a single-quoted argument for bash. Only the opportunity number is outside the quotes, so that
 * bash expands it.
 */
function argument(body: object): string {
  const json = JSON.stringify(body, null, 1)
    .replaceAll(/\n\s*/g, ' ')
    .replaceAll("'", String.raw`\u0027`);
  return `'${json.replaceAll(/"\$OID"|\$OID/g, () => `'${OID}'`)}'`;
}
