import { createFigureSummer } from '#reporting/reactions/sum-figures.ts';
import type { Database } from '#platform/postgres/database.ts';
import { FIGURE_DIMENSIONS } from '#reporting/store/read/figures-request.ts';
import { createGet, time, type Timed } from './lists.ts';

type Reports = { readonly name: string; readonly limit: 'list' | 'report'; readonly timed: readonly Timed[] };

const DAY_MS = 86_400_000;

/**
 * Measures reads of single rows, balances and statements of two collaborators, figures, amounts owed, and the preview
 * and creation of a payout run.
 */
export async function timeReports(base: string, key: string, database: Database, samples: number): Promise<Reports[]> {
  const get = createGet(base, key);
  const ids = async (list: string, field = 'id'): Promise<string[]> => {
    const { body } = await get(`${list}${list.includes('?') ? '&' : '?'}perPage=${samples}`);
    return (body as Record<string, unknown>[]).map((row) => String(row[field]));
  };
  const people = await peopleOf(database);
  const now = Date.now();
  const span = (days: number): string =>
    `from=${new Date(now - days * DAY_MS).toISOString()}&to=${new Date(now - (days - 1) * DAY_MS).toISOString()}`;
  const reads: Timed[] = [];
  for (const noun of [
    'opportunities',
    'engagements',
    'transactions',
    'conversions',
    'obligations',
    'payouts',
    'events',
    'fulfillments',
  ]) {
    const path = `/v1/${noun}`;
    reads.push(
      await time(
        `${path}/{id}`,
        (await ids(path)).map((id) => `${path}/${id}`),
        get,
      ),
    );
  }
  const sales = await ids('/v1/transactions');
  reads.push(
    await time(
      '/v1/transactions/{id}/explanation',
      sales.map((id) => `/v1/transactions/${id}/explanation`),
      get,
    ),
  );
  const visitors = await ids('/v1/transactions', 'opportunityId');
  reads.push(
    await time(
      '/v1/opportunities/{id}/journey',
      visitors.map((id) => `/v1/opportunities/${id}/journey`),
      get,
    ),
  );

  const reports: Timed[] = [];
  for (const [who, id] of people) {
    const path = `/v1/collaborators/${id}`;
    const times = <Value>(value: Value): Value[] => Array.from({ length: samples }, () => value);
    reports.push(await time(`balance of ${who}`, times(`${path}/balance`), get));
    for (const days of [2, 100, 300]) {
      reports.push(
        await time(`statement of ${who}, one day ${days} days ago`, times(`${path}/statement?${span(days)}`), get),
      );
    }
    reports.push(await time(`statement as CSV of ${who}, yesterday`, times(`${path}/statement.csv?${span(2)}`), get));
  }
  reports.push(...(await timeFigures(people, database, samples, get)));
  reports.push(await timePost('preview of a run', base, key, '/v1/fulfillments/preview', {}, samples));
  reports.push(await timePost('run in JPY', base, key, '/v1/fulfillments', { currency: 'JPY' }, 1));
  return [
    { name: 'single reads', limit: 'list', timed: reads },
    { name: 'reports', limit: 'report', timed: reports },
  ];
}

/**
 * Measures the amounts owed, and the figures of a month and of a year by each dimension, for all collaborators and for
 * the largest collaborator. Old facts are added to the sums first.
 */
async function timeFigures(
  people: readonly [who: string, id: number][],
  database: Database,
  samples: number,
  get: ReturnType<typeof createGet>,
): Promise<Timed[]> {
  const addSome = createFigureSummer(database);
  while ((await addSome()) === 'more');
  const day = (back: number): string => new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 10);
  const timed: Timed[] = [];
  for (const days of [30, 365]) {
    for (const by of FIGURE_DIMENSIONS) {
      for (const [whose, filter] of [
        ['all', ''],
        ['the largest', `&collaboratorId=${people[0]?.[1]}`],
      ]) {
        const path = `/v1/figures?from=${day(days - 1)}&until=${day(-1)}&by=${by}${filter}`;
        const paths = Array.from({ length: samples }, () => path);
        timed.push(await time(`figures of ${whose}, ${days} days by ${by}`, paths, get));
      }
    }
  }
  timed.push(
    await time(
      'amounts owed',
      Array.from({ length: samples }, () => '/v1/owed'),
      get,
    ),
  );
  return timed;
}

/**
 * Returns two collaborators of the first organization: the collaborator with the most conversions, and the collaborator
 * with the median number of conversions.
 */
async function peopleOf(database: Database): Promise<[who: string, id: number][]> {
  const { rows } = await database.query<{ id: number }>(
    `select collaborator_id as id from conversions where organization_id = (select min(id) from organizations)
     group by 1 order by count(*) desc`,
  );
  return [
    ['the largest', rows[0]?.id ?? 0],
    ['another', rows[Math.floor(rows.length / 2)]?.id ?? 0],
  ];
}

async function timePost(
  name: string,
  base: string,
  key: string,
  path: string,
  body: object,
  samples: number,
): Promise<Timed> {
  const times: number[] = [];
  let refused: number | undefined;
  for (let n = 0; n < samples; n += 1) {
    const started = performance.now();
    const response = await fetch(base + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await response.text();
    times.push(performance.now() - started);
    if (!response.ok) refused = response.status;
  }
  return { name, times, ...(refused === undefined ? {} : { refused }) };
}
