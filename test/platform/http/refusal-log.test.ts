import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { problem, type ProblemCode } from '#core/contract/problem.ts';
import { refusalLog } from '#platform/http/refusal-log.ts';

const FROM = { ip: '203.0.113.7', routeOptions: { config: { operationId: 'openSession' } } } as FastifyRequest;

describe('the log of rejected requests', () => {
  const loggedFor = (codes: readonly ProblemCode[], at: (index: number) => number) => {
    const lines: { code: string; leftOut: number }[] = [];
    let index = 0;
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const note = refusalLog(log, () => at(index));
    for (const code of codes) {
      note(FROM, problem(code));
      index += 1;
    }
    return lines;
  };

  it('has authentication, permission and rate limit errors, but no invalid requests or unknown paths', () => {
    const codes = ['unauthenticated', 'scope-required', 'rate-limited', 'malformed-json', 'not-found'] as const;
    assert.deepEqual(
      loggedFor(codes, () => 0).map(({ code }) => code),
      ['unauthenticated', 'scope-required', 'rate-limited'],
    );
  });

  it('has at most ten lines per second of a flood, and the number of omitted lines', () => {
    const flood = Array<ProblemCode>(2_500).fill('unauthenticated');
    const lines = loggedFor(flood, (index) => index);
    assert.equal(lines.length, 30);
    assert.deepEqual(
      lines.map(({ leftOut }) => leftOut).filter((count) => count > 0),
      [990, 990],
    );
  });
});
