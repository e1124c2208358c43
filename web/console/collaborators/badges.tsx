import { collaborators as texts } from './collaborators-texts.ts';
import { Badge } from '#web/ui/controls/badge.tsx';
import { Text } from '#web/ui/controls/text.tsx';

const SHOWN = 2;

/** Shows the first texts of a list, such as tags, and the number of the others. */
export function Badges({ texts: all }: { readonly texts: readonly string[] }) {
  const more = all.length - SHOWN;
  return (
    <>
      {all.slice(0, SHOWN).map((text) => (
        <span key={text}>
          <Badge>{text}</Badge>{' '}
        </span>
      ))}
      {more > 0 && (
        <Text size="small" tone="muted">
          {texts.list.more(more)}
        </Text>
      )}
    </>
  );
}
