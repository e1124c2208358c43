import { isDeepStrictEqual } from 'node:util';
import type { Command, Which } from './command.ts';
import {
  type Alias,
  type Collaborator,
  membersOf,
  type Model,
  type Program,
  shownCollaborator,
  shownGroup,
} from './model.ts';

/** How a command is said, and what has to come of it. */
export type Call = {
  readonly operation: string;
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly outcome: Refusal | Taken;
  /** A POST whose answer is not kept, since it takes a secret: again it is done again. */
  readonly isDoneAgain?: true;
};
export type Refusal = { readonly status: 404 | 409 | 422; readonly code: string };
export type Taken = {
  readonly status: 200 | 201;
  /** Changes the model; `answer` tells ids. Answers what must be shown. */
  readonly apply: (answer: { readonly id: number }) => unknown;
  /** Whether it stands in the audit; what leaves a resource as it was does not. */
  readonly isAudited: boolean;
};

const NOT_FOUND: Refusal = { status: 404, code: 'not-found' };
const INVALID: Refusal = { status: 422, code: 'invalid-request' };
const OVER: Refusal = { status: 409, code: 'invalid-transition' };
const NOBODY = 9_999_999;
const ERASED = { name: 'Erased', nickname: null, status: 'deleted', userId: null } as const;
const NO_TRACES = { removedOpportunities: 0, removedVisits: 0, closedOpportunities: 0 };

const AFTER: Readonly<Record<Collaborator['status'], readonly string[]>> = {
  pending: ['active', 'rejected'],
  active: ['inactive'],
  inactive: ['active'],
  rejected: [],
  deleted: [],
};
const AFTER_OF_PROGRAM: Readonly<Record<Program['status'], readonly string[]>> = {
  draft: ['active'],
  active: ['inactive'],
  inactive: ['active'],
  deleted: [],
};
const ACTIONS = { activate: 'active', deactivate: 'inactive', reject: 'rejected' } as const;

