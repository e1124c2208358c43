import type { Body } from '#contract/operation.ts';
import type { Operations } from '#contract/operations.ts';
import { invalidRequest, type Problem, problem } from '#contract/problem.ts';
import { defaultPays } from '#domain/program-terms.ts';
import { changeProgram, type ProgramChanging } from '#operations/change-program.ts';
import { createProgram } from '#operations/create-program.ts';
import { exampleProgram } from '#operations/example-program.ts';
import type { Database } from '#store/database.ts';
import { readOne } from '#store/read/page.ts';
import { programs, programVersions } from '#store/read/programs.ts';
import { type Answer, answer, answerFound, type HandlersFor } from '../handler.ts';
import { answerPage } from '../pages.ts';
import { imaginedSale, imaginedTouches, showExample } from '../program-examples.ts';

export function programHandlers(
  database: Database,
): HandlersFor<
  | 'listPrograms'
  | 'createProgram'
  | 'exampleProgram'
  | 'getProgram'
  | 'changeProgram'
  | 'deleteProgram'
  | 'listProgramVersions'
> {
  return {
    listPrograms: (request) => answerPage(database, request, programs),

    createProgram: async ({ auth, body }) => {
      const created = await createProgram(database, auth.organizationId, fieldsOf(body));
      switch (created.kind) {
        case 'created':
          return answer(201, created.program);
        case 'faulty':
          return invalidRequest(created.faults);
        default:
          return created satisfies never;
      }
    },

    exampleProgram: async ({ auth, body: { sale, touches, ...given } }) => {
      const fields = fieldsOf(given);
      const imagined = imaginedSale(fields, sale);
      const exampled = await exampleProgram(database, auth.organizationId, fields, imagined, imaginedTouches(touches));
      switch (exampled.kind) {
        case 'told':
          return answer(200, { words: exampled.words, explanation: showExample(exampled) });
        case 'faulty':
          return invalidRequest(exampled.faults);
        default:
          return exampled satisfies never;
      }
    },

    getProgram: async ({ auth, params: { id } }) =>
      answerFound(await readOne(database, auth.organizationId, programs, { id })),

    changeProgram: async ({ auth, params: { id }, body: { renewals, ...terms } }) =>
      answerChange(await changeProgram(database, auth.organizationId, id, { ...terms, renewalLimit: renewals })),

    deleteProgram: async ({ auth, params: { id } }) =>
      answerChange(await changeProgram(database, auth.organizationId, id, { status: 'deleted' })),

    listProgramVersions: async (request) => {
      const { id } = request.params;
      const program = await readOne(database, request.auth.organizationId, programs, { id });
      if (program === undefined) return problem('not-found');
      return answerPage(database, request, programVersions, { within: { programId: id } });
    },
  };
}

function fieldsOf({
  pays,
  renewals,
  ...terms
}: Body<Operations['createProgram']>): Parameters<typeof createProgram>[2] {
  return { ...terms, pays: pays ?? defaultPays(terms.reward), renewalLimit: renewals };
}

function answerChange(changing: ProgramChanging): Answer | Problem {
  switch (changing.kind) {
    case 'changed':
      return answer(200, changing.program);
    case 'unknown':
      return problem('not-found');
    case 'forbidden':
      return changing.from === 'deleted'
        ? problem('invalid-transition', 'A deleted program can’t be changed.')
        : problem('invalid-transition', `A program that is ${changing.from} can’t become ${changing.to}.`);
    case 'faulty':
      return invalidRequest(changing.faults);
    default:
      return changing satisfies never;
  }
}
