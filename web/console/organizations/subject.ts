import type { AuditEntry } from '@whence/sdk';
import { audit } from './audit-texts.ts';

/** The resource that a change affected: its label and its page. */
export type Subject = { readonly label: string; readonly href: string };

type Entry = Pick<AuditEntry, 'path' | 'request' | 'before' | 'after'>;
type Kind = keyof typeof audit.subjects;

const ONES: Readonly<Record<string, { readonly kind: Kind; readonly href: (id: string) => string }>> = {
  programs: { kind: 'program', href: (id) => `/programs/${id}` },
  'program-groups': { kind: 'group', href: () => '/groups' },
  collaborators: { kind: 'collaborator', href: (id) => `/collaborators/${id}` },
  transactions: { kind: 'sale', href: (id) => `/sales/${id}` },
  conversions: { kind: 'conversion', href: (id) => `/conversions/${id}` },
  fulfillments: { kind: 'run', href: (id) => `/payouts/runs/${id}` },
  payouts: { kind: 'payout', href: (id) => `/payouts/${id}` },
  events: { kind: 'event', href: (id) => `/live?event=${id}` },
  connectors: { kind: 'connector', href: (id) => `/connectors/${id}` },
  webhooks: { kind: 'webhook', href: (id) => `/webhooks/${id}` },
  'api-keys': { kind: 'key', href: () => '/keys' },
  people: { kind: 'person', href: () => '/people' },
  invitations: { kind: 'invitation', href: () => '/people?tab=invitations' },
};

const WHOLES: Readonly<Record<string, Subject>> = {
  organization: { label: audit.organization, href: '/settings' },
  'portal-settings': { label: audit.portal, href: '/settings/portal' },
};

/**
 * Returns the subject of an audit record from its path. If the resource was created, its id is in `after`. Returns
 * undefined for subjects without a page.
 */
export function subjectOf({ path, request, before, after }: Entry): Subject | undefined {
  const [, , resource = '', named] = path.split('/');
  const several = severalOf(resource, named === 'bulk' ? fieldsOf(request)['ids'] : after);
  if (several !== undefined) return several;
  const whole = WHOLES[resource];
  if (whole !== undefined) return whole;
  const one = ONES[resource];
  const known = fieldsOf(before ?? after);
  const id = /^\d+$/.test(named ?? '') ? named : idOf(named === undefined ? known['id'] : undefined);
  if (one === undefined || id === undefined) return undefined;
  // If a call changed a part of the resource, such as an alias, the record has the part's name instead of the
  // resource's name.
  const isItself = String(known['id']) === id;
  const name = isItself ? nameOf(known) : undefined;
  return { label: audit.subjects[one.kind](name ?? id), href: one.href(id) };
}

const MANY: Readonly<Record<string, { readonly words: (count: number) => string; readonly href: string }>> = {
  conversions: { words: audit.many.conversions, href: '/conversions?tab=all' },
  collaborators: { words: audit.many.collaborators, href: '/collaborators' },
  payouts: { words: audit.many.payouts, href: '/payouts?tab=payouts' },
  fulfillments: { words: audit.many.runs, href: '/payouts?tab=runs' },
};

/** Returns the subject of a bulk change or a bulk creation, or undefined if the change affected a single resource. */
function severalOf(resource: string, rows: unknown): Subject | undefined {
  const many = MANY[resource];
  if (many === undefined || !Array.isArray(rows)) return undefined;
  return { label: many.words(rows.length), href: many.href };
}

function nameOf(fields: Fields): string | undefined {
  for (const name of ['name', 'label', 'email', 'description']) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return audit.named(value);
  }
  return undefined;
}

function idOf(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