/** What the interface has to make of a command, from its description alone. */
export function foresee(model: Model, command: Command): Call {
  const { collaborators, aliases, programs, enrollments, groups, events, keys, webhooks, portal } = model;
  switch (command.do) {
    case 'create-collaborator': {
      const { aliases: codes, ...fields } = command.of;
      return created('createCollaborator', '/v1/collaborators', command.of, ({ id }) => {
        const made: Collaborator = { id, nickname: null, ...fields, userId: fields.userId ?? null };
        collaborators.push(made);
        for (const each of codes) take(model, id, each);
        return shownCollaborator(model, made);
      });
    }
    case 'change-collaborator': {
      const { which, change } = command.of;
      const found = collaborators[which];
      const mayBe =
        change.status === undefined || change.status === found?.status || isAfter(AFTER, found?.status, change.status);
      const path = pathOf('collaborators', found);
      return changed('changeCollaborator', path, change, found, {
        mayBe,
        show: (collaborator) => shownCollaborator(model, collaborator),
      });
    }
    case 'delete-collaborator': {
      const found = collaborators[command.of.which];
      return deleted('deleteCollaborator', pathOf('collaborators', found), found, {
        show: (collaborator) => shownCollaborator(model, collaborator),
      });
    }
    case 'erase-collaborator': {
      const found = collaborators[command.of.which];
      const body = { collaboratorId: found?.id ?? NOBODY };
      const path = '/v1/collaborators/erase';
      if (found === undefined) return call('eraseCollaborator', 'POST', path, body, NOT_FOUND);
      // Again changes nothing, and stands in the audit once more.
      return call('eraseCollaborator', 'POST', path, body, {
        status: 200,
        isAudited: true,
        apply: () => {
          Object.assign(found, ERASED);
          for (const alias of aliases) {
            if (alias.collaboratorId !== found.id) continue;
            Object.assign(alias, { status: 'retired', code: `erased-${alias.id}` });
          }
          return shownCollaborator(model, found);
        },
      });
    }
    case 'erase-visitor': {
      const { userId } = command.of;
      const theirs = collaborators.filter((each) => each.userId === userId).map(({ id }) => id);
      const outcome: Taken = {
        status: 200,
        isAudited: true,
        // Nobody came by: there is nothing but collaborators, who are not erased by it.
        apply: () => ({ ...NO_TRACES, collaboratorIds: theirs }),
      };
      return { ...call('eraseVisitor', 'POST', '/v1/visitors/erase', command.of, outcome), isDoneAgain: true };
    }
    case 'move-collaborators': {
      const { action } = command.of;
      const ids = command.of.which.map((n) => idOf(collaborators, n));
      return call(
        'moveCollaborators',
        'POST',
        '/v1/collaborators/bulk',
        { action, ids },
        {
          status: 200,
          isAudited: true,
          apply: () => [...new Set(ids)].map((id) => moved(model, id, ACTIONS[action])),
        },
      );
    }
    case 'take-alias': {
      const found = collaborators[command.of.which];
      const path = `${pathOf('collaborators', found)}/aliases`;
      if (found === undefined) return call('createAlias', 'POST', path, command.of.alias, NOT_FOUND);
      if (found.status === 'deleted') return call('createAlias', 'POST', path, command.of.alias, OVER);
      return created('createAlias', path, command.of.alias, ({ id }) => take(model, found.id, command.of.alias, id));
    }
    case 'retire-alias': {
      const alias = aliases[command.of.alias];
      const path = `/v1/collaborators/${idOf(collaborators, command.of.which)}/aliases/${alias?.id ?? NOBODY}`;
      const isTheirs = alias !== undefined && alias.collaboratorId === collaborators[command.of.which]?.id;
      const outcome: Taken = {
        status: 200,
        isAudited: true,
        apply: () => alias && Object.assign(alias, { status: 'retired' }),
      };
      return call('retireAlias', 'DELETE', path, undefined, isTheirs ? outcome : NOT_FOUND);
    }
    case 'create-program': {
      const { group, triggers, ...fields } = command.of;
      const groupId = group === undefined ? null : idOf(groups, group);
      const terms = { ...fields, triggers: pointsOf(triggers), groupId };
      const body = { ...terms, reward: { type: 'percent', percent: 10 } };
      if (!mayHave(model, terms)) return call('createProgram', 'POST', '/v1/programs', body, INVALID);
      return created('createProgram', '/v1/programs', body, ({ id }) => {
        programs.push({ id, version: 1, windowDays: 30, ...terms });
        return programs.at(-1);
      });
    }
    case 'change-program': {
      const { which, change } = command.of;
      const { group, triggers, ...fields } = change;
      const found = programs[which];
      const terms = {
        ...fields,
        ...(triggers === undefined ? {} : { triggers: pointsOf(triggers) }),
        ...(group === undefined ? {} : { groupId: group === null ? null : idOf(groups, group) }),
      };
      const mayBe =
        terms.status === undefined ||
        terms.status === found?.status ||
        isAfter(AFTER_OF_PROGRAM, found?.status, terms.status);
      const path = pathOf('programs', found);
      if (found !== undefined && !isSame(found, terms) && found.status !== 'deleted' && mayBe && !mayHave(model, terms))
        return call('changeProgram', 'PATCH', path, terms, INVALID);
      return changed('changeProgram', path, terms, found, { mayBe, after: versioned });
    }
    case 'delete-program': {
      const found = programs[command.of.which];
      return deleted('deleteProgram', pathOf('programs', found), found, { after: versioned });
    }
    case 'enrol': {
      const program = programs[command.of.program];
      const collaborator = collaborators[command.of.collaborator];
      const body = { collaboratorId: collaborator?.id ?? NOBODY };
      const path = `${pathOf('programs', program)}/collaborators`;
      if (program === undefined) return call('enrollCollaborator', 'POST', path, body, NOT_FOUND);
      if (program.status === 'deleted') return call('enrollCollaborator', 'POST', path, body, OVER);
      if (collaborator === undefined || collaborator.status === 'deleted')
        return call('enrollCollaborator', 'POST', path, body, INVALID);
      return created('enrollCollaborator', path, body, () => {
        const known = enrollmentOf(model, program.id, collaborator.id);
        if (known?.status === 'enrolled') return known;
        // Of one who comes back the new enrolment is shown.
        if (known !== undefined) enrollments.splice(enrollments.indexOf(known), 1);
        enrollments.push({ programId: program.id, collaboratorId: collaborator.id, status: 'enrolled' });
        return enrollments.at(-1);
      });
    }
    case 'remove': {
      const [programId, id] = [idOf(programs, command.of.program), idOf(collaborators, command.of.collaborator)];
      const known = enrollmentOf(model, programId, id);
      const outcome: Taken = {
        status: 200,
        isAudited: true,
        apply: () => known && Object.assign(known, { status: 'removed' }),
      };
      const path = `/v1/programs/${programId}/collaborators/${id}`;
      return call('removeCollaborator', 'DELETE', path, undefined, known === undefined ? NOT_FOUND : outcome);
    }
    case 'create-group': {
      const { programs: members, ...fields } = command.of;
      const programIds = members.map((n) => idOf(programs, n));
      const body = { ...fields, programIds };
      if (!mayJoin(model, null, programIds))
        return call('createProgramGroup', 'POST', '/v1/program-groups', body, INVALID);
      return created('createProgramGroup', '/v1/program-groups', body, ({ id }) => {
        const made = { id, ...fields, status: 'active' as const };
        groups.push(made);
        arrange(model, id, programIds);
        return shownGroup(model, made);
      });
    }
    case 'change-group': {
      const { which, change } = command.of;
      const { programs: members, ...fields } = change;
      const found = groups[which];
      const path = pathOf('program-groups', found);
      const programIds = members?.map((n) => idOf(programs, n));
      const body = { ...fields, ...(programIds === undefined ? {} : { programIds }) };
      const operation = 'changeProgramGroup';
      if (found === undefined) return call(operation, 'PATCH', path, body, NOT_FOUND);
      const before = membersOf(model, found.id).map(({ id }) => id);
      const isSameSet = programIds === undefined || String(sortedSet(programIds)) === String(before);
      const changes = !isSame(found, fields) || !isSameSet;
      if (changes && found.status === 'deleted') return call(operation, 'PATCH', path, body, OVER);
      if (changes && !mayJoin(model, found.id, programIds ?? [])) return call(operation, 'PATCH', path, body, INVALID);
      return call(operation, 'PATCH', path, body, {
        status: 200,
        isAudited: changes,
        apply: () => {
          Object.assign(found, fields);
          if (programIds !== undefined) arrange(model, found.id, programIds);
          return shownGroup(model, found);
        },
      });
    }
    case 'delete-group': {
      const found = groups[command.of.which];
      return deleted('deleteProgramGroup', pathOf('program-groups', found), found, {
        after: ({ id }) => arrange(model, id, []),
        show: (group) => shownGroup(model, group),
      });
    }
    case 'create-event': {
      const isTaken = events.some(({ slug, status }) => slug === command.of.slug && status === 'active');
      if (isTaken)
        return call('createCustomEvent', 'POST', '/v1/custom-events', command.of, { status: 409, code: 'slug-taken' });
      return created('createCustomEvent', '/v1/custom-events', command.of, ({ id }) => {
        events.push({ id, ...command.of, status: 'active' });
        return events.at(-1);
      });
    }
    case 'delete-event': {
      const found = events[command.of.which];
      const path = pathOf('custom-events', found);
      const isNeeded =
        found?.status === 'active' &&
        programs.some(({ triggers, status }) => status !== 'deleted' && Object.hasOwn(triggers, found.slug));
      if (isNeeded) return call('deleteCustomEvent', 'DELETE', path, undefined, OVER);
      return deleted('deleteCustomEvent', path, found);
    }
    case 'create-key':
      return created('createApiKey', '/v1/api-keys', command.of, ({ id }) => {
        keys.push({ id, ...command.of, isRevoked: false, replacedBy: null });
        return keys.at(-1);
      });
    case 'rename-key': {
      const { which, label } = command.of;
      const found = keys[which];
      const path = pathOf('api-keys', found);
      // Unlike others, one that has ended takes not even what it has already.
      if (found?.isRevoked === true) return call('changeApiKey', 'PATCH', path, { label }, OVER);
      return changed('changeApiKey', path, { label }, found);
    }
    case 'rotate-key': {
      const found = keys[command.of.which];
      const path = `${pathOf('api-keys', found)}/rotate`;
      if (found === undefined) return call('rotateApiKey', 'POST', path, {}, NOT_FOUND);
      if (found.isRevoked || found.replacedBy !== null) return call('rotateApiKey', 'POST', path, {}, OVER);
      return created('rotateApiKey', path, {}, ({ id }) => {
        found.replacedBy = id;
        keys.push({ ...found, id, replacedBy: null });
        return keys.at(-1);
      });
    }
    case 'revoke-key': {
      const found = keys[command.of.which];
      const outcome: Taken = {
        status: 200,
        isAudited: found?.isRevoked === false,
        apply: () => found && Object.assign(found, { isRevoked: true }),
      };
      const path = pathOf('api-keys', found);
      return call('revokeApiKey', 'DELETE', path, undefined, found === undefined ? NOT_FOUND : outcome);
    }
    case 'create-webhook': {
      const { path, description = null } = command.of;
      const [url, events] = [urlOf(path), ['payout.paid']];
      return created(
        'createWebhook',
        '/v1/webhooks',
        { url, description: description ?? undefined, events },
        ({ id }) => {
          webhooks.push({ id, url, description, status: 'active' });
          return webhooks.at(-1);
        },
      );
    }
    case 'change-webhook': {
      const { which, change } = command.of;
      const { path, ...fields } = change;
      const body = { ...fields, ...(path === undefined ? {} : { url: urlOf(path) }) };
      const found = webhooks[which];
      return changed('changeWebhook', pathOf('webhooks', found), body, found);
    }
    case 'delete-webhook': {
      const found = webhooks[command.of.which];
      return deleted('deleteWebhook', pathOf('webhooks', found), found);
    }
    case 'change-portal': {
      const { slug, ...fields } = command.of;
      // Of all organizations of a database one has the name.
      const body = { ...fields, ...(slug === undefined ? {} : { slug: slug && `${slug}-${model.mark}` }) };
      const after = { ...portal, ...body };
      const changes = !isSame(portal, body);
      const isFaulty = changes && after.slug !== null && after.landingUrl === null;
      return call(
        'changePortalSettings',
        'PATCH',
        '/v1/portal-settings',
        body,
        isFaulty
          ? INVALID
          : {
              status: 200,
              isAudited: changes,
              apply: () => Object.assign(portal, body),
            },
      );
    }
    default:
      return command satisfies never;
  }
}

