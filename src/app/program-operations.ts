import { exampleProgram } from '#attribution/contract/program-example.ts';
import {
  createCustomEvent,
  deleteCustomEvent,
  getCustomEvent,
  listCustomEvents,
} from '#programs/contract/custom-event.ts';
import {
  createFraudListEntry,
  deleteFraudListEntry,
  getFraudListEntry,
  listFraudListEntries,
} from '#programs/contract/fraud-list.ts';
import { enrollCollaborator, listEnrollments, removeCollaborator } from '#programs/contract/enrollment.ts';
import {
  changeProgram,
  createProgram,
  deleteProgram,
  getProgram,
  listPrograms,
  listProgramVersions,
} from '#programs/contract/program.ts';
import {
  changeProgramGroup,
  createProgramGroup,
  deleteProgramGroup,
  getProgramGroup,
  listProgramGroups,
} from '#programs/contract/program-group.ts';

/** The operations of programs and related resources, such as enrollments, in the order of the reference. */
export const programOperations = {
  listPrograms,
  createProgram,
  exampleProgram,
  getProgram,
  changeProgram,
  deleteProgram,
  listProgramVersions,
  listEnrollments,
  enrollCollaborator,
  removeCollaborator,
  listProgramGroups,
  createProgramGroup,
  getProgramGroup,
  changeProgramGroup,
  deleteProgramGroup,
  listCustomEvents,
  createCustomEvent,
  getCustomEvent,
  deleteCustomEvent,
  listFraudListEntries,
  createFraudListEntry,
  getFraudListEntry,
  deleteFraudListEntry,
};
