import type { Collaborator } from '@whence/sdk';
import { collaborators as texts } from '#console/texts/collaborators.ts';
import { Card } from '#ui/card.tsx';
import { CopyId } from '#ui/copy.tsx';
import { Facts } from '#ui/page.tsx';
import { Grid, Stack } from '#ui/stack.tsx';
import { Time } from '#ui/time.tsx';
import { AliasCard } from './alias-card.tsx';
import { Balances } from './balances.tsx';
import { RetiredAliases } from './retired-aliases.tsx';

const words = texts.page;

/** How somebody is reached, and what leads to them. */
export function OverviewTab({ collaborator }: { readonly collaborator: Collaborator }) {
  const { email, nickname, userId, createdAt } = collaborator;
  return (
    <Stack gap={4}>
      <Balances collaboratorId={collaborator.id} />
      <Grid min={360} gap={4}>
        <Stack gap={4}>
          <AliasCard collaborator={collaborator} kind="links" />
          <AliasCard collaborator={collaborator} kind="codes" />
          <RetiredAliases collaboratorId={collaborator.id} />
        </Stack>
        <Stack gap={4}>
          <Card title={words.contact}>
            <Facts
              items={[
                { label: words.email, value: email === null ? words.none : <CopyId text={email} /> },
                { label: words.nickname, value: nickname ?? words.none },
                { label: words.userId, value: userId ?? words.none },
                { label: words.since, value: <Time at={createdAt} as="date" /> },
              ]}
            />
          </Card>
        </Stack>
      </Grid>
    </Stack>
  );
}