function call(
  operation: string,
  method: Call['method'],
  path: string,
  body: object | undefined,
  outcome: Call['outcome'],
): Call {
  return { operation, method, path, ...(body === undefined ? {} : { body }), outcome };
}

function created(operation: string, path: string, body: object, apply: Taken['apply']): Call {
  return call(operation, 'POST', path, body, { status: 201, isAudited: true, apply });
}

type Row = { readonly id: number; readonly status?: string };

/** What follows where it changed something, and what of the row its answer shows. */
type How<Of> = { readonly after?: (row: Of) => unknown; readonly show?: (row: Of) => unknown };

/** A change of nothing is taken in any state. */
function changed<Of extends Row>(
  operation: string,
  path: string,
  change: Partial<Of>,
  found: Of | undefined,
  { mayBe = true, after = () => {}, show = (row) => row }: How<Of> & { readonly mayBe?: boolean } = {},
): Call {
  if (found === undefined) return call(operation, 'PATCH', path, change, NOT_FOUND);
  const changes = !isSame(found, change);
  if (changes && (found.status === 'deleted' || !mayBe)) return call(operation, 'PATCH', path, change, OVER);
  return call(operation, 'PATCH', path, change, {
    status: 200,
    isAudited: changes,
    apply: () => {
      Object.assign(found, change);
      if (changes) after(found);
      return show(found);
    },
  });
}

