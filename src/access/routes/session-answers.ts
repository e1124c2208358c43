import { faultAt, type Problem, problem } from '#core/contract/problem.ts';
import type { CollaboratorId, PersonId, SessionId } from '#core/ids.ts';
import type { Browser, LoggedIn } from '../commands/begin-session.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { type Answer, answer, type Visitor } from '#platform/http/handler.ts';
import type { SessionCookies } from '#platform/http/cookie-reader.ts';
import type { Auth } from '#core/auth.ts';

/** The dependencies that handlers for people and collaborators need in addition to the database. */
export type Site = {
  readonly secrets: SecretBox;
  readonly cookies: SessionCookies;
  /** Returns the public address of the service, without a trailing slash. */
  readonly publicUrl: () => string;
};

export function browserOf({
  auth: { token },
  header,
}: {
  readonly auth: Visitor;
  readonly header: (name: string) => string | undefined;
}): Browser {
  return { token, userAgent: header('user-agent') };
}

/**
 * Returns the calling person. Throws a TypeError for other callers. The HTTP layer refuses them before it calls the
 * handler of an account operation.
 */
export function personOf({ session }: Auth): { readonly personId: PersonId; readonly sessionId: SessionId } {
  if (session?.kind !== 'person') throw new TypeError('This call requires the session of a person.');
  return { personId: session.personId, sessionId: session.id };
}

/** The problem for a session that ended while its request was processed. */
export const SESSION_ENDED = problem('unauthenticated', 'This session has ended. Log in again.', {
  headers: { 'www-authenticate': 'Session' },
});

/**
 * Returns the calling collaborator. Throws a TypeError for other callers. The HTTP layer refuses them before it calls
 * the handler of a portal operation.
 */
export function collaboratorOf({ session }: Auth): {
  readonly collaboratorId: CollaboratorId;
  readonly sessionId: SessionId;
} {
  if (session?.kind !== 'collaborator') throw new TypeError('This call requires the session of a collaborator.');
  return { collaboratorId: session.collaboratorId, sessionId: session.id };
}

/** Returns a 201 with the session and its cookie. No other response contains the token. */
export function answerLoggedIn({ cookies, publicUrl }: Site, { token, session }: LoggedIn): Answer {
  const headers = { 'set-cookie': cookies.begin('person', token) };
  return answer(201, { ...session, publicUrl: publicUrl() }, { headers });
}

export function throttledProblem({ retryAfterSeconds }: { readonly retryAfterSeconds: number }): Problem {
  return problem('rate-limited', 'There were too many attempts. Retry after the number of seconds in Retry-After.', {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
}

/**
 * The problem for all wrong credentials. It is the same in each case, so that it doesn't reveal which part was wrong.
 */
export const WRONG_CREDENTIALS = problem(
  'wrong-credentials',
  'The email address, password or code is incorrect. Check them and try again.',
  {
    headers: { 'www-authenticate': 'Session' },
  },
);

export const LINK_EXPIRED = problem(
  'link-expired',
  'This link has expired, was used or revoked, or was replaced by a newer link. ' +
    'Ask the sender for another link, or request one on the login page.',
);

export function weakPasswordProblem(detail: string): Problem {
  return faultAt('/password', 'too-weak', detail);
}
