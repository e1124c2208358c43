import { texts } from '../shell/texts.ts';

/** Reads a file as text. Throws an error with a text for people if the file can't be read, such as a deleted file. */
export async function readText(file: File): Promise<string> {
  try {
    return await file.text();
  } catch (cause) {
    throw new Error(texts.field.unreadable, { cause });
  }
}

/** Reads a file as a `data:` URL. Throws the same error as `readText`. */
export function readDataUrl(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
  reader.addEventListener('error', () => reject(new Error(texts.field.unreadable, { cause: reader.error })));
  reader.readAsDataURL(file);
  return promise;
}