/** Again changes nothing. */
function deleted<Of extends Row>(
  operation: string,
  path: string,
  found: Of | undefined,
  { after = () => {}, show = (row) => row }: How<Of> = {},
): Call {
  if (found === undefined) return call(operation, 'DELETE', path, undefined, NOT_FOUND);
  const isGone = found.status === 'deleted';
  return call(operation, 'DELETE', path, undefined, {
    status: 200,
    isAudited: !isGone,
    apply: () => {
      Object.assign(found, { status: 'deleted' });
      if (!isGone) after(found);
      return show(found);
    },
  });
}

function versioned(program: Program): Program {
  program.version += 1;
  return program;
}

function take(model: Model, collaboratorId: number, { type, code }: { type: string; code: string }, id = 0): Alias {
  const known = model.aliases.find(
    (alias) => alias.status === 'current' && alias.type === type && alias.code.toLowerCase() === code.toLowerCase(),
  );
  if (known?.collaboratorId === collaboratorId) return known;
  if (known !== undefined) known.status = 'retired';
  const taken: Alias = { id, collaboratorId, type, code, status: 'current' };
  model.aliases.push(taken);
  return taken;
}

function moved({ collaborators }: Model, id: number, to: Collaborator['status']): object {
  const found = collaborators.find((collaborator) => collaborator.id === id);
  if (found === undefined) return { id, outcome: 'not-found' };
  if (found.status === to) return { id, outcome: 'unchanged', status: to };
  if (!isAfter(AFTER, found.status, to)) return { id, outcome: 'invalid-transition', status: found.status };
  found.status = to;
  return { id, outcome: 'changed', status: to };
}

