import { Registry } from 'prom-client';
import { openapiDocument } from '#app/openapi/openapi.ts';
import { object, text } from '#core/contract/fields.ts';
import { operation } from '#core/contract/operation.ts';
import { authentication } from '#access/commands/authentication.ts';
import { answer } from '#platform/http/handler.ts';
import { exportLimits } from '#platform/http/export-limits.ts';
import { createServer } from '#platform/http/server.ts';
import { servicePages } from '#app/pages/service-pages.ts';
import { recognizeKeys } from '#access/commands/recognize-keys.ts';
import { openDatabase } from '#platform/postgres/database.ts';
import { openLog } from '#platform/log.ts';

/**
 * Serves the request that measures the ceiling of the benchmark: a POST that does nothing, with the same server, key
 * check, parser and fields. Runs as a separate process, prints its port to standard output, and exits when its standard
 * input ends.
 */
const database = openDatabase(process.env['DATABASE_URL'] as string, { connections: 2 });
const noop = operation({
  method: 'POST',
  path: '/v1/event/nothing',
  tag: 'Bench',
  summary: 'Do nothing',
  description: 'Parses the request and sends an empty response.',
  scope: 'events:write',
  tier: 'essentials',
  body: object({ collaboratorId: text(1, 255, { description: 'The collaborator, as in a visit.' }) }),
  success: { description: 'Nothing was done.' },
});
const registry = new Registry();
const server = createServer({
  operations: { noop },
  handlers: { noop: async () => answer(200, undefined, { serviceHeaders: { OID: '5214909912345678' } }) },
  database,
  authentication: authentication((hashes) => recognizeKeys(database, hashes)),
  exports: exportLimits({ atOnce: 1 }),
  log: openLog('error'),
  pages: servicePages({
    readiness: async () => ({}),
    metrics: { contentType: registry.contentType, metrics: () => registry.metrics() },
    openapi: () => openapiDocument({ operations: { noop }, version: '0', headerPrefix: 'X-Service' }),
  }),
});
await server.listen({ port: 0, host: '127.0.0.1' });
const address = server.server.address();
process.stdout.write(`${typeof address === 'object' && address !== null ? address.port : 0}\n`);
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
