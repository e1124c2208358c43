import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readCsv } from '../../support/csv.ts';
import { openTill } from '../../support/payouts.ts';
import { faultCodes } from '../../support/replies.ts';
import { type Reply, startService, type TestService } from '../../support/service.ts';
import { checkoutCompleted, connectStripe } from '../../support/stripe.ts';
import { openShop, type Shop } from '../../support/shop.ts';
import { keysOf, type Operation } from '#core/contract/operation.ts';
import { operations } from '#app/operations.ts';
import { openDatabase } from '#platform/postgres/database.ts';

/** Every list that a secret key may read, from the table of operations. */
const LISTS = Object.entries<Operation>(operations).filter(
  ([, operation]) => operation.success.alsoCsv === true && keysOf(operation).includes('secret'),
);

/** All columns that contain amounts, in any list. */
const AMOUNTS = new Set([
  'amount',
  'awarded',
  'balance',
  'capPerOrder',
  'capPerPeriod.amount',
  'draft',
  'earned',
  'inPayout',
  'minimum',
  'minimumOrder',
  'paid',
  'pending',
  'refunded',
  'refundedAmount',
  'revenue',
  'review.openAmount',
  'total',
]);

/** The columns of the audit log with the request and the state before and after it. */
const AUDITED = new Set(['request', 'before', 'after']);

