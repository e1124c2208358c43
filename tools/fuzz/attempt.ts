import type { Dice } from '#test/support/random.ts';
import type { Credential } from './credential.ts';
import {
  HOSTILE_BODIES,
  HOSTILE_HEADERS,
  HOSTILE_NUMBERS,
  HOSTILE_PATH_PARTS,
  HOSTILE_TEXTS,
  HOSTILE_VALUES,
  OTHER_METHODS,
} from './hostile.ts';
import type { Call, Interface } from './interface.ts';
import { changedAt, Digits, jsonText, Members, placesIn, type Written } from './json-text.ts';
import { idNameOf, type Memory } from './memory.ts';
import { drawValue, type Source } from './schema-values.ts';

/** A request, split into parts that can be changed or left out. */
export type Attempt = {
  readonly credential: Credential;
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AttemptBody;
};

export type AttemptBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'value'; readonly value: Written }
  | { readonly kind: 'bytes'; readonly bytes: string | Uint8Array };

export type Drawing = {
  readonly dice: Dice;
  readonly interface: Interface;
  readonly memory: Memory;
  /** Values of another organization. None of its data may be reachable. */
  readonly foreign: Memory;
  readonly credentials: readonly Credential[];
};

const SHARE_OF_FOREIGN = 0.08;
const SHARE_OF_PLAIN = 0.45;
const SHARE_AT_EDGES = 0.2;
const SHARE_OF_OTHERS = 0.25;
/** Calls that hash a password, which takes as long as a hundred other calls. */
const DEAR = ['openSession', 'acceptInvitation', 'resetPassword', 'changePassword', 'requestPasswordReset'];
/** Calls that destroy credentials, or resources that other requests need. */
const WEARING = [
  'closeSession',
  'endSession',
  'revokeApiKey',
  'rotateApiKey',
  'changeApiKey',
  'removePerson',
  'changePerson',
  'closePortalSession',
  'changePortalSettings',
  'deleteCollaborator',
  'deleteProgram',
  'moveCollaborators',
];
const SELDOM = new Set([...DEAR, ...WEARING]);
const SHARE_OF_SELDOM = 0.1;

/**
 * Draws the next request: as the document describes it, at the edge of what it allows, or changed so that it is wrong
 * somewhere.
 */
export function drawAttempt(drawing: Drawing): Attempt {
  const { dice } = drawing;
  const call = drawCall(drawing);
  const kind = dice.roll(100) / 100;
  const attempt = describedAttempt(drawing, call, kind < SHARE_OF_PLAIN ? 0 : SHARE_AT_EDGES);
  if (kind < SHARE_OF_PLAIN + SHARE_AT_EDGES) return attempt;
  const changes = 1 + dice.roll(3);
  return Array.from({ length: changes }).reduce<Attempt>((changed) => mutated(drawing, changed), attempt);
}

function drawCall({ dice, interface: { calls } }: Drawing): Call {
  const call = dice.pick(calls);
  return SELDOM.has(call.id) && !dice.chance(SHARE_OF_SELDOM) ? dice.pick(calls) : call;
}

/**
 * Draws a request for this call as the document describes it. `edges` is the share of values at the edge of what is
 * allowed.
 */
export function describedAttempt(drawing: Drawing, call: Call, edges: number): Attempt {
  const { dice, memory, foreign } = drawing;
  const source: Source = {
    dice,
    resolve: drawing.interface.resolve,
    known: (name) => (dice.chance(SHARE_OF_FOREIGN) ? numberOf(foreign.pick(dice, name)) : memory.pick(dice, name)),
    edges,
  };
  const optional = call.parameters.filter((one) => one.in !== 'path' && (one.required === true || dice.chance(0.2)));
  const drawn = optional.map((one) => [one, plainText(drawValue(source, one.schema, one.name))] as const);
  return {
    credential: drawCredential(drawing, call),
    method: call.method,
    path: drawPath(source, call),
    query: drawn.filter(([one]) => one.in === 'query').map(([{ name }, value]) => [name, value]),
    headers: Object.fromEntries(
      drawn
        .filter(([one, value]) => one.in === 'header' && isHeaderText(value))
        .map(([{ name }, value]) => [name, value]),
    ),
    body: call.body === undefined ? { kind: 'none' } : { kind: 'value', value: drawValue(source, call.body) },
  };
}

