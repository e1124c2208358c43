import assert from 'node:assert/strict';
import { it } from 'node:test';
import { decideSignUp, modeFor, signUpStatus } from '#portal/domain/sign-up.ts';

const DECISIONS = [
  ['open', undefined, { kind: 'created', status: 'active', enrolls: true }],
  ['approval', undefined, { kind: 'created', status: 'pending', enrolls: true }],
  ['closed', undefined, { kind: 'closed' }],
  ['open', 'active', { kind: 'added', enrolls: true }],
  ['approval', 'active', { kind: 'added', enrolls: false }],
  ['closed', 'active', { kind: 'closed' }],
  ['open', 'pending', { kind: 'added', enrolls: true }],
  ['approval', 'pending', { kind: 'added', enrolls: true }],
  ['open', 'inactive', { kind: 'turned-away' }],
  ['open', 'rejected', { kind: 'turned-away' }],
  ['closed', 'deleted', { kind: 'turned-away' }],
] as const;

for (const [mode, known, decision] of DECISIONS) {
  it(`decideSignUp: in ${mode} mode, the decision on a collaborator who is ${known ?? 'unknown'} is ${JSON.stringify(decision)}`, () => {
    assert.deepEqual(decideSignUp(mode, known), decision);
  });
}

const ADDRESSES = [
  ['approval', 'ada@agency.example', 'open'],
  ['approval', 'ada@AGENCY.example', 'open'],
  ['approval', 'ada@sub.agency.example', 'approval'],
  ['approval', 'ada@other-agency.example', 'approval'],
  ['approval', 'agency.example@other.example', 'approval'],
  ['approval', 'ada@agency.example.', 'approval'],
  ['approval', 'ada@agency.example#.other.example', 'approval'],
  ['approval', 'ada@ａgency.example', 'approval'],
  ['closed', 'ada@agency.example', 'closed'],
  ['open', 'ada@other.example', 'open'],
] as const;

for (const [mode, email, applied] of ADDRESSES) {
  it(`modeFor: in ${mode} mode, the mode for ${email} is ${applied} if agency.example is accepted`, () => {
    assert.equal(modeFor(mode, ['first.example', 'agency.example'], email), applied);
  });
}

const STANDS = [
  ['pending', true, 'waiting'],
  ['active', false, 'waiting'],
  ['active', true, 'accepted'],
  ['inactive', true, 'accepted'],
  ['rejected', true, 'turned-away'],
  ['deleted', false, 'turned-away'],
] as const;

for (const [collaborator, mayEarn, status] of STANDS) {
  it(`signUpStatus: the sign-up of a collaborator who is ${collaborator} and can${mayEarn ? '' : 'not'} earn is ${status}`, () => {
    assert.equal(signUpStatus(collaborator, mayEarn), status);
  });
}
