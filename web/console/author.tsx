import { authors as texts } from './authors-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { CollaboratorName } from './names.tsx';

export type AuthorProps = {
  /** The author in the API's format: `key 3`, `person 5`, `collaborator 7`, `command line`. */
  readonly author: string;
  /** Whether the name is a link. Pass false inside another link. Default: true. */
  readonly link?: boolean | undefined;
};

/** Shows the name of an action's author, with a link to the author's page unless `link` is false. */
export function Author({ author, link = true }: AuthorProps) {
  const [, kind, id] = /^(key|person|collaborator) (\d+)$/.exec(author) ?? [];
  if (kind === 'collaborator') return <CollaboratorName id={Number(id)} link={link} />;
  if (kind === 'key' || kind === 'person') return <Named kind={kind} id={Number(id)} author={author} link={link} />;
  return author === 'command line' ? texts.commandLine : author;
}

const FRESH_FOR_MS = 300_000;
const PAGES = { key: '/keys', person: '/people' };

type NamedProps = Required<AuthorProps> & { readonly kind: 'key' | 'person'; readonly id: number };

function Named({ kind, id, author, link }: NamedProps) {
  const { data } = useRead(
    [kind === 'key' ? 'apiKeys' : 'people', 'name', id],
    async (api, { signal }) =>
      kind === 'key'
        ? texts.key((await api.apiKeys.get(id, { signal })).label)
        : (await api.people.get(id, { signal })).name,
    { staleTime: FRESH_FOR_MS },
  );
  const name = data ?? author;
  return link ? <Link href={PAGES[kind]}>{name}</Link> : name;
}
