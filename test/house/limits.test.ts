import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { describe, it } from 'node:test';
import { settings } from '#app/config.ts';
import { type Constant, constantsOfSource, valueOf } from '#test/support/constants.ts';
import { servedDocument } from '#test/support/documented-answers.ts';
import { type FieldLimit, fieldLimitsOf, nameOf } from '#test/support/field-limits.ts';
import { interfaceOf } from '../../tools/fuzz/interface.ts';

/*
 * Checks docs/reference/limits.md against the source: each row names a constant or setting with its value, and a test
 * that exceeds the limit. Each limit in src/ is on the page, or in INNER with the reason why it is missing.
 */

const ROOT = join(import.meta.dirname, '..', '..');
const PAGE = readFileSync(join(ROOT, 'docs', 'reference', 'limits.md'), 'utf8');

/** Matches the names of constants that may be limits. */
const LIMIT = /(^|_)(MAX|MIN|MOST|LONGEST|LIMITS?|TIMEOUT|THROTTLES|LIFE|PATIENCE|GRACE|LINES_A_SECOND)(_|$)/;

/** Constants that the page omits although their names look like limits, grouped by the reason. */
const INNER: Readonly<Record<string, readonly string[]>> = {
  'limits how much is shown of a value that is available in full elsewhere': [
    'core/contract/problem.ts MAX_DETAIL',
    'programs/wording/program-words.ts MAX_LISTED',
    'programs/wording/program-words.ts MAX_NAME_LISTED',
    'programs/wording/program-words.ts MAX_TRIGGERS_LISTED',
    'attribution/reactions/replay-sales.ts MAX_DIFFERENCES',
    'verify/verify.ts MAX_BREACHES',
  ],
  'limits a list of the largest values, whose totals count all values': [
    'backtest/domain/backtest.ts MAX_PARTNERS',
    'backtest/domain/backtest.ts MAX_LINES',
    'backtest/domain/backtest.ts MAX_HANDS',
    'backtest/domain/backtest.ts MAX_DIFFERING',
    'backtest/domain/backtest.ts MAX_EXPLAINED',
    'backtest/reactions/compare-draft.ts MAX_KEPT_LINES',
  ],
  'limits a cache of the process': [
    'portal/commands/merchant-domains.ts PATIENCE_MS',
    'access/commands/authentication.ts MAX_CACHED',
    'access/commands/authentication.ts MAX_PER_QUERY',
    'platform/http/batcher.ts MAX_BEGINNINGS',
    'connectors/commands/find-inboxes.ts MAX_CACHED',
    'connectors/commands/find-inboxes.ts MAX_PER_QUERY',
    'connectors/routes/inbox.ts MAX_CACHED',
    'tracking/commands/touch-configurations.ts MAX_CACHED_ORGANIZATIONS',
    'tracking/commands/touch-configurations.ts MAX_CACHED_REFERRERS',
    'attribution/reactions/load-facts.ts MAX_CACHED_VERSIONS',
    'programs/domain/line-filter.ts MAX_JUDGED',
  ],
  'is exceeded only by addresses that a merchant entered for nobody': ['portal/store/sign-ups.ts MAX_LOOK_ALIKES'],
  'is exceeded only because of a bug, which returns a 500': [
    'sales/commands/record-sales.ts MAX_TRIES',
    'sales/commands/report-coupon-sales.ts MAX_TRIES',
    'sales/commands/report-renewals.ts MAX_TRIES',
    'tracking/commands/report-rounds.ts MAX_ROUNDS',
    'reporting/store/figure-sums.ts LONGEST_CHANGE',
  ],
  'limits the intervals, waits and batches of background work': [
    'app/worker/schedule.ts LONGEST_POLL_MS',
    'platform/worker/chores.ts LONGEST_REST_MS',
    'platform/worker/chores.ts MAX_SKIPPED_ROUNDS',
    'platform/postgres/embedded/orphan.ts ORPHAN_LIMIT_MS',
    'platform/postgres/embedded/orphan.ts PATIENCE_MS',
    'platform/postgres/embedded/readiness.ts START_LIMIT_MS',
    'platform/postgres/embedded/supervision.ts TROUBLE_LIMIT_MS',
    'webhooks/reactions/announce.ts MAX_RETRIED',
  ],
  'is larger than any collaborator’s number of rows, and further rows would be combined into one': [
    'portal/routes/portal-earnings.ts MAX_ROWS',
    'portal/routes/portal-pages.ts MAX_ROWS',
  ],
  'limits how much of a long response is read at once': [
    'platform/http/pages.ts MAX_STRETCH',
    'platform/breaks.ts MAX_TURN_MS',
    'platform/postgres/lists/slices.ts MAX_ROWS',
    'platform/postgres/lists/slices.ts MIN_ROWS',
  ],
  'selects one of two search methods with the same result': ['platform/postgres/lists/rows.ts MIN_INDEXED'],
  'limits the length of a generated text': ['portal/domain/portal-link.ts MAX_NAME_CODE'],
  'sets how long a browser caches a response': ['platform/http/cross-origin.ts PREFLIGHT_MAX_AGE_S'],
  'describes a limit in a response': ['app/openapi/openapi-headers.ts RATE_LIMIT_HEADERS'],
  'is a limit of another system': [
    'webhooks/domain/receiver-url.ts MIN_PORT',
    'platform/postgres/durability.ts MIN_VERSION',
    'platform/postgres/embedded/address.ts LONGEST_SOCKET_PATH',
  ],
  'judges passwords, as described in docs/reference/people.md': [
    'access/domain/person.ts MIN_BESIDE_OWN_WORDS',
    'access/domain/person.ts MIN_WORD_LENGTH',
  ],
  'sets the length below which a value is hidden completely, because a part would reveal too much': [
    'collaborators/domain/payout-details.ts MIN_SHOWN',
    'collaborators/domain/tax-details.ts MIN_SHOWN',
  ],
  'limits input before another limit applies to the parsed value': [
    'core/contract/fields.ts MAX_NUMBER_LENGTH',
    'core/contract/fields.ts MAX_RATE_PPM',
    'materials/contract/material.ts MAX_FILE_TEXT',
    'portal/contract/portal-settings.ts MAX_LOGO_URL',
    'access/domain/api-key.ts MIN_RANDOM_CHARACTERS',
    'core/ids.ts MAX_ID',
    'core/money.ts MAX_LENGTH',
  ],
};

