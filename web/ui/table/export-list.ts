import { download } from './download.ts';

export type Exported = { readonly rows: number; readonly of: number | undefined };

/** Saves a list as a file. For a response, reports the number of received rows during the download. */
export async function exportList(
  answer: Response | Blob,
  fileName: string,
  onProgress: (exported: Exported) => void,
): Promise<void> {
  download(answer instanceof Blob ? answer : await wholeOf(answer, onProgress), fileName);
}

async function wholeOf(answer: Response, onProgress: (exported: Exported) => void): Promise<Blob> {
  const count = [...answer.headers].find(([name]) => name.endsWith('-estimated-count'))?.[1];
  const of = count === undefined ? undefined : Number(count);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  // Start below zero, because the first line has the column names. The count is approximate, because a cell can span
  // several lines.
  let rows = -1;
  for (const reader = answer.body?.getReader(); reader !== undefined;) {
    const { value } = await reader.read();
    if (value === undefined) break;
    pieces.push(value);
    rows += value.reduce((lines, byte) => (byte === LINE_FEED ? lines + 1 : lines), 0);
    onProgress({ rows: of === undefined ? rows : Math.min(rows, of), of });
  }
  return new Blob(pieces, { type: 'text/csv' });
}

const LINE_FEED = 10;
