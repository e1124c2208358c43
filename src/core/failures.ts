/**
 * Thrown if too much work is queued, if a read takes too long, or if a report was not written with its batch. The
 * client can retry.
 */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

/** Thrown if the calling person was removed during the call. */
export class PersonGone extends Error {
  override readonly name = 'PersonGone';
}
