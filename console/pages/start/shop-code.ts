/** The keys of a shop: one for its pages, one for its server. */
export type ShopKeys = { readonly publishable: string; readonly secret: string };

/** Where a key belongs that isn't shown any more. */
export const DOTS: ShopKeys = { publishable: 'pk_live_…', secret: 'sk_live_…' };

/** What each page of a shop has, to report who came by a collaborator's link. */
export function snippetCode(url: string, publishableKey: string): string {
  return `<script async src="${url}/whence.js" data-key="${publishableKey}"></script>`;
}

/** What a shop's server does after an order; `trackingId` comes from the cookie that the snippet has set. */
export function serverCode(url: string, secretKey: string): string {
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
    currency: 'USD',
    trackingId: request.cookies.whence_oid,
  }),
});`;
}

/** A visit by `code` and then a sale, to be tried in a terminal. */
export function trialCode(url: string, secretKey: string, code: string): string {
  return `KEY='${secretKey}'
OID=$(curl -s -o /dev/null -D - ${url}/v1/event/site-visited \\
  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"collaboratorId": "tracking:${code}"}' \\
  | tr -d '\\r' | awk 'tolower($1) ~ /-oid:$/ { print $2 }')
curl -i ${url}/v1/event/sale \\
  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d "{\\"source\\": \\"shop\\", \\"externalId\\": \\"trial-$OID\\",
       \\"total\\": 49.99, \\"trackingId\\": $OID}"`;
}
