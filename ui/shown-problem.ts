import { problemOf, type ShownProblem } from './problem.ts';
import { problemTitles, unknownProblem } from './texts.ts';

/** What was thrown, with the titles of texts.ts. */
export function shownProblem(error: unknown): ShownProblem {
  return problemOf(error, { titles: problemTitles, unknown: unknownProblem });
}
