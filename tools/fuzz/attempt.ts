import type { Credential } from './credential.ts';
import { jsonText, type Written } from './json-text.ts';

/** A generated request: the credential, and all parts that are sent. */
export type Attempt = {
  readonly credential: Credential;
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AttemptBody;
};

export type AttemptBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'value'; readonly value: Written }
  | { readonly kind: 'bytes'; readonly bytes: string | Uint8Array };

export function bytesOf(body: AttemptBody): Uint8Array {
  if (body.kind === 'none') return new Uint8Array();
  return Buffer.from(body.kind === 'value' ? jsonText(body.value) : body.bytes);
}

export function urlOf({ path, query }: Attempt): string {
  const text = query.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&');
  return text === '' ? path : `${path}?${text}`;
}
