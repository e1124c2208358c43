import { Plus } from 'lucide-react';
import { useState } from 'react';
import { links } from './links-texts.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { TextField } from '#web/ui/form/text-field.tsx';
import styles from './links.module.css';
import type { Link } from './links-query.ts';

const texts = links.make;

type NewLinkProps = {
  readonly main: Link | undefined;
  readonly isReady: boolean;
  readonly onMade: (link: Link) => void;
};

/** Shows the form that creates a link with separate visit counts, or the first link of a partner. */
export function NewLink({ main, isReady, onMade }: NewLinkProps) {
  const [page, setPage] = useState('');
  const [named, setNamed] = useState<string>();
  const name = named ?? nameOfPage(page);
  const isFirst = isReady && main === undefined;
  const create = useCall(
    (api) => api.portal.createLink(isFirst ? {} : { subId: name, ...(page === '' ? {} : { pageUrl: page }) }),
    {
      reloads: [['portal', 'links']],
      onAnswer: () => {
        setPage('');
        setNamed(undefined);
      },
      onDone: (made) => {
        if (made.url !== null) onMade({ ...made, url: made.url, visits: 0, conversions: 0 });
      },
    },
  );
  if (isFirst) {
    return (
      <Card title={links.emptyTitle} description={links.empty}>
        <Form call={create}>
          <div>
            <Button type="submit" variant="primary" icon={Plus} busy={create.isPending}>
              {links.makeFirst}
            </Button>
          </div>
        </Form>
      </Card>
    );
  }
  return (
    <Card title={texts.title} description={texts.description}>
      <Form call={create}>
        <div className={styles.newLink}>
          <TextField
            label={texts.page}
            name="pageUrl"
            type="url"
            description={texts.pageHelp}
            optional
            autoComplete="off"
            value={page}
            onChange={(typed) => setPage(typed.trim())}
          />
          <TextField
            label={texts.name}
            name="subId"
            description={texts.nameHelp}
            {...(main !== undefined && { prefix: `${main.code}.` })}
            mono
            autoComplete="off"
            spellCheck={false}
            maxLength={MAX_NAME}
            value={name}
            onChange={(typed) => setNamed(typed === '' ? undefined : subIdOf(typed))}
          />
          <Button type="submit" variant="primary" icon={Plus} busy={create.isPending} disabled={name === ''}>
            {texts.submit}
          </Button>
        </div>
      </Form>
    </Card>
  );
}

/** Returns a link name made from the path of a page: `mugs-blue` for `https://shop.example/mugs/blue`. */
function nameOfPage(page: string): string {
  if (!URL.canParse(page)) return '';
  const words = new URL(page).pathname.match(/[A-Za-z0-9]+/g) ?? [];
  return words.join('-').slice(0, MAX_NAME);
}

/** The maximum length of a link name in the API. */
const MAX_NAME = 64;

/** Returns a typed link name with dashes instead of spaces, because a link name can't contain spaces. */
function subIdOf(typed: string): string {
  return typed.replaceAll(/\s/g, '-');
}