/** Groups and events that a program names must be there. */
function mayHave(
  { groups, events }: Model,
  { groupId, triggers = {} }: { groupId?: number | null; triggers?: Readonly<Record<string, number>> },
): boolean {
  const isGroup = groupId == null || groups.some(({ id, status }) => id === groupId && status === 'active');
  const slugs = Object.keys(triggers).filter((slug) => slug !== 'site-visit');
  return isGroup && slugs.every((slug) => events.some((event) => event.slug === slug && event.status === 'active'));
}

/** A program is in one group at most. */
function mayJoin({ programs }: Model, groupId: number | null, programIds: readonly number[]): boolean {
  return programIds.every((id) => {
    const program = programs.find((each) => each.id === id);
    const isFree = program?.groupId === null || program?.groupId === groupId;
    return program !== undefined && program.status !== 'deleted' && isFree;
  });
}

/** Exactly these are in the group from now on; who comes and who goes has a new version. */
function arrange(model: Model, groupId: number, programIds: readonly number[]): void {
  const before = membersOf(model, groupId);
  const after = model.programs.filter(({ id }) => programIds.includes(id));
  for (const program of before.filter((one) => !after.includes(one)))
    versioned(Object.assign(program, { groupId: null }));
  for (const program of after.filter((one) => !before.includes(one))) versioned(Object.assign(program, { groupId }));
}

function enrollmentOf({ enrollments }: Model, programId: number, collaboratorId: number) {
  return enrollments.find((one) => one.programId === programId && one.collaboratorId === collaboratorId);
}

function isAfter(graph: Readonly<Record<string, readonly string[]>>, from: string | undefined, to: string): boolean {
  return from !== undefined && graph[from]?.includes(to) === true;
}

function isSame<Of extends object>(row: Of, change: Partial<Of>): boolean {
  return Object.entries(change).every(([name, value]) => isDeepStrictEqual(row[name as keyof Of], value));
}

function sortedSet(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}

function idOf(rows: readonly Row[], which: Which): number {
  return rows[which]?.id ?? NOBODY;
}

function pathOf(noun: string, row: Row | undefined): string {
  return `/v1/${noun}/${row?.id ?? NOBODY}`;
}

function pointsOf(triggers: readonly string[]): Record<string, number> {
  return Object.fromEntries(triggers.map((trigger) => [trigger, 1]));
}

function urlOf(path: string): string {
  return `https://shop.example/${path}`;
}
