/** The command that reports a sale to the service at `url`, to be copied: the key goes in the place of `$KEY`. */
export function saleLine(url: string): string {
  const body = '{"source": "shop", "externalId": "order-1", "total": 49.99, "trackingId": 1}';
  return `curl -X POST ${url}/v1/event/sale -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '${body}'`;
}

/** The command that reports a visit by somebody's code, likewise. */
export function visitLine(url: string): string {
  const body = '{"collaboratorId": "tracking:ada"}';
  return `curl -i -X POST ${url}/v1/event/site-visited -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '${body}'`;
}
