import type { Program } from '@whence/sdk';
import { paysLeads, triggerOf } from './trial.ts';

/** The keys of a shop: one for its pages, one for its server. */
export type ShopKeys = { readonly publishable: string; readonly secret: string };

/** Where a key belongs that isn't shown any more. */
export const DOTS: ShopKeys = { publishable: 'pk_live_…', secret: 'sk_live_…' };

/** What each page of a shop has, to report who came by a collaborator's link. */
export function snippetCode(url: string, publishableKey: string): string {
  return `<script async src="${url}/whence.js" data-key="${publishableKey}"></script>`;
}

/** What a shop's server does after an order; `trackingId` comes from the cookie that the snippet has set. */
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
    trackingId: request.cookies.whence_oid,
  }),
});`;
}

/** The codes of a collaborator. */
export type Codes = { readonly tracking?: string | undefined; readonly coupon?: string | undefined };

/** A visit by somebody's code and then a sale that the program pays for, or a lead, to be tried in a terminal. */
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

/** What of a program decides what has to be reported. */
type Terms = Pick<Program, 'currency' | 'triggers' | 'pays' | 'minimumOrder' | 'countedLines' | 'lineFilter'>;

const USUAL: Terms = {
  currency: 'USD',
  triggers: { 'site-visit': 1 },
  pays: ['sale'],
  minimumOrder: null,
  countedLines: ['product'],
  lineFilter: null,
};

type Report = { readonly event: string; readonly body: object };

/** Stands for the number that the visit was answered. */
const OID = '$OID';

/** What a program counts beside the visit, where visits alone are nothing to it. */
function touchesOf(terms: Terms, collaboratorId: string, coupon: string): Report[] {
  const trigger = triggerOf(terms);
  if (trigger === undefined || trigger === 'site-visit') return [];
  return trigger === 'coupon-applied'
    ? [{ event: 'coupon-applied', body: { code: coupon, trackingId: OID } }]
    : [{ event: 'custom', body: { event: trigger, collaboratorId, trackingId: OID } }];
}

const USUAL_TOTAL = 4_999;

function paidOf(terms: Terms): Report {
  const ids = { source: 'shop', externalId: `trial-${OID}`, trackingId: OID };
  if (paysLeads(terms)) return { event: 'lead', body: ids };
  const total = Math.max(USUAL_TOTAL, terms.minimumOrder ?? 0) / 100;
  return { event: 'sale', body: { ...ids, total, currency: terms.currency, ...itemsOf(terms, total) } };
}

/** Without items a sale is one product, which is enough for most. */
function itemsOf({ lineFilter, countedLines }: Terms, amount: number) {
  const [wanted = {}] = lineFilter?.include ?? [];
  const type = countedLines.includes('product') ? {} : { type: countedLines[0] };
  const item = { ...type, ...wanted };
  if (Object.keys(item).length === 0) return {};
  const name = 'name' in wanted ? String(wanted.name).replaceAll('*', '') : '';
  return { items: [{ ...item, name: name || 'Order', amount }] };
}

/** A body for bash: all of it in single quotes but the number, which bash knows. */
function argument(body: object): string {
  const json = JSON.stringify(body, null, 1)
    .replaceAll(/\n\s*/g, ' ')
    .replaceAll("'", String.raw`\u0027`);
  return `'${json.replaceAll(/"\$OID"|\$OID/g, () => `'${OID}'`)}'`;
}
