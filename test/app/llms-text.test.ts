import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { llmsText } from '#app/pages/llms-text.ts';
import { openapiDocument } from '#app/openapi/openapi.ts';
import type { Operation } from '#core/contract/operation.ts';
import { operations } from '#app/operations.ts';

const text = llmsText(
  openapiDocument({ operations, version: '0', headerPrefix: 'X-Acme', basePath: '/whence' }),
  '/whence',
);
const lines = text.split('\n');

describe('/llms.txt', () => {
  it('has the form of llmstxt.org: a title, a quotation, then groups of links', () => {
    assert.equal(lines[0], '# Whence');
    assert.match(lines[2] ?? '', /^> Which partner referred the sale/);
    assert.ok(lines.slice(1).every((line) => !/^#+ /.test(line) || line.startsWith('## ')));
    assert.ok(
      lines.filter((line) => line.startsWith('- [')).every((line) => /^- \[[^\]]+\]\(\/whence\/[^)]+\): ./.test(line)),
    );
  });

  it('lists every call once with its summary, path and example', () => {
    for (const [id, { method, path, summary }] of Object.entries<Operation>(operations)) {
      const found = lines.filter((line) => line.includes(`\`${method} /whence${path}\``));
      assert.equal(found.length, 1, id);
      assert.ok(found[0]?.startsWith(`- [${summary}](/whence/docs#tag/`), id);
    }
    assert.match(
      text,
      /`POST \/whence\/v1\/event\/refund`, with `\{"source":"shop","externalId":"order-1001"\}`, returns 200/,
    );
  });

  it('has the three tracking calls as commands to copy', () => {
    const calls = lines.filter((line) => line.startsWith('curl '));
    assert.deepEqual(
      calls.map((line) => /<host>(\S+)/.exec(line)?.[1]),
      ['/whence/v1/event/site-visited', '/whence/v1/event/sale', '/whence/v1/event/refund'],
    );
    for (const line of calls) assert.doesNotThrow(() => JSON.parse(/-d '(.+)'$/.exec(line)?.[1] ?? ''), line);
  });

  it('uses the header prefix and base path of the process', () => {
    assert.match(text, /X-Acme-OID/);
    assert.doesNotMatch(text, /X-Service/);
    assert.match(text, /\(\/whence\/openapi\.json\)/);
    assert.match(
      llmsText(openapiDocument({ operations, version: '0', headerPrefix: 'X' }), '/'),
      /\(\/openapi\.json\)/,
    );
  });
});
