/*
 * What a merchant has set up, as the pages of the interface say that it must be: arrays and plain fields, nothing kept in
 * versions, nothing at once. Each row holds what its GET has to show; what only the service knows (times) is left out.
 */

export type Collaborator = {
  readonly id: number;
  name: string;
  nickname: string | null;
  status: 'pending' | 'active' | 'inactive' | 'rejected' | 'deleted';
  userId: number | null;
};
export type Alias = {
  /** 0 until it is read: who is created with codes is not told their ids. */
  id: number;
  readonly collaboratorId: number;
  readonly type: string;
  code: string;
  status: 'current' | 'retired';
};
export type Program = {
  readonly id: number;
  version: number;
  name: string;
  status: 'draft' | 'active' | 'inactive' | 'deleted';
  windowDays: number;
  groupId: number | null;
  triggers: Readonly<Record<string, number>>;
};
export type Enrollment = {
  readonly programId: number;
  readonly collaboratorId: number;
  status: 'enrolled' | 'removed';
};
export type Group = { readonly id: number; name: string; rule: 'newest' | 'oldest'; status: 'active' | 'deleted' };
export type CustomEvent = {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  status: 'active' | 'deleted';
};
export type Key = {
  readonly id: number;
  label: string;
  readonly scopes: readonly string[];
  isRevoked: boolean;
  replacedBy: number | null;
};
export type Webhook = {
  readonly id: number;
  url: string;
  description: string | null;
  status: 'active' | 'paused' | 'deleted';
};
export type Portal = { slug: string | null; landingUrl: string | null; accent: string };

export type Model = {
  /** Its own, where all organizations of a database share names. */
  readonly mark: string;
  readonly collaborators: Collaborator[];
  readonly aliases: Alias[];
  readonly programs: Program[];
  readonly enrollments: Enrollment[];
  readonly groups: Group[];
  readonly events: CustomEvent[];
  /** Those that were made; the one that makes them is left alone. */
  readonly keys: Key[];
  readonly webhooks: Webhook[];
  readonly portal: Portal;
  /** Every operation that must stand in the audit, oldest first. */
  readonly audit: string[];
};

export function emptyModel(mark: string): Model {
  return {
    mark,
    collaborators: [],
    aliases: [],
    programs: [],
    enrollments: [],
    groups: [],
    events: [],
    keys: [],
    webhooks: [],
    portal: { slug: null, landingUrl: null, accent: '#4f46e5' },
    audit: ['foundOrganization'],
  };
}

/** What a collaborator shows of its codes: the current ones, oldest first. */
export function codesOf({ aliases }: Model, { id }: Collaborator): { type: string; code: string }[] {
  return aliases
    .filter(({ collaboratorId, status }) => collaboratorId === id && status === 'current')
    .map(({ type, code }) => ({ type, code }));
}

/** The programs of a group that are not deleted. */
export function membersOf({ programs }: Model, groupId: number): Program[] {
  return programs.filter((program) => program.groupId === groupId && program.status !== 'deleted');
}

export function shownCollaborator(model: Model, collaborator: Collaborator): object {
  return { ...collaborator, aliases: codesOf(model, collaborator) };
}

export function shownGroup(model: Model, group: Group): object {
  return { ...group, programIds: membersOf(model, group.id).map(({ id }) => id) };
}
