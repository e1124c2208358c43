import assert from 'node:assert/strict';
import { it } from 'node:test';
import { decideSignUp, modeFor, signUpStatus } from '#portal/domain/sign-up.ts';

const DECISIONS = [
  ['open', undefined, false, { kind: 'created', status: 'active', enrolls: true }],
  ['approval', undefined, false, { kind: 'created', status: 'pending', enrolls: true }],
  ['approval', undefined, true, { kind: 'created', status: 'active', enrolls: true }],
  ['closed', undefined, false, { kind: 'closed' }],
  ['closed', undefined, true, { kind: 'created', status: 'active', enrolls: true }],
  ['open', 'active', false, { kind: 'added', enrolls: true, activates: false }],
  ['approval', 'active', false, { kind: 'added', enrolls: false, activates: false }],
  ['approval', 'active', true, { kind: 'added', enrolls: true, activates: false }],
  ['closed', 'active', false, { kind: 'closed' }],
  ['open', 'pending', false, { kind: 'added', enrolls: true, activates: false }],
  ['approval', 'pending', false, { kind: 'added', enrolls: true, activates: false }],
  ['closed', 'pending', true, { kind: 'added', enrolls: true, activates: true }],
  ['open', 'inactive', false, { kind: 'turned-away' }],
  ['open', 'rejected', true, { kind: 'turned-away' }],
  ['closed', 'deleted', false, { kind: 'turned-away' }],
] as const;

for (const [mode, known, isInvited, decision] of DECISIONS) {
  const how = isInvited ? 'with an invitation' : 'without an invitation';
  it(`decideSignUp: in ${mode} mode, ${how}, the decision on a collaborator who is ${known ?? 'unknown'} is ${JSON.stringify(decision)}`, () => {
    assert.deepEqual(decideSignUp(mode, known, { isInvited, isSuspicious: false }), decision);
  });
}

const SUSPICIOUS = [
  ['open', undefined, false, { kind: 'created', status: 'pending', enrolls: true }],
  ['closed', undefined, true, { kind: 'created', status: 'pending', enrolls: true }],
  ['open', 'active', false, { kind: 'added', enrolls: false, activates: false }],
  ['closed', 'pending', true, { kind: 'added', enrolls: true, activates: false }],
  ['closed', 'active', true, { kind: 'added', enrolls: false, activates: false }],
  ['closed', undefined, false, { kind: 'closed' }],
  ['open', 'rejected', false, { kind: 'turned-away' }],
] as const;

for (const [mode, known, isInvited, decision] of SUSPICIOUS) {
  const how = isInvited ? 'with an invitation' : 'without an invitation';
  it(`decideSignUp: in ${mode} mode, ${how} and with a fraud signal, the decision on a collaborator who is ${known ?? 'unknown'} is ${JSON.stringify(decision)}`, () => {
    assert.deepEqual(decideSignUp(mode, known, { isInvited, isSuspicious: true }), decision);
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
