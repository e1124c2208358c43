import type * as contract from '../contract/program.ts';
import type { Body } from '#core/contract/operation.ts';
import { invalidRequest, type Problem, problem } from '#core/contract/problem.ts';
import { defaultPays } from '../domain/program-terms.ts';
import { changeProgram, type ProgramChangeOutcome } from '../commands/change-program.ts';
import { createProgram } from '../commands/create-program.ts';
import { MAX_PROGRAMS, NEXT_PROGRAM_STATUSES } from '../domain/program.ts';
import { readOne } from '#platform/postgres/lists/page.ts';
import { programs, programVersions } from '../store/read/programs.ts';
import { type Answer, answer, answerFound, answerOutcome, type HandlersFor } from '#platform/http/handler.ts';
import { answerPage } from '#platform/http/pages.ts';

export const programHandlers: HandlersFor<typeof contract> = {
  listPrograms: (request) => answerPage(request, programs),

  createProgram: async ({ tenant, body }) => {
    const created = await createProgram(tenant, fieldsOf(body));
    return answerOutcome(created, {
      created: ({ program }) => answer(201, program),
      faulty: ({ faults }) => invalidRequest(faults),
      'too-many': problem('too-many-programs', `There are already ${MAX_PROGRAMS} programs. Delete a program first.`),
    });
  },

  getProgram: async ({ tenant, params: { id } }) => answerFound(await readOne(tenant, programs, { id })),

  changeProgram: async ({ tenant, params: { id }, body: { renewals, ...terms } }) =>
    answerChange(await changeProgram(tenant, id, { ...terms, renewalLimit: renewals })),

  deleteProgram: async ({ tenant, params: { id } }) =>
    answerChange(await changeProgram(tenant, id, { status: 'deleted' })),

  listProgramVersions: async (request) => {
    const { id } = request.params;
    const program = await readOne(request.tenant, programs, { id });
    if (program === undefined) return problem('not-found');
    return answerPage(request, programVersions, { within: { programId: id } });
  },
};

/** Returns the fields of a request for a new program in the form that `createProgram` takes. */
export function fieldsOf({
  pays,
  renewals,
  ...terms
}: Body<typeof contract.createProgram>): Parameters<typeof createProgram>[1] {
  return { ...terms, pays: pays ?? defaultPays(terms.reward), renewalLimit: renewals };
}

function whyForbidden({ from, to }: Extract<ProgramChangeOutcome, { kind: 'forbidden' }>): string {
  return `The program’s status can’t change from ${from} to ${to}. Choose ${NEXT_PROGRAM_STATUSES[from].join(' or ')}.`;
}

function answerChange(changing: ProgramChangeOutcome): Answer | Problem {
  return answerOutcome(changing, {
    changed: ({ program }) => answer(200, program),
    unknown: problem('not-found'),
    forbidden: (changing) =>
      changing.from === 'deleted'
        ? problem('invalid-transition', 'A deleted program can’t be changed. Create a new program.')
        : problem('invalid-transition', whyForbidden(changing)),
    faulty: ({ faults }) => invalidRequest(faults),
  });
}
