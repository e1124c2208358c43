import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TimeoutError } from '#sdk/errors.ts';
import { repeatedAfterLogin } from '#web/ui/shell/repeated-after-login.ts';

/** Refuses the first call, and answers each further call unless its signal has aborted. */
function serviceWithOldLogin() {
  const signals: (AbortSignal | null | undefined)[] = [];
  const send = async (_: string, { signal }: RequestInit): Promise<Response> => {
    signals.push(signal);
    if (signals.length === 1) return Response.json({ code: 'log-in-too-old' }, { status: 403 });
    signal?.throwIfAborted();
    return Response.json({});
  };
  return { send, signals };
}

describe('repeatedAfterLogin', () => {
  it('aborts the repeated call if its caller aborts it during the login or later', async () => {
    for (const isLate of [false, true]) {
      const { send, signals } = serviceWithOldLogin();
      const caller = new AbortController();
      const logIn = async () => {
        if (!isLate) caller.abort(new Error('left'));
        return true;
      };
      const call = repeatedAfterLogin(send, logIn)('/v1/keys', { signal: caller.signal });
      if (isLate) {
        assert.equal((await call).status, 200);
        caller.abort(new Error('left'));
      } else await assert.rejects(call, /left/);
      assert.equal(signals[1]?.aborted, true);
    }
  });

  it('repeats the call if its time limit expired during the login', async () => {
    const { send } = serviceWithOldLogin();
    const limit = new AbortController();
    const logIn = async () => {
      limit.abort(new TimeoutError({ code: 'timed-out', detail: '' }));
      return true;
    };
    const response = await repeatedAfterLogin(send, logIn)('/v1/keys', { signal: limit.signal });
    assert.equal(response.status, 200);
  });

  it('returns the refusal if the user dismisses the login', async () => {
    const { send } = serviceWithOldLogin();
    const response = await repeatedAfterLogin(send, async () => false)('/v1/keys', {});
    assert.deepEqual([response.status, await response.json()], [403, { code: 'log-in-too-old' }]);
  });
});
