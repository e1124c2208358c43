/** Thrown if too much work is queued, or if a report's batch failed before it was written. The caller can retry. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

/** Thrown if the calling person was removed during the call. */
export class PersonGone extends Error {
  override readonly name = 'PersonGone';
}
