import { invalidRequest, type Problem, problem } from '#contract/problem.ts';
import type { CollaboratorId, PersonId, SessionId } from '#domain/ids.ts';
import type { Browser, LoggedIn } from '#operations/begin-session.ts';
import type { SecretBox } from '#store/secret-box.ts';
import type { Auth } from './authentication.ts';
import { type Answer, answer, type Visitor } from './handler.ts';
import type { SessionCookies } from './session-cookies.ts';

/** What calls of people and collaborators need beside the database. */
export type Site = {
  readonly secrets: SecretBox;
  readonly cookies: SessionCookies;
  /** Where people reach the service, without a slash at its end. */
  readonly publicUrl: () => string;
};

/** In which browser somebody logs in. */
export function browserOf({
  auth: { token },
  header,
}: {
  readonly auth: Visitor;
  readonly header: (name: string) => string | undefined;
}): Browser {
  return { token, userAgent: header('user-agent') };
}

/** The person who asks. The door lets nobody else to calls of the account. */
export function personOf({ session }: Auth): { readonly personId: PersonId; readonly sessionId: SessionId } {
  if (session?.kind !== 'person') throw new TypeError('this call is for sessions of people');
  return { personId: session.personId, sessionId: session.id };
}

/** The collaborator who asks. The door lets nobody else to calls of the portal. */
export function collaboratorOf({ session }: Auth): {
  readonly collaboratorId: CollaboratorId;
  readonly sessionId: SessionId;
} {
  if (session?.kind !== 'collaborator') throw new TypeError('this call is for sessions of collaborators');
  return { collaboratorId: session.collaboratorId, sessionId: session.id };
}

/** 201 with the session and its cookie: the only answer that has the token. */
export function answerLoggedIn({ cookies, publicUrl }: Site, { token, session }: LoggedIn): Answer {
  const headers = { 'set-cookie': cookies.begin('person', token) };
  return answer(201, { ...session, publicUrl: publicUrl() }, { headers });
}

export function throttled({ retryAfterSeconds }: { readonly retryAfterSeconds: number }): Problem {
  return problem('rate-limited', 'This was tried too often of late: wait the seconds that Retry-After says.', {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
}

/** One for all that can be wrong: which it was is nobody's business. */
export const WRONG_CREDENTIALS = problem('wrong-credentials', 'Address, password or code are not right.', {
  headers: { 'www-authenticate': 'Session' },
});

export const LINK_EXPIRED = problem(
  'link-expired',
  'This link was used, is over, or was followed by a newer one: ask for another.',
);

export function faultAt(pointer: string, code: string, detail: string): Problem {
  return invalidRequest([{ pointer, code, detail }]);
}

export function weakPassword(detail: string): Problem {
  return faultAt('/password', 'too-weak', detail);
}
