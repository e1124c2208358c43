import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { replaySales } from '#attribution/reactions/replay-sales.ts';
import { verify } from '#verify/verify.ts';
import { openTill, TAX_DETAILS } from '../support/payouts.ts';
import { openMailbox, openPortal } from '../support/portal.ts';
import { problemCode } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, type Shop } from '../support/shop.ts';

const NAME = 'Augusta Lovelace';
const EMAIL = 'augusta@lovelace.example';
const CODE = 'augusta-l';
const USER = 710_001;
const IBAN = 'DE89370400440532013000';
/** Texts and numbers that identify the collaborator Augusta. */
const IDENTIFYING_VALUES = [
  NAME,
  EMAIL,
  'Gussie',
  CODE,
  String(USER),
  IBAN,
  'On my blog',
  'Ada King',
  'tea-lover',
  'Met at a fair',
  '36574261809',
  'Torstraße 1',
];

describe('personal data of a collaborator', () => {
  let service: TestService;
  let shop: Shop;
  let augusta: number;
  before(async () => {
    service = await startService();
    shop = openShop(service);
    const program = await shop.program();
    await shop.change(`/v1/programs/${program}/sign-up`, { mode: 'open' });
    augusta = await shop.collaborator(CODE, { name: NAME, email: EMAIL, nickname: 'Gussie', userId: USER });
    await shop.change(`/v1/collaborators/${augusta}`, { name: 'Ada King', tags: ['tea-lover'] });
    await service.request('POST', `/v1/collaborators/${augusta}/notes`, {
      key: key(),
      body: { text: 'Met at a fair' },
    });
    const portal = await openPortal(service, await openMailbox(service), 'mugs', service.secretKey);
    const page = await portal.enter(EMAIL);
    await page.must('PATCH', '/v1/portal/account', {
      name: NAME,
      payoutDetails: { method: 'iban', holder: NAME, account: IBAN },
    });
    await shop.change(`/v1/collaborators/${augusta}/tax-details`, { taxDetails: TAX_DETAILS });
    await service.database.query(
      `insert into sign_ups (organization_id, collaborator_id, program_id, answers)
       values (1, $1, $2, '[{"label": "Where?", "value": "On my blog"}]')`,
      [augusta, program],
    );
  });
  after(() => service.stop());

  const key = (): string => service.secretKey;
  const erase = (collaboratorId: number, withKey = key()) =>
    service.request('POST', '/v1/collaborators/erase', { key: withKey, body: { collaboratorId } });
  const exported = (id: number, withKey = key()) =>
    service.request('GET', `/v1/collaborators/${id}/export`, { key: withKey });

  /** Returns where IDENTIFYING_VALUES are stored in plain text, and which account tables still have rows of Augusta. */
  async function findLeftovers(): Promise<string[]> {
    const { rows: tables } = await service.database.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await service.database.query<{ word: string }>(
        `select w.word from unnest($1::text[]) w (word) where exists (
           select from ${name} t where position(lower(w.word) in lower(t::text)) > 0)`,
        [IDENTIFYING_VALUES],
      );
      found.push(...rows.map(({ word }) => `${name}: ${word}`));
    }
    for (const table of [
      'payout_details',
      'tax_details',
      'sessions',
      'passkeys',
      'sign_ups',
      'collaborator_notes',
      'entry_links',
    ]) {
      const { rowCount } = await service.database.query(`select from ${table} where collaborator_id = $1`, [augusta]);
      if ((rowCount ?? 0) > 0) found.push(table);
    }
    return found;
  }

  it('is exported in full in one response, and the export is in the audit log', async () => {
    const reply = await exported(augusta);
    assert.equal(reply.status, 200, reply.text);
    for (const word of IDENTIFYING_VALUES) assert.ok(reply.text.includes(word), word);
    const data = reply.body as {
      payoutDetails: { account: string };
      sessions: unknown[];
      changes: { operation: string }[];
    };
    assert.equal(data.payoutDetails.account, IBAN);
    assert.equal(data.sessions.length, 1);
    assert.deepEqual(
      data.changes.map(({ operation }) => operation),
      ['createCollaborator', 'changeCollaborator', 'addCollaboratorNote', 'changePortalAccount', 'changeTaxDetails'],
    );
    const [entry] = await shop.get<{ operation: string; after: unknown }[]>('/v1/audit-entries?perPage=1');
    assert.deepEqual([entry?.operation, entry?.after], ['exportCollaborator', null]);
  });

  it('can’t be erased while an obligation is a draft, payable, or in an unpaid payout', async () => {
    const till = openTill(service);
    await shop.sell('owed', await shop.visit(CODE));
    const [conversion] = await shop.earned('owed');
    const owed = async (why: string) => assert.equal(problemCode(await erase(augusta)), 'still-owed', why);
    await owed('a draft');
    await service.request('POST', `/v1/conversions/${conversion?.id}/approve`, { key: key() });
    await owed('payable');
    const [payout] = await till.payoutsOf(await till.runOne());
    await owed('in a payout');
    assert.equal((await shop.get<{ name: string }>(`/v1/collaborators/${augusta}`)).name, NAME, 'nothing is erased');
    await till.mark(payout?.id ?? 0, 'paid');
  });

  it('is erased everywhere, without effect on balances, invariants and decisions', async () => {
    // The collaborator’s own order earns nothing, because it is a self-referral.
    const own = await shop.visit(CODE);
    await shop.visit(CODE, { oid: own, userId: USER });
    await shop.sell('own', own);
    assert.deepEqual(await shop.earned('own'), []);
    const balance = await shop.get(`/v1/collaborators/${augusta}/balance`);
    assert.ok((await findLeftovers()).length > IDENTIFYING_VALUES.length);

    const reply = await erase(augusta);
    assert.equal(reply.status, 200, reply.text);
    assert.partialDeepStrictEqual(reply.body, {
      id: augusta,
      name: 'Erased',
      email: null,
      nickname: null,
      userId: null,
      fraudReview: 'signals',
      status: 'deleted',
      aliases: [],
    });
    assert.deepEqual(await findLeftovers(), []);
    assert.deepEqual(await shop.get(`/v1/collaborators/${augusta}/balance`), balance);
    assert.deepEqual((await verify(service.database)).breaches, []);
    const { differences, leftOut } = await replaySales(service.database);
    assert.deepEqual([differences, leftOut], [[], 0]);
    const { candidates } = await shop.explain('own');
    assert.deepEqual(
      candidates.map(({ reason }) => reason),
      ['self-referral'],
    );
  });

  it('is erased from the audit log, which keeps the operation, author and id', async () => {
    const [change] = await shop.get<{ author: string; operation: string; request: object; before: object }[]>(
      `/v1/audit-entries?path=${encodeURIComponent(`/v1/collaborators/${augusta}`)}&sort=id`,
    );
    assert.equal(change?.operation, 'changeCollaborator');
    assert.match(change?.author ?? '', /^key \d+$/);
    assert.deepEqual(change?.request, { name: '(erased)', tags: '(erased)' });
    assert.partialDeepStrictEqual(change?.before, {
      id: augusta,
      name: '(erased)',
      email: '(erased)',
      status: 'active',
    });
    const [entry] = await shop.get<{ operation: string; request: object; after: { name: string } }[]>(
      '/v1/audit-entries?operation=eraseCollaborator',
    );
    assert.deepEqual([entry?.request, entry?.after.name], [{ collaboratorId: augusta }, 'Erased']);
  });

  it('can be erased only by its organization, and a repeated erasure changes nothing', async () => {
    const version = await shop.get<{ updatedAt: string }>(`/v1/collaborators/${augusta}`);
    assert.deepEqual((await erase(augusta)).body, version);
    assert.equal(problemCode(await erase(8_999_999)), 'not-found');
    const theirs = await service.foundOrganization('Other');
    const bo = await shop.collaborator('bo', { name: 'Bo' });
    assert.equal(problemCode(await erase(bo, theirs)), 'not-found');
    assert.equal((await exported(bo, theirs)).status, 404);
    assert.equal((await shop.get<{ name: string }>(`/v1/collaborators/${bo}`)).name, 'Bo');
  });

  it('can’t be exported or erased with a read-only key', async () => {
    const made = await service.request('POST', '/v1/api-keys', {
      key: key(),
      body: { label: 'R', scopes: ['resources:read'] },
    });
    const { rawKey } = made.body as { rawKey: string };
    assert.equal(problemCode(await exported(augusta, rawKey)), 'scope-required');
    assert.equal(problemCode(await erase(augusta, rawKey)), 'scope-required');
  });
});

