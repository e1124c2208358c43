/**
 * The kind of a complaint:
 *
 * - `lost`: an acknowledged report is missing.
 * - `doubled`: a report exists more than once.
 * - `undecided`: an event was not processed.
 * - `wrong`: a value is not as expected.
 * - `failed`: the load or the planned fault failed, for example because a process ended or something took too long.
 */
export type Wrong = 'lost' | 'doubled' | 'undecided' | 'wrong' | 'failed';

export type Complaint = { readonly kind: Wrong; readonly words: string };

export type Complain = (kind: Wrong, words: string) => void;