const rows = rowsOf(PAGE.slice(0, PAGE.indexOf('## Fields')));
const constants = constantsOfSource();
const fieldLimits = fieldLimitsOf(interfaceOf(servedDocument('X-Service')));

describe('docs/reference/limits.md', () => {
  it('states each limit with its value in the source', () => {
    assert.ok(rows.length > 80);
    for (const { what, limit, by } of rows) {
      const actual = referencesIn(by);
      assert.ok(actual.length > 0, `${what} names no constant and no setting`);
      assert.deepEqual(amountsIn(limit).slice(0, actual.length), actual, `${what}: ${limit}`);
    }
  });

  it('names an existing test for each limit', () => {
    for (const { what, test } of rows) {
      const { title = '', file = '' } =
        /^\[(?<title>.+)\]\(\.\.\/\.\.\/(?<file>test\/[^)]+)\)$/.exec(test)?.groups ?? {};
      assert.ok(existsSync(join(ROOT, file)), `${what}: ${test}`);
      assert.ok(hasTest(readFileSync(join(ROOT, file), 'utf8'), title), `${what}: ${file} shows “${title}”`);
    }
  });

  it('lists every constant that is a limit, except field limits and the constants in INNER', () => {
    const documented = new Set(rows.flatMap(({ by }) => constantsIn(by)));
    const inner = Object.values(INNER).flat();
    const there = constants.filter(({ name }) => LIMIT.test(name));
    const undocumented = there.filter(
      (each) => !documented.has(idOf(each)) && !inner.includes(idOf(each)) && !isOfField(each),
    );
    assert.deepEqual(undocumented.map(idOf), []);
    const ids = new Set(there.map(idOf));
    assert.deepEqual(
      inner.filter((id) => !ids.has(id) || documented.has(id)),
      [],
      'each exempt constant exists and is not documented',
    );
  });

  it('lists every field limit of the OpenAPI document', () => {
    const table = PAGE.slice(PAGE.indexOf('## Fields'))
      .split('\n')
      .filter((line) => /^\| \d/.test(line));
    assert.deepEqual(table, fieldTable());
  });
});

type Row = { readonly what: string; readonly limit: string; readonly by: string; readonly test: string };

function rowsOf(page: string): Row[] {
  const lines = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| What |'));
  return lines.map((line) => {
    const cells = line.split(' | ');
    assert.equal(cells.length, 5, line);
    const [what = '', limit = '', by = '', , test = ''] = cells;
    return { what: what.slice(2), limit, by, test: test.replace(/ \|$/, '') };
  });
}

const REFERENCE = /\[`([^`]+)`\]\(([^)#]+)[^)]*\)/g;

/**
 * Returns the constants that a table cell names, each as its file and its name, separated by a space.
 * `THROTTLES['…'].tries` names `THROTTLES`.
 */
function constantsIn(by: string): string[] {
  return [...by.matchAll(REFERENCE)].map(
    ([, text = '', link = '']) => `${link.replace(/^(\.\.\/)+src\//, '')} ${/^\w*/.exec(text)?.[0]}`,
  );
}

