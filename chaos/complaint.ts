/**
 * What is wrong: acknowledged and not there; there more than once; not worked off; not what it should be; or the trial
 * itself: a process that ended, something that took too long.
 */
export type Wrong = 'lost' | 'doubled' | 'undecided' | 'wrong' | 'failed';

export type Complaint = { readonly kind: Wrong; readonly words: string };

export type Complain = (kind: Wrong, words: string) => void;
