/**
 * The query parameters of a page's URL, by name. They are plain texts instead of JSON, so that people can read them.
 */
export type Search = { readonly [name: string]: string | undefined };

export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Search): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== '') parameters.set(name, value);
  }
  // Commas, colons and slashes are valid in a query and easier to read unescaped.
  const text = parameters.toString().replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%2F', '/');
  return text === '' ? '' : `?${text}`;
}
