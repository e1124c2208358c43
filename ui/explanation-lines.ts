/** An explanation's text, line by line, as far as it can be told apart. What can't be read stays a line of its own. */
export type ExplanationLines = {
  /** The transaction, and how many earned. */
  readonly summary: string;
  /** Why it as a whole earned nobody anything. */
  readonly reason: string | undefined;
  readonly winners: readonly WinnerLine[];
  readonly losers: readonly LoserLine[];
  /** Refunds, what was left out, and what has become of the conversions. */
  readonly since: readonly string[];
};

export type Person = { readonly name: string; readonly id: number | undefined };
export type InProgram = { readonly name: string; readonly id: number; readonly version: number };

export type WinnerLine = {
  readonly who: Person;
  readonly program: InProgram | undefined;
  /** As the text has it: `5.00 USD`. */
  readonly earned: string;
  /** The arithmetic, step by step. */
  readonly steps: readonly string[];
  readonly touches: string | undefined;
};

export type LoserLine = {
  readonly who: Person;
  readonly program: InProgram | undefined;
  readonly why: string;
  readonly code: string | undefined;
  readonly touches: string | undefined;
};

/** Reads the text that `explainTransaction` and `exampleProgram` answer. */
export function explanationLines(text: string): ExplanationLines {
  const [summary = '', ...lines] = text.split('\n').filter((line) => line !== '');
  const winners: WinnerLine[] = [];
  const losers: LoserLine[] = [];
  const since: string[] = [];
  let reason: string | undefined;
  for (const line of lines) {
    const winner = winnerLine(line);
    const loser = winner === undefined ? loserLine(line) : undefined;
    if (line.startsWith('Why: ')) reason = line.slice('Why: '.length);
    else if (winner !== undefined) winners.push(winner);
    else if (loser !== undefined) losers.push(loser);
    else since.push(line);
  }
  return { summary, reason, winners, losers, since };
}

/** A name may hold anything, so it reaches to the last of what can follow it. */
const PERSON = String.raw`(?<who>.+ \(collaborator \d+\)|Collaborator \d+)`;
const PROGRAM = String.raw`(?: in “(?<program>.+?)” \(program (?<programId>\d+), version (?<version>\d+)\))?`;
const TOUCHES = String.raw`(?: (?<touches>(?:Touches|Credited) .+\.))?`;
const WINNER = new RegExp(
  String.raw`^${PERSON} earned (?<earned>-?[\d.]+ [A-Z]{3})${PROGRAM}: (?<steps>.+?)\.${TOUCHES}$`,
  'u',
);
const LOSER = new RegExp(String.raw`^${PERSON} earned nothing${PROGRAM}(?:: (?<why>.+?))?\.${TOUCHES}$`, 'u');

function winnerLine(line: string): WinnerLine | undefined {
  const found = WINNER.exec(line)?.groups;
  if (found === undefined) return undefined;
  return {
    who: personOf(found['who'] ?? ''),
    program: programOf(found),
    earned: found['earned'] ?? '',
    steps: stepsOf(found['steps'] ?? ''),
    touches: found['touches'],
  };
}

/** Between steps stands a semicolon, but one in brackets belongs to what is in them. */
function stepsOf(text: string): string[] {
  return text.match(/(?:\([^)]*\)|[^(;]|;(?! ))+/gu)?.map((step) => step.trim()) ?? [];
}

function loserLine(line: string): LoserLine | undefined {
  const found = LOSER.exec(line)?.groups;
  if (found === undefined) return undefined;
  const why = found['why'] ?? '';
  const code = /\(([a-z]+(?:-[a-z]+)*)\)/.exec(why);
  return {
    who: personOf(found['who'] ?? ''),
    program: programOf(found),
    why: code === null ? why : why.replace(` ${code[0]}`, ''),
    code: code?.[1],
    touches: found['touches'],
  };
}

function personOf(text: string): Person {
  const named = /^(.+) \(collaborator (\d+)\)$/u.exec(text);
  if (named !== null) return { name: named[1] ?? text, id: Number(named[2]) };
  const bare = /^Collaborator (\d+)$/.exec(text);
  return { name: text, id: bare === null ? undefined : Number(bare[1]) };
}

function programOf(found: Readonly<Record<string, string | undefined>>): InProgram | undefined {
  const { program, programId, version } = found;
  return program === undefined ? undefined : { name: program, id: Number(programId), version: Number(version) };
}

/** A piece of a line: words, or what the page shows in its own way. */
export type Piece = { /** Where in the line it begins. */ readonly from: number } & (
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'money'; readonly minor: bigint; readonly currency: string }
  | { readonly kind: 'time'; readonly at: string }
  | { readonly kind: 'collaborator'; readonly id: number; readonly text: string }
);

const PIECE =
  /(?<!\S)(?<amount>-?\d+\.\d{2}) (?<currency>[A-Z]{3})\b|(?<day>\d{4}-\d{2}-\d{2}) (?<time>\d{2}:\d{2}:\d{2}) UTC|\((?<who>collaborator (?<id>\d+))\)/gu;

/** A line in pieces, so that amounts and times look as everywhere else. Put together again it says the same. */
export function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  const words = (until: number) => {
    if (until > done) pieces.push({ from: done, kind: 'words', text: line.slice(done, until) });
  };
  for (const found of line.matchAll(PIECE)) {
    const { amount, currency, day, time, who, id } = found.groups ?? {};
    words(found.index);
    if (amount !== undefined && currency !== undefined) {
      pieces.push({ from: found.index, kind: 'money', minor: BigInt(amount.replace('.', '')), currency });
    } else if (day !== undefined && time !== undefined) {
      pieces.push({ from: found.index, kind: 'time', at: `${day}T${time}Z` });
    } else if (who !== undefined) {
      pieces.push({ from: found.index, kind: 'collaborator', id: Number(id), text: who });
    }
    done = found.index + found[0].length;
  }
  words(line.length);
  return pieces;
}
