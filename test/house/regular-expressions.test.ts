import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import jsTokens from 'js-tokens';
import { analyse } from 'scslre';
import { operations } from '#app/operations.ts';
import { knownPaths } from '#platform/http/known-paths.ts';
import { SERVICE_PAGES } from '#app/pages/service-pages.ts';
import { COMPOSED_EXPRESSIONS, type Hostile, REGULAR_EXPRESSIONS } from '#test/support/hostile-matches.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SOURCES = globSync('{src,packages/*/src}/**/*.ts', { cwd: ROOT }).sort();

/**
 * The length of a hostile input in characters: the size limit of request headers and of a webhook receiver’s response.
 * Longer fields take proportionally longer.
 */
const LENGTH = 16_384;
const MAX_MS = 1;

describe('every regular expression', () => {
  it('takes linear time on any input', () => {
    const slow = SOURCES.flatMap((file) =>
      literalsOf(file)
        .filter((literal) => !isLinear(expressionOf(literal)))
        .map((literal) => `${file}: ${literal}`),
    );
    assert.deepEqual(slow, []);
    const patterns = knownPaths(Object.values(operations), SERVICE_PAGES, '/whence').map(({ pattern }) => pattern);
    assert.deepEqual(
      [...Object.values(COMPOSED_EXPRESSIONS).map(({ as }) => as), ...patterns].filter((each) => !isLinear(each)),
      [],
    );
  });

  it('is listed with a hostile input, or with the reason why it never gets input from outside', () => {
    const listed = Object.entries(REGULAR_EXPRESSIONS).flatMap(([file, listedThere]) =>
      Object.keys(listedThere).map((literal) => `${file}: ${literal}`),
    );
    const found = SOURCES.flatMap((file) => [...new Set(literalsOf(file))].map((literal) => `${file}: ${literal}`));
    assert.ok(found.length > 100);
    assert.deepEqual(
      {
        missing: found.filter((each) => !listed.includes(each)),
        stale: listed.filter((each) => !found.includes(each)),
      },
      { missing: [], stale: [] },
    );
  });

  it('is listed with an example if it is composed at run time', () => {
    assert.deepEqual(SOURCES.flatMap(compositionsOf).sort(), Object.keys(COMPOSED_EXPRESSIONS).sort());
  });

  it('handles 16 KiB of its hostile input within a millisecond', () => {
    const literals = Object.entries(REGULAR_EXPRESSIONS).flatMap(([file, listed]) =>
      Object.entries(listed).flatMap(([literal, input]) =>
        'inside' in input ? [] : [{ name: `${file}: ${literal}`, expression: expressionOf(literal), input }],
      ),
    );
    const composed = Object.entries(COMPOSED_EXPRESSIONS).map(([name, { as, hostile }]) => ({
      name,
      expression: as,
      input: hostile,
    }));
    const slow = [...literals, ...composed]
      .map(({ name, expression, input }) => ({ name, ms: bestTimeOf(expression, textOf(input)) }))
      .filter(({ ms }) => ms >= MAX_MS);
    assert.deepEqual(slow, []);
  });

  it('is rejected by both the checker and the timing if it takes quadratic time', () => {
    const quadratic = /^application\/json[ \t]*(?:;charset=utf-8[ \t]*)?;?[ \t]*$/;
    assert.equal(isLinear(quadratic), false);
    assert.ok(bestTimeOf(quadratic, textOf(['application/json', ' ', 'x'])) >= MAX_MS);
  });
});

function literalsOf(file: string): string[] {
  return tokensOf(file).flatMap(({ type, value }) => (type === 'RegularExpressionLiteral' ? [value] : []));
}

function tokensOf(file: string) {
  return [...jsTokens(readFileSync(join(ROOT, file), 'utf8'))];
}

/**
 * Returns the lines of a file that call RegExp. Lines that use RegExp only as a type are excluded, because no
 * parenthesis follows the name.
 */
function compositionsOf(file: string): string[] {
  return readFileSync(join(ROOT, file), 'utf8')
    .split('\n')
    .filter((line) => /\bRegExp\s*\(/.test(line))
    .map((line) => `${file}: ${line.trim()}`);
}

function expressionOf(literal: string): RegExp {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

function isLinear(expression: RegExp): boolean {
  return analyse(expression).reports.length === 0;
}

function textOf([begin, repeated, end = '']: Hostile): string {
  const room = LENGTH - begin.length - end.length;
  return begin + repeated.repeat(Math.ceil(room / repeated.length)).slice(0, room) + end;
}

/** Returns the shortest of eight run times in milliseconds, because other processes disturb the measurement. */
function bestTimeOf(expression: RegExp, text: string): number {
  const times = Array.from({ length: 8 }, () => {
    const startedAt = performance.now();
    text.replace(expression, '');
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}
