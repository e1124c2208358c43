import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SCOPES } from '#domain/api-key.ts';
import { addressOf, leavesNoOwner, passwordFault, ROLES, scopesOf } from '#domain/person.ts';

describe('roles', () => {
  it('may do what the scopes of a key let it do', () => {
    assert.deepEqual(
      ROLES.map((role) => [role, scopesOf(role)]),
      [
        ['owner', SCOPES],
        ['manager', ['events:write', 'resources:read', 'resources:write']],
        ['viewer', ['resources:read']],
      ],
    );
  });

  it('may each do what those below may', () => {
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
    it(`with the owners ${owners.join(' and ') || 'nobody'}: ${person} becomes ${becomes}`, () =>
      assert.equal(leavesNoOwner(owners, person, becomes), leaves));
});

it('two ways to write an address are one', () => {
  assert.equal(addressOf(' Ada@Mugs.EXAMPLE '), 'ada@mugs.example');
  assert.equal(addressOf('e\u0301@x.example'), addressOf('é@x.example'));
});

describe('a password', () => {
  for (const [password, fault] of [
    ['seven quiet herons', undefined],
    ['1234567890', /tried first/],
    ['Password123', /tried first/],
    ['aaaaaaaaaa', /too few/],
    ['ababababab', /too few/],
    ['4815162342', /tried first/],
    ['CorrectHorseBatteryStaple', /tried first/],
    ['q1W2e3r4T5y6', /tried first/],
    ['q1W2e3r4T5y6.', undefined],
    ['ada.lovelace@mugs.example', /your address/],
    ['ADA.lovelace', /your address/],
    ['lovelace2026!', /your address/],
    ['mugs-Lovelace-1', /your address/],
    ['Whence-2026', /name of the service/],
    ['whence from here', undefined],
    ['ada.lovelace and more', undefined],
  ] as const) {
    it(`“${password}” is ${fault === undefined ? 'taken' : 'refused'}`, () => {
      const found = passwordFault(password, 'Ada.Lovelace@mugs.example');
      if (fault === undefined) assert.equal(found, undefined);
      else assert.match(found ?? '', fault);
    });
  }
});