/** Returns numbers only. If a caller sent a name of another organization, its own data would contain that name. */
function numberOf(value: string | number | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/**
 * Draws a credential, usually one with access. Otherwise almost all requests would be refused before their handler
 * runs.
 */
function drawCredential({ dice, credentials }: Drawing, { security }: Call): Credential {
  const allowed = credentials.filter(({ scheme, scopes }) =>
    security.some((door) => door[scheme]?.every((scope) => scopes.includes(scope))),
  );
  return allowed.length === 0 || dice.chance(SHARE_OF_OTHERS) ? dice.pick(credentials) : dice.pick(allowed);
}

function drawPath(source: Source, { path, parameters }: Call): string {
  return path.replaceAll(/([\w-]+)\/\{(\w+)\}/g, (_, noun: string, name: string) => {
    const schema = parameters.find((one) => one.in === 'path' && one.name === name)?.schema ?? {};
    const known = source.dice.chance(0.9) ? source.known(name === 'id' ? idNameOf(noun) : name) : undefined;
    return `${noun}/${encodeURIComponent(String(known ?? plainText(drawValue(source, schema, name))).toWellFormed())}`;
  });
}

function plainText(value: Written): string {
  return typeof value === 'string' ? value : jsonText(value);
}

/** Returns whether a client can send the text as a header value. */
function isHeaderText(text: string): boolean {
  return /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(text) && text.length < 8_000;
}

type Mutation = (drawing: Drawing, attempt: Attempt) => Attempt;

const OF_BODIES: readonly Mutation[] = [
  (drawing, attempt) => withValue(drawing, attempt, ({ dice }) => dice.pick(HOSTILE_VALUES)),
  (drawing, attempt) => withValue(drawing, attempt, ({ dice }) => dice.pick(HOSTILE_TEXTS)),
  (drawing, attempt) => withValue(drawing, attempt, ({ dice }) => new Digits(dice.pick(HOSTILE_NUMBERS))),
  (drawing, attempt) => withValue(drawing, attempt, grown),
  (drawing, attempt) => withValue(drawing, attempt, shrunk),
  ({ dice }, attempt) => ({ ...attempt, body: { kind: 'bytes', bytes: dice.pick(HOSTILE_BODIES) } }),
  ({ dice }, attempt) => ({ ...attempt, body: { kind: 'bytes', bytes: torn(dice, bytesOf(attempt.body)) } }),
  (_, attempt) => ({ ...attempt, body: { kind: 'none' } }),
];

const OF_THE_REST: readonly Mutation[] = [
  ({ dice }, attempt) => ({ ...attempt, headers: { ...attempt.headers, ...dice.pick(HOSTILE_HEADERS) } }),
  ({ dice }, attempt) => ({ ...attempt, method: dice.pick(OTHER_METHODS) }),
  ({ dice, credentials }, attempt) => ({ ...attempt, credential: dice.pick(credentials) }),
  ({ dice }, attempt) => ({ ...attempt, path: otherPath(dice, attempt.path) }),
  ({ dice }, attempt) => ({ ...attempt, query: otherQuery(dice, attempt) }),
];

function mutated(drawing: Drawing, attempt: Attempt): Attempt {
  const { dice } = drawing;
  const kinds = attempt.body.kind === 'none' || dice.chance(0.4) ? OF_THE_REST : OF_BODIES;
  return dice.pick(kinds)(drawing, attempt);
}

function withValue(drawing: Drawing, attempt: Attempt, change: (drawing: Drawing, old: Written) => Written): Attempt {
  if (attempt.body.kind !== 'value') return attempt;
  const { value } = attempt.body;
  const place = drawing.dice.roll(placesIn(value));
  return { ...attempt, body: { kind: 'value', value: changedAt(value, place, (old) => change(drawing, old)) } };
}

/** Adds one member: an unknown one, one that every object inherits, or a duplicate. */
function grown({ dice }: Drawing, old: Written): Written {
  if (!(old instanceof Members)) return [old];
  const name = dice.pick(['unknown', '__proto__', 'constructor', 'id', 'organizationId', old.list[0]?.[0] ?? 'x']);
  return new Members([...old.list, [name, new Digits('1')]]);
}

function shrunk({ dice }: Drawing, old: Written): Written {
  return old instanceof Members ? new Members(old.list.toSpliced(dice.roll(old.list.length + 1), 1)) : null;
}

/** Cuts the bytes short, or changes, inserts or removes one byte. */
function torn(dice: Dice, bytes: Uint8Array): Uint8Array {
  const at = dice.roll(bytes.length + 1);
  const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (dice.roll(4)) {
    case 0:
      return head;
    case 1:
      return Buffer.concat([head, tail.subarray(1)]);
    case 2:
      return Buffer.concat([head, Uint8Array.of(dice.roll(256)), tail]);
    default:
      return Buffer.concat([head, Uint8Array.of(dice.roll(256)), tail.subarray(1)]);
  }
}

function otherPath(dice: Dice, path: string): string {
  const parts = path.split('/');
  const at = 1 + dice.roll(parts.length - 1);
  switch (dice.roll(5)) {
    case 0:
      return `${path}/`;
    case 1:
      return parts.toSpliced(at, 0, '').join('/');
    case 2:
      return parts.with(at, (parts[at] ?? '').toUpperCase()).join('/');
    case 3:
      return parts.toSpliced(at, 1).join('/') || '/';
    default:
      return parts.with(at, dice.pick(HOSTILE_PATH_PARTS)).join('/');
  }
}

function otherQuery(dice: Dice, { query }: Attempt): Attempt['query'] {
  const value = dice.pick([...HOSTILE_TEXTS, ...HOSTILE_NUMBERS]).slice(0, 3_000);
  const name = dice.pick([
    'unknown',
    'perPage',
    'page',
    'sort',
    'ids',
    'after',
    'id',
    'createdFrom',
    'toString',
    ...query.map(([name]) => name),
  ]);
  return dice.chance(0.3) ? [...query, ...query] : [...query, [name, value]];
}

export function bytesOf(body: AttemptBody): Uint8Array {
  switch (body.kind) {
    case 'none':
      return new Uint8Array();
    case 'value':
      return Buffer.from(jsonText(body.value));
    case 'bytes':
      return Buffer.from(body.bytes);
    default:
      return body satisfies never;
  }
}

export function urlOf({ path, query }: Attempt): string {
  const text = query.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&');
  return text === '' ? path : `${path}?${text}`;
}
