import * as fc from 'fast-check';
import { type Attempt, bytesOf } from './attempt.ts';
import type { Credential } from './credential.ts';
import {
  HOSTILE_BODIES,
  HOSTILE_HEADERS,
  HOSTILE_NUMBERS,
  HOSTILE_PATH_PARTS,
  HOSTILE_TEXTS,
  OTHER_METHODS,
} from './hostile.ts';
import type { Call, Interface, Parameter } from './interface.ts';
import { jsonText, type Known, resolveKnown, type Written } from './json-text.ts';
import { idNameOf, type Memory } from './memory.ts';
import { chance, isPresent, maybe, type Style, valuesOf } from './values.ts';

/** A request whose credential and known values are chosen when it is sent. */
export type Draft = {
  readonly call: Call;
  readonly isOtherCredential: boolean;
  readonly nthCredential: number;
  /** The parameters that are sent, with their values. */
  readonly values: readonly (readonly [Parameter, Written])[];
  readonly body: Written | undefined;
  /** Changes that can make the request invalid. */
  readonly spoils: readonly Spoil[];
};

type Spoil = (attempt: Attempt, credentials: readonly Credential[]) => Attempt;

/** The known values and the credentials from which a draft is completed. */
export type Knowledge = {
  readonly memory: Memory;
  /** Values of another organization. None of its data may be reachable. */
  readonly foreign: Memory;
  readonly credentials: readonly Credential[];
};

const OTHER_CREDENTIAL = 0.25;
const GIVEN = 0.2;
/**
 * Calls that are sent rarely. Some hash a password, which takes as long as a hundred other calls. Others delete or
 * change data that further calls need.
 */
const SELDOM = new Set(
  `openSession acceptInvitation resetPassword changePassword requestPasswordReset closeSession endSession revokeApiKey
   rotateApiKey changeApiKey removePerson changePerson closePortalSession changePortalSettings deleteCollaborator
   deleteProgram moveCollaborators`.split(/\s+/),
);

/** Generates requests that the document allows, requests at or beyond its limits, and requests with an invalid part. */
export function draftsOf({ calls, resolve }: Pick<Interface, 'calls' | 'resolve'>): fc.Arbitrary<Draft> {
  const all = calls.flatMap((call) => {
    const frequency = SELDOM.has(call.id) ? 1 : 10;
    return [
      { weight: 9 * frequency, arbitrary: draftsOfCall(call, { resolve, edges: 0, hostile: 0 }) },
      { weight: 4 * frequency, arbitrary: draftsOfCall(call, { resolve, edges: 0.2, hostile: 0 }) },
      { weight: 7 * frequency, arbitrary: draftsOfCall(call, { resolve, edges: 0.1, hostile: 0.05 }) },
    ];
  });
  return fc.oneof(...all);
}

/** Generates requests for a call. A failing request shrinks to fewer parameters, members and changes. */
export function draftsOfCall(call: Call, style: Style): fc.Arbitrary<Draft> {
  const values = call.parameters.map((parameter) => {
    const { name, schema, required } = parameter;
    const isAlways = parameter.in === 'path' || required === true;
    const paired = valuesOf(style, schema, nameOf(call, parameter)).map((value): Draft['values'][number] => [
      parameter,
      value,
    ]);
    return name === '' ? paired : maybe(isAlways ? 1 : GIVEN, paired);
  });
  return fc
    .tuple(
      chance(OTHER_CREDENTIAL),
      fc.nat(99),
      fc.tuple(...values),
      call.body === undefined ? fc.constant(undefined) : valuesOf(style, call.body),
      fc.array(SPOILS, { maxLength: style.hostile === 0 ? 0 : 2 }),
    )
    .map(([isOtherCredential, nthCredential, values, body, spoils]) => {
      return { call, isOtherCredential, nthCredential, values: values.filter(isPresent), body, spoils };
    });
}

/** Returns the name under which responses show values of a parameter: `programId` for the id in `/programs/{id}`. */
function nameOf({ path }: Call, parameter: Parameter): string {
  const noun = /([\w-]+)\/\{id\}/.exec(path)?.[1];
  return parameter.in === 'path' && parameter.name === 'id' && noun !== undefined ? idNameOf(noun) : parameter.name;
}

/**
 * Returns the request of a draft, with a credential and known values. Most requests get a credential with access to the
 * call. Otherwise almost all requests would be refused.
 */
