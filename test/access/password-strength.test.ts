import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MAX_PASSWORD_LENGTH } from '#access/domain/person.ts';
import { findPasswordFault } from '#access/commands/password-strength.ts';
import { accept, invite, makePerson, PASSWORD } from '../support/people.ts';
import { faultCodes } from '../support/replies.ts';
import { startService, type TestService } from '../support/service.ts';

const GUESSABLE = [
  'Password123!',
  'welcome12345',
  'P@ssw0rd123',
  'Password123',
  '1234567890',
  '4815162342',
  'q1W2e3r4T5y6.',
  'Summer2026!',
  'hunter2hunter2',
  'iloveyou2026',
  'CorrectHorseBatteryStaple',
  'Lovelace-2026',
  'MyOrganization2026',
  'Passwort123!',
  'Welc0me@2026',
  'admin@2026!',
  'Willkommen1!',
  'Sommer2026!',
  'Winter2026!!',
  'Monday2026!',
  'Donnerstag2026!',
  'Owner2026!!',
  'Whence-2026-!',
  'Change-me-2026',
  '!QAZ2wsx#EDC',
  '1qaz@WSX3edc',
  'Blue-Heron-2026!',
  'BlueHeronTea2026!!',
  'seven quiet herons',
];
const STRONG = [
  PASSWORD,
  'wool lantern at sea',
  'purple-monkey-7',
  'whence from here',
  'xK9#mQ2vLp8w',
  'aK9$mQ2!xR',
  'correct lamp sofa tiger',
  'tin cup fog map',
  'lantern-orbit-salad-wagon',
  'partner river owner hat',
];
const OWNER = { email: 'ada.lovelace@mugs.example', organization: 'Blue Heron Tea' };

describe('the password check', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  for (const password of GUESSABLE) {
    it(`refuses guessable passwords: ${password}`, async () => {
      assert.notEqual(await findPasswordFault(password, OWNER), undefined);
    });
  }
  for (const password of STRONG) {
    it(`accepts strong passwords: ${password}`, async () => {
      assert.equal(await findPasswordFault(password, OWNER), undefined);
    });
  }

  it('POST /v1/invitations/accept: refuses a guessable password and keeps the link valid', async () => {
    const token = await invite(service, service.secretKey, 'viewer', 'ada@strength.example');
    const refused = await accept(service, token, 'ada@strength.example', 'P@ssw0rd123');
    assert.deepEqual(faultCodes(refused), { '/password': 'too-weak' });
    assert.equal((await accept(service, token, 'ada@strength.example')).status, 201);
  });

  it('POST /v1/account/password: refuses a guessable password', async () => {
    const bo = await makePerson(service, 'viewer', 'bo@strength.example');
    const body = { current: PASSWORD, password: 'welcome12345' };
    assert.deepEqual(faultCodes(await bo.call('POST', '/v1/account/password', body)), { '/password': 'too-weak' });
  });

  it('treats the organization’s name as a known word in password changes and accepted invitations', async () => {
    const organization = 'My organization';
    const own = 'My-Organization-26';
    assert.notEqual(await findPasswordFault(own, { ...OWNER, organization }), undefined);
    assert.equal(await findPasswordFault('Saltwater-Trombone-26', { ...OWNER, organization }), undefined);
    const cy = await makePerson(service, 'viewer', 'cy@strength.example');
    const token = await invite(service, service.secretKey, 'viewer', 'dee@strength.example');
    for (const reply of [
      await cy.call('POST', '/v1/account/password', { current: PASSWORD, password: own }),
      await accept(service, token, 'dee@strength.example', own),
    ])
      assert.deepEqual(faultCodes(reply), { '/password': 'too-weak' });
  });

  it('checks only the first 32 characters of a password of the maximum length', async () => {
    const hostile = '4aA@eE3iI1!oO0sS$5tT7+'.repeat(12).slice(0, MAX_PASSWORD_LENGTH);
    assert.equal(await findPasswordFault(hostile, OWNER), await findPasswordFault(hostile.slice(0, 32), OWNER));
  });
});
