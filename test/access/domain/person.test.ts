import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  addressOf,
  leavesNoOwner,
  mailboxOf,
  passwordFault,
  rolesToInvite,
  rolesWith,
  scopesOf,
} from '#access/domain/person.ts';
import { ROLES, SCOPES } from '#core/caller.ts';

describe('roles', () => {
  it('have fixed scopes: all for owners, fewer for managers, read-only for viewers', () => {
    assert.deepEqual(
      ROLES.map((role) => [role, scopesOf(role)]),
      [
        ['owner', SCOPES],
        ['manager', ['events:write', 'resources:read', 'resources:write']],
        ['viewer', ['resources:read']],
      ],
    );
  });

  it('allow invitations only if they include people:write, and only to roles with no further scopes', () => {
    assert.deepEqual(
      ROLES.map((role) => rolesToInvite(scopesOf(role))),
      [['owner', 'manager', 'viewer'], [], []],
    );
    assert.deepEqual(rolesToInvite(['people:write', 'resources:read']), ['viewer']);
  });

  it('rolesWith: returns every role that includes a scope', () => {
    assert.deepEqual(rolesWith('resources:write'), ['owner', 'manager']);
    assert.deepEqual(rolesWith('keys:write'), ['owner']);
  });

  it('include every scope of the roles below them', () => {
    for (const [at, role] of ROLES.entries()) {
      for (const lower of ROLES.slice(at)) {
        assert.ok(
          scopesOf(lower).every((scope) => scopesOf(role).includes(scope)),
          `${role} ${lower}`,
        );
      }
    }
  });

  const changes: readonly (readonly [number[], number, 'owner' | 'viewer' | 'removed', boolean])[] = [
    [[1], 1, 'viewer', true],
    [[1], 1, 'removed', true],
    [[1], 1, 'owner', false],
    [[1, 2], 1, 'removed', false],
    [[1], 2, 'removed', false],
    [[], 2, 'viewer', false],
  ];
  for (const [owners, person, becomes, leaves] of changes)
    it(`leavesNoOwner: is ${leaves} if the owners are [${owners.join(', ')}] and person ${person} changes to ${becomes}`, () =>
      assert.equal(leavesNoOwner(owners, person, becomes), leaves));
});

it('addressOf: maps different spellings of one email address to the same text', () => {
  assert.equal(addressOf(' Ada@Mugs.EXAMPLE '), 'ada@mugs.example');
  assert.equal(addressOf('e\u0301@x.example'), addressOf('é@x.example'));
});

it('mailboxOf: removes the tag, a quoted local part, the final dot and Gmail’s dots, and converts the domain to ASCII', () => {
  for (const [address, mailbox] of [
    [' Ada+Shop@Mugs.example', 'ada@mugs.example'],
    ['ada+a+b@mugs.example', 'ada@mugs.example'],
    ['ada@mugs.example', 'ada@mugs.example'],
    ['ada@mugs.example.', 'ada@mugs.example'],
    ['+ada@mugs.example', '@mugs.example'],
    ['"ada"@mugs.example', '@mugs.example'],
    ['"a\\da"@mugs.example', '@mugs.example'],
    ["o'brien@mugs.example", "o'brien@mugs.example"],
    ['ada@MU\u00ADGS.example', 'ada@mugs.example'],
    ['ada@ｍugs。example', 'ada@mugs.example'],
    ['a.da@gmail.com。', 'ada@gmail.com'],
    ['हिन्दी@mugs.example', 'हिन्दी@mugs.example'],
    ['ada@müller.example', 'ada@xn--mller-kva.example'],
    ['ada@[10.0.0.1]', 'ada@[10.0.0.1]'],
    ['jörg.müller@mugs.example', 'jörg.müller@mugs.example'],
    ['ada@mugs+more.example', 'ada@mugs+more.example'],
    ['a.d.a+shop@GoogleMail.com', 'ada@gmail.com'],
  ] as const)
    assert.equal(mailboxOf(address), mailbox);
});

describe('passwordFault: refuses passwords that attackers would try early', () => {
  for (const [password, fault] of [
    ['copper kettle under snow', undefined],
    ['aaaaaaaaaa', /too few/],
    ['ababababab', /too few/],
    ['ada.lovelace@mugs.example', /your email address/],
    ['ADA.lovelace', /your email address/],
    ['lovelace2026!', /your email address/],
    ['mugs-Lovelace-1', /your email address/],
    ['Whence-2026', /the service’s name/],
    ['BlueHeronTea2026', /your organization/],
    ['blue-heron-tea-26', /your organization/],
    ['blue Heron 26', /your organization/],
    ['whence from here', undefined],
    ['blue heron at dawn', undefined],
    ['seven quiet herons', /documentation/],
    ['Nine-Loud-Herons-1', /documentation/],
    ['CorrectHorseBatteryStaple', /documentation/],
    ['ada.lovelace and more', undefined],
  ] as const) {
    it(`“${password}” is ${fault === undefined ? 'accepted' : 'refused'}`, () => {
      const found = passwordFault(password, { email: 'Ada.Lovelace@mugs.example', organization: 'Blue Heron Tea' });
      if (fault === undefined) assert.equal(found, undefined);
      else assert.match(found ?? '', fault);
    });
  }
});
