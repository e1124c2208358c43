/**
 * Returns a shell command that reports a sale to the service at `url`. The shell variable `KEY` must contain the API
 * key.
 */
export function saleLine(url: string): string {
  const body = '{"source": "shop", "externalId": "order-1", "total": 49.99, "trackingId": 1}';
  return `curl -X POST ${url}/v1/event/sale -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '${body}'`;
}

/** Returns a shell command that reports a visit with a partner's code. */
export function visitLine(url: string): string {
  const body = '{"collaboratorId": "tracking:ada"}';
  return `curl -i -X POST ${url}/v1/event/site-visited -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '${body}'`;
}