describe('the audit log', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startService();
    shop = openShop(service);
  });
  after(() => service.stop());

  it('allows no change except the erasure of personal values in the erasing transaction', async () => {
    const id = await shop.collaborator('ada', { name: 'Ada' });
    const { database } = service;
    const refused = { code: '23001', message: 'audit_entries is append-only' };
    const begun = `insert into erasures (organization_id, collaborator_id, author) values (1, ${id}, 'key 1');`;
    const emptied = `update audit_entries set request = without_personal_values(request),
      before = without_personal_values(before), after = without_personal_values(after)`;
    for (const statement of [
      emptied,
      `${begun} update audit_entries set author = 'nobody'`,
      `${begun} ${emptied}, at = now()`,
      `${begun} update audit_entries set request = '{"name":"Eve"}', after = without_personal_values(after)`,
      `${begun} update audit_entries set after = null`,
      `${begun} delete from audit_entries`,
      `${begun} truncate audit_entries`,
    ])
      await assert.rejects(database.query(statement), refused, statement);
    await database.query(`begin; ${begun} ${emptied} where operation = 'createCollaborator'; rollback`);
  });

  it('drops a whole body if its values can’t be erased one by one', async () => {
    const of = async (json: string | null): Promise<unknown> =>
      (await service.database.query<{ left: unknown }>('select without_personal_values($1::json) as left', [json]))
        .rows[0]?.left;
    assert.deepEqual(await of('{"name":"Ada","id":7,"status":"active","aliases":[{"code":"ada"}],"email":null}'), {
      name: '(erased)',
      id: 7,
      status: 'active',
      aliases: '(erased)',
      email: null,
    });
    assert.deepEqual(await of('{"status":{"name":"Ada"}}'), { status: '(erased)' });
    for (const whole of [String.raw`{"\u0000":"Ada"}`, '["Ada"]', '"Ada"', '{}', null])
      assert.equal(await of(whole), null);
    const { rows } = await service.database.query<{ same: boolean }>(
      `select without_personal_values(once)::text = once::text as same
       from without_personal_values('{"name":"Ada","id":7}') once`,
    );
    assert.equal(rows[0]?.same, true, 'a second call changes nothing');
  });
});