/** Returns the values of the constants and settings that a table cell names. Times are in milliseconds. */
function referencesIn(by: string): number[] {
  return [...by.matchAll(REFERENCE)].map(([, text = '', link = '']) => {
    const value = link === 'operating.md' ? defaults()[text] : inSource(normalize(join('docs/reference', link)), text);
    assert.equal(typeof value, 'number', `${text} of ${link} is ${String(value)}`);
    return (value as number) * unitOf(text);
  });
}

function defaults(): Readonly<Record<string, unknown>> {
  return settings.parse({});
}

function inSource(path: string, text: string): unknown {
  const file = path.replace(/^src\//, '');
  const known = Object.fromEntries(
    constants.filter((each) => each.file === file).map(({ name, value }) => [name, value]),
  );
  const value = valueOf(text, known);
  return typeof value === 'bigint' ? Number(value) : value;
}

/**
 * Returns the number of milliseconds in the unit of time at the end of a name, or 1 for a name without a unit of time.
 */
function unitOf(name: string): number {
  const unit = Object.entries(UNITS_OF_NAMES).find(([ending]) => name.endsWith(ending));
  return unit?.[1] ?? 1;
}

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const UNITS_OF_NAMES: Readonly<Record<string, number>> = {
  _MS: 1,
  Ms: 1,
  _SECONDS: SECOND,
  econds: SECOND,
  _S: SECOND,
  _MINUTES: 60 * SECOND,
  _HOURS: 3_600 * SECOND,
  _DAYS: DAY,
};
const UNITS_OF_WORDS: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND,
  minutes: 60 * SECOND,
  hours: 3_600 * SECOND,
  days: DAY,
  KiB: 1_024,
  MiB: 1_048_576,
};

/** Returns the amounts in a table cell. Times are in milliseconds, and sizes are in bytes. */
function amountsIn(limit: string): number[] {
  return [...limit.matchAll(/(\d[\d,]*)(?: (\w+))?/g)].map(([, digits = '', word = '']) => {
    return Number(digits.replaceAll(',', '')) * (UNITS_OF_WORDS[word] ?? 1);
  });
}

/** Returns whether a source text has a test with the given name. An expression in a template name matches any text. */
function hasTest(source: string, title: string): boolean {
  if (source.includes(`'${title}'`)) return true;
  return [...source.matchAll(/\b(?:it|test)\(\s*`([^`]+)`/g)].some(([, name = '']) => {
    const parts = name.split(/\$\{[^}]*\}/).map((part) => RegExp.escape(part));
    return new RegExp(`^${parts.join('.+')}$`).test(title);
  });
}

function idOf({ file, name }: Constant): string {
  return `${file} ${name}`;
}

/**
 * Returns whether a constant is a field limit, which the OpenAPI document already lists. Compares its value with the
 * limits of all fields.
 */
function isOfField({ file, name, value }: Constant): boolean {
  return (
    /(^core|\/(contract|domain))\//.test(file) &&
    name.startsWith('MAX_') &&
    fieldLimits.some(({ limit }) => limit === value)
  );
}

const INTEGER = 2 ** 53 - 1;

/**
 * Returns the rows of the field table, sorted by kind and limit. Each row has a limit and the fields that it applies
 * to. If fields with the same name have different limits, the row also lists their API calls.
 */
function fieldTable(): string[] {
  const bounded = fieldLimits.filter(({ limit, in: where }) => limit !== INTEGER && where !== 'path');
  const byName = Map.groupBy(bounded, (each) => `${each.kind} ${nameOf(each)}`);
  const groups = Map.groupBy(bounded, ({ kind, limit }) => `${kind} ${limit}`);
  return [...groups.values()]
    .toSorted(([a], [b]) => compare(a as FieldLimit, b as FieldLimit))
    .map((group) => {
      const [{ kind, limit }] = group as [FieldLimit];
      const names = [...Map.groupBy(group, nameOf)].toSorted(([a], [b]) => (a < b ? -1 : 1));
      const fields = names.map(([name, those]) => {
        const isOne = new Set(byName.get(`${kind} ${name}`)?.map((each) => each.limit)).size === 1;
        const calls = [...new Set(those.map(({ call }) => `\`${call.id}\``))].toSorted();
        return isOne ? `\`${name}\`` : `\`${name}\` of ${calls.join(', ')}`;
      });
      return `| ${limit.toLocaleString('en')}${kind === 'number' ? '' : ` ${kind}`} | ${fields.join('; ')} |`;
    });
}

const KINDS: readonly FieldLimit['kind'][] = ['characters', 'entries', 'number'];

function compare(a: FieldLimit, b: FieldLimit): number {
  return KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || a.limit - b.limit;
}
