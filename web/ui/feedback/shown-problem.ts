import { problemOf, type ShownProblem } from './problem.ts';
import { problemDetails } from './problem-texts.ts';
import { problemTitles, unknownProblem } from '../shell/texts.ts';

/** Returns a thrown value as a problem with the titles of texts.ts and the details of problem-texts.ts. */
export function shownProblem(error: unknown): ShownProblem {
  return problemOf(error, { titles: problemTitles, details: problemDetails, unknown: unknownProblem });
}