export function attemptOf(draft: Draft, { memory, foreign, credentials }: Knowledge): Attempt {
  const { call, isOtherCredential, nthCredential, body, spoils } = draft;
  const find = ({ name, kind, nth, isForeign }: Known): string | number | undefined => {
    const found = (isForeign ? foreign : memory).at(name, nth);
    // Use only the foreign organization's numbers, not its texts. If the caller sent these texts, the caller's own data
    // would contain them, as if the service had leaked them.
    return typeof found === 'number' || (kind === 'text' && !isForeign) ? found : undefined;
  };
  const entitled = credentials.filter(({ scheme, scopes }) =>
    call.security.some((door) => door[scheme]?.every((scope) => scopes.includes(scope))),
  );
  const choice = isOtherCredential || entitled.length === 0 ? credentials : entitled;
  const texts = draft.values.map(([parameter, value]) => [parameter, plainText(resolveKnown(value, find))] as const);
  const of = (where: Parameter['in']) =>
    texts.filter(([parameter]) => parameter.in === where).map(([{ name }, text]) => [name, text] as const);
  const path = of('path').reduce(
    (path, [name, text]) => path.replace(`{${name}}`, encodeURIComponent(text.toWellFormed())),
    call.path,
  );
  const attempt: Attempt = {
    credential: choice[nthCredential % choice.length] as Credential,
    method: call.method,
    path,
    query: of('query'),
    headers: Object.fromEntries(of('header').filter(([, text]) => isHeaderText(text))),
    body: body === undefined ? { kind: 'none' } : { kind: 'value', value: resolveKnown(body, find) },
  };
  const spoilt = spoils.reduce((spoilt, spoil) => spoil(spoilt, credentials), attempt);
  // With a body, these methods get a 400 before the call is known.
  return WITHOUT_BODY.has(spoilt.method) ? { ...spoilt, body: { kind: 'none' } } : spoilt;
}

const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

function plainText(value: Written): string {
  return typeof value === 'string' ? value : jsonText(value);
}

/** Returns whether a client can send the text as a header value. */
function isHeaderText(text: string): boolean {
  return /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(text) && text.length < 8_000;
}

const QUERY_NAMES = ['unknown', 'perPage', 'page', 'sort', 'ids', 'after', 'id', 'createdFrom', 'toString'];
const QUERY_VALUES = [...HOSTILE_TEXTS, ...HOSTILE_NUMBERS].map((text) => text.slice(0, 3_000));

const SPOILS: fc.Arbitrary<Spoil> = fc.oneof(
  fc
    .constantFrom(...HOSTILE_HEADERS)
    .map((more): Spoil => (attempt) => ({ ...attempt, headers: { ...attempt.headers, ...more } })),
  fc.constantFrom(...OTHER_METHODS).map((method): Spoil => (attempt) => ({ ...attempt, method })),
  fc.nat(99).map((nth): Spoil => (attempt, all) => ({ ...attempt, credential: all[nth % all.length] as Credential })),
  fc.tuple(fc.nat(9), fc.nat(4), fc.constantFrom(...HOSTILE_PATH_PARTS)).map(([at, how, part]): Spoil => (attempt) => {
    return { ...attempt, path: otherPath(attempt.path, at, how, part) };
  }),
  fc.tuple(fc.constantFrom(...QUERY_NAMES), fc.constantFrom(...QUERY_VALUES)).map((pair): Spoil => (attempt) => {
    return { ...attempt, query: [...attempt.query, pair] };
  }),
  fc.constant<Spoil>((attempt) => ({ ...attempt, query: [...attempt.query, ...attempt.query] })),
  fc
    .constantFrom(...HOSTILE_BODIES)
    .map((bytes): Spoil => (attempt) => ({ ...attempt, body: { kind: 'bytes', bytes } })),
  fc.constant<Spoil>((attempt) => ({ ...attempt, body: { kind: 'none' } })),
  fc.tuple(fc.nat(9_999), fc.nat(1), fc.uint8Array({ maxLength: 1 })).map(([at, cut, more]): Spoil => (attempt) => {
    const bytes = bytesOf(attempt.body);
    const [head, tail] = [bytes.subarray(0, at % (bytes.length + 1)), bytes.subarray(at % (bytes.length + 1))];
    return { ...attempt, body: { kind: 'bytes', bytes: Buffer.concat([head, more, tail.subarray(cut)]) } };
  }),
);

function otherPath(path: string, position: number, how: number, part: string): string {
  const parts = path.split('/');
  const at = 1 + (position % (parts.length - 1));
  if (how === 0) return `${path}/`;
  if (how === 1) return parts.toSpliced(at, 0, '').join('/');
  if (how === 2) return parts.with(at, (parts[at] ?? '').toUpperCase()).join('/');
  if (how === 3) return parts.toSpliced(at, 1).join('/') || '/';
  return parts.with(at, part).join('/');
}