describe('CSV', () => {
  let service: TestService;
  let shop: Shop;
  let ids: Readonly<Record<string, number>>;
  before(async () => {
    service = await startService({ WEBHOOKS_PRIVATE_ADDRESSES: 'true' });
    shop = openShop(service);
    const post = async (path: string, body: object): Promise<number> => {
      const reply = await service.request('POST', path, { key: service.secretKey, body });
      assert.equal(reply.status, 201, reply.text);
      return (reply.body as { id: number }).id;
    };
    const programs = await shop.program({ enrollment: 'selected', autoApprove: true });
    const collaborators = await shop.collaborator('ada', { name: '=1+1', nickname: 'Ada, "the" first' });
    await post(`/v1/programs/${programs}/collaborators`, { collaboratorId: collaborators });
    await post('/v1/program-groups', { name: 'Group', rule: 'newest', programIds: [programs, await shop.program()] });
    await post('/v1/custom-events', { slug: 'trial', name: 'Trial' });
    const webhooks = await post('/v1/webhooks', { url: 'http://127.0.0.1:9/' });
    await service.request('POST', `/v1/webhooks/${webhooks}/test`, { key: service.secretKey });
    const stripe = await connectStripe(service);
    await stripe.send(checkoutCompleted({ mode: 'payment', payment_intent: 'pi_1', amount_total: 900 }));
    const visitor = await shop.visit('ada');
    await shop.sell('one', visitor, { items: [{ name: 'Mug', quantity: 2, amount: 5 }], total: 10 });
    await shop.lead(visitor);
    await service.settled();
    await openTill(service).runOne();
    ids = { programs, collaborators, webhooks, connectors: stripe.id };
    // Wait until each delivery was attempted once. Then pause the webhook, because a retry between two requests would
    // change the list.
    const deliveries = () => shop.get<{ attempts: number }[]>(`/v1/webhooks/${webhooks}/deliveries`);
    while ((await deliveries()).some(({ attempts }) => attempts === 0));
    await shop.change(`/v1/webhooks/${webhooks}`, { status: 'paused' });
  });
  after(() => service.stop());

  const csv = (path: string, accept = 'text/csv'): Promise<Reply> =>
    service.request('GET', path, { key: service.secretKey, headers: { accept } });

  it('has all rows of every list, and a column for each field', async () => {
    assert.ok(LISTS.length >= 20);
    for (const [name, { path }] of LISTS) {
      const days = path === '/v1/figures/collaborators' ? '?from=2026-01-01&until=2026-12-31&currency=USD' : '';
      const at = `${path.replace('{id}', String(ids[path.split('/')[2] ?? '']))}${days}`;
      const shown = await shop.get<Record<string, unknown>[]>(at);
      const { status, headers, text } = await csv(at);
      assert.equal(status, 200, name);
      assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
      assert.equal(headers.get('content-disposition'), `attachment; filename="${path.split('/').at(-1)}.csv"`);
      assert.match(headers.get('vary') ?? '', /\bAccept\b/);
      const [columns = [], ...rows] = readCsv(text);
      assert.equal(rows.length, shown.length, name);
      assert.ok(rows.every((row) => row.length === columns.length));
      for (const [n, row] of rows.entries()) {
        for (const [place, column] of columns.entries()) {
          assert.equal(row[place], cellOf(shown[n] ?? {}, column), `${name}: ${column}`);
        }
        // Each field of the JSON row has a column.
        for (const field of Object.keys(shown[n] ?? {}))
          assert.ok(
            columns.some((column) => column.split('.')[0] === field),
            `${name}: ${field}`,
          );
      }
    }
  });

  it('contains no formulas, and quotes cells that contain commas or quotation marks', async () => {
    const { text } = await csv('/v1/collaborators');
    assert.ok(text.includes(`,'=1+1,`));
    assert.ok(text.includes(`"Ada, ""the"" first"`));
  });

  it('neutralizes cells that begin like a formula, even after blanks or a quotation mark', async () => {
    const cells = new Map([
      ['=1+1', "'=1+1"],
      ['+1+1', "'+1+1"],
      ['-1+1', "'-1+1"],
      ['@SUM(1)', "'@SUM(1)"],
      ['\t=1', "'\t'=1"],
      ['\r=1', "'\r'=1"],
      [' =1', " '=1"],
      ['\n=1', "\n'=1"],
      ['\u00A0\u200B\uFEFF=1', "\u00A0\u200B\uFEFF'=1"],
      ['"=1"', '"\'=1"'],
    ]);
    for (const label of cells.keys())
      await service.request('POST', '/v1/api-keys', { key: service.secretKey, body: { label } });
    const found = new Set(readCsv((await csv('/v1/api-keys')).text).flat());
    for (const [label, safe] of cells) {
      assert.ok(!found.has(label), JSON.stringify(label));
      assert.ok(found.has(safe), JSON.stringify(safe));
    }
  });

  it('has no formulas even if a spreadsheet splits cells at semicolons', async () => {
    const labels = [
      "x;=cmd|'/C calc'!A0;y",
      'x; =1',
      'x;\u200B+1',
      'x;"=1"',
      'x\n@SUM(1)',
      'x;\uFF1D1',
      'x;;-1',
      'x;\u2800=1',
    ];
    for (const label of labels)
      await service.request('POST', '/v1/api-keys', { key: service.secretKey, body: { label } });
    const { text } = await csv('/v1/api-keys');
    // Split the text like a program that separates cells only at semicolons and line breaks.
    const cells = text.split(/[;\r\n]/).map((cell) => cell.replace(/^[\s"\u200B\u2800]+/, ''));
    assert.deepEqual(
      cells.filter((cell) => /^[=+@\uFF1D-]/.test(cell)),
      [],
    );
    for (const word of ['cmd', 'SUM(1)']) assert.ok(text.includes(word), 'the CSV has the label');
  });

  it('applies the filters and the sort of the list, and ignores the page', async () => {
    for (const name of ['Bo', 'Cy']) await shop.collaborator(name);
    const names = async (query: string) =>
      readCsv((await csv(`/v1/collaborators?${query}`)).text).map(([, name]) => name);
    assert.deepEqual(await names('sort=name&perPage=1&page=2'), ['name', `'=1+1`, 'Bo', 'Cy']);
    assert.deepEqual(await names('name=Bo'), ['name', 'Bo']);
    assert.deepEqual(await names('name=Nobody'), ['name']);
    assert.deepEqual(faultCodes(await csv('/v1/collaborators?nome=Bo')), { '/nome': 'unknown-parameter' });
  });

  it('with for=people has amounts in major units, and names beside ids', async () => {
    for (const [name, { path }] of LISTS) {
      const days = path === '/v1/figures/collaborators' ? '?from=2026-01-01&until=2026-12-31&currency=USD' : '';
      const at = `${path.replace('{id}', String(ids[path.split('/')[2] ?? '']))}${days}`;
      const [columns = [], ...rows] = readCsv((await csv(at)).text);
      const [forPeople = [], ...theirs] = readCsv((await csv(at, 'text/csv; for=people')).text);
      const more = ['collaborator', 'program'].filter((of) => columns.includes(`${of}Id`)).map((of) => `${of}Name`);
      assert.deepEqual(forPeople.toSorted(), [...new Set([...columns, ...more])].sort(), name);
      for (const [n, row] of rows.entries()) {
        for (const [place, column] of columns.entries()) {
          const cell = theirs[n]?.[forPeople.indexOf(column)];
          // Audit columns keep their JSON. All other composite values are shown in words.
          if (/^[[{]/.test(row[place] ?? '') && !AUDITED.has(column))
            assert.doesNotMatch(cell ?? '', /[[\]{}"]/, `${name}: ${column}`);
          else if (!AMOUNTS.has(column) || row[place] === '') assert.equal(cell, row[place], `${name}: ${column}`);
          else assert.equal(cell, (Number(row[place]) / 100).toFixed(2), `${name}: ${column}`);
        }
      }
    }
    const [head = [], earned = []] = readCsv((await csv('/v1/conversions?sort=id', 'text/csv;for=people')).text);
    const of = (column: string) => earned[head.indexOf(column)];
    assert.deepEqual([of('collaboratorName'), of('programName'), of('amount')], [`'=1+1`, 'Affiliates', '1.00']);
  });

  it('with for=people describes composite values in words, with amounts and currencies', async () => {
    const program = await shop.program({
      name: 'Of many terms',
      currency: 'EUR',
      reward: { type: 'per-product', amount: 250 },
      triggers: { 'site-visit': 1, 'coupon-applied': 5 },
      tiers: { period: 'month', by: 'sum', steps: [{ from: 10_000, reward: { type: 'percent', percent: 12.5 } }] },
      lineFilter: { include: [{ name: 'Mug*' }, { externalId: 'sku-7' }], exclude: [{ type: 'shipping' }] },
      collaboratorRewards: [{ collaboratorId: ids['collaborators'], reward: { type: 'per-sale', amount: 500 } }],
      pays: ['sale', 'renewal'],
      renewalRewards: [{ afterMonths: 12, reward: { type: 'percent', percent: 2 } }],
    });
    const steps = [{ from: 3, reward: { type: 'per-sale', amount: 700 } }];
    await shop.change(`/v1/programs/${program}`, { tiers: { period: 'month', by: 'count', steps } });
    await shop.refund('one');
    await service.settled();
    const cells = async (path: string, ...columns: readonly string[]) => {
      const [head = [], ...rows] = readCsv((await csv(path, 'text/csv; for=people')).text);
      return rows.map((row) => columns.map((column) => row[head.indexOf(column)]));
    };
    const terms = [
      'reward',
      'triggers',
      'lineFilter.include',
      'lineFilter.exclude',
      'collaboratorRewards',
      'renewalRewards',
    ];
    assert.deepEqual(await cells(`/v1/programs?ids=${program}`, ...terms), [
      [
        '2.50 EUR a unit',
        'site-visit: 1, coupon-applied: 5',
        'name: Mug*; externalId: sku-7',
        'type: shipping',
        `collaborator ${ids['collaborators']}: 5.00 EUR a sale`,
        'from month 12: 2%',
      ],
    ]);
    assert.deepEqual(await cells(`/v1/programs/${program}/versions?sort=version`, 'tiers.steps', 'pays'), [
      ['from 100.00 EUR: 12.5%', 'sale, renewal'],
      ['from 3: 7.00 EUR a sale', 'sale, renewal'],
    ]);
    await shop.sell('two', await shop.visit('ada'), {
      items: [
        { name: 'Mug', quantity: 2, amount: 5, externalId: 'sku-7' },
        { name: 'Post', amount: 4, type: 'shipping' },
        { name: 'Summer', amount: -1.5, type: 'discount' },
        { name: 'Card', quantity: 3, total: 10 },
      ],
      total: 12.5,
    });
    assert.deepEqual(await cells('/v1/transactions?externalId=two', 'lines'), [
      [
        '2 × Mug (sku-7) at 5.00 USD; 1 × Post (shipping) at 4.00 USD; 1 × Summer (discount) at -1.50 USD; 3 × Card for 10.00 USD',
      ],
    ]);
    assert.deepEqual(await cells(`/v1/collaborators?ids=${ids['collaborators']}`, 'aliases'), [['ada (tracking)']]);
    const [[reasons] = []] = await cells('/v1/payouts', 'review.reasons');
    assert.match(reasons ?? '', /^1\.00 USD of conversion \d+: refunded, open$/);
  });

  it('is returned only if Accept prefers it to JSON', async () => {
    const typeOf = async (accept: string) =>
      (await csv('/v1/programs', accept)).headers.get('content-type')?.split(';')[0];
    for (const accept of [
      '*/*',
      'application/json',
      'application/json, text/csv',
      'text/csv;q=0.5, application/json',
      'text/csv;q=0',
    ]) {
      assert.equal(await typeOf(accept), 'application/json', accept);
    }
    for (const accept of [
      'text/csv',
      'TEXT/CSV; charset=utf-8',
      'text/csv, */*;q=0.1',
      'text/csv, application/json;q=0.9',
    ]) {
      assert.equal(await typeOf(accept), 'text/csv', accept);
    }
  });

  it('has each of 2,501 rows exactly once in different sort orders, and is refused above 100,000 rows', async () => {
    // A pool without the time limit of statements.
    const database = openDatabase(service.databaseUrl);
    const insert = (count: number) =>
      database.query(
        `insert into custom_events (organization_id, slug, name)
         select min(id), 'e-' || gen_random_uuid(), 'Event' from organizations, generate_series(1, $1)  group by generate_series`,
        [count],
      );
    await insert(2_500);
    for (const sort of ['id', '-id', 'slug', '-createdAt']) {
      const [, ...rows] = readCsv((await csv(`/v1/custom-events?sort=${sort}`)).text);
      assert.equal(new Set(rows.map(([id]) => id)).size, 2_501, sort);
      assert.equal(rows.length, 2_501);
    }
    for (let n = 0; n < 10; n += 1) await insert(9_750);
    await database.end();
    const reply = await csv('/v1/custom-events');
    assert.equal(reply.status, 422);
    assert.deepEqual(faultCodes(reply), { '': 'too-many' });
  });

  it('a call for a single resource returns JSON even if CSV is requested', async () => {
    const reply = await csv(`/v1/collaborators/${ids['collaborators']}`);
    assert.equal(reply.headers.get('content-type'), 'application/json');
  });
});

/** Returns the expected text of a cell, from the JSON row. */
function cellOf(row: Readonly<Record<string, unknown>>, column: string): string {
  let value: unknown = row;
  for (const name of column.split('.')) value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[=+@\t\r-]/.test(text) && !/^-\d/.test(text) ? `'${text}` : text;
}
