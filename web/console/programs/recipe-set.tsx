import type { CreateProgramBody, Whence } from '@whence/sdk';
import { useRef } from 'react';
import { programRecipes as words } from './program-recipes-texts.ts';
import type { Recipe } from '#examples/recipes/recipes.ts';
import { useCall, useRead } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { useLinks } from '#web/ui/controls/links.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Grid, Row, Stack } from '#web/ui/controls/stack.tsx';
import { wordsOf } from './program-words.ts';
import { Words } from './editor/words.tsx';

/** Shows a recipe of several related programs, with a button that creates all of them. */
export function RecipeSet({ recipe, doneHref }: { readonly recipe: Recipe; readonly doneHref: string }) {
  const { navigate } = useLinks();
  // A retry continues after the last created program, so no program is created twice.
  const made = useRef<number[]>([]);
  const create = useCall((api) => createAll(api, recipe, made.current), {
    reloads: ['programs', 'programGroups'],
    done: words.created(recipe.programs.length),
    onDone: () => navigate(doneHref),
  });
  return (
    <Stack gap={4}>
      <Notice title={words.setTitle}>
        {recipe.group === null
          ? words.setHelp(recipe.programs.length)
          : words.group(recipe.programs.length, recipe.group.name)}
      </Notice>
      <Grid min={320}>
        {recipe.programs.map((program) => (
          <OneOfSet key={program.name} program={program} />
        ))}
      </Grid>
      {create.error !== null && <ErrorPanel error={create.error} />}
      <Row justify="end">
        <Button variant="primary" busy={create.isPending} onClick={() => create.mutate()}>
          {words.create(recipe.programs.length)}
        </Button>
      </Row>
    </Stack>
  );
}

function OneOfSet({ program }: { readonly program: CreateProgramBody }) {
  const { data, error } = useRead(
    ['programs', 'words', JSON.stringify(program)],
    (api, { signal }) => wordsOf(api, program, signal),
    { staleTime: Number.POSITIVE_INFINITY },
  );
  return (
    <Card title={program.name} description={program.description}>
      {error !== null && <ErrorPanel error={error} />}
      {data === undefined ? error === null && <Skeleton lines={6} /> : <Words words={data} />}
    </Card>
  );
}

/**
 * Creates the custom events of a recipe, then its programs, and then its group, because each step uses the results of
 * the previous steps. `made` has the ids of the programs that already exist.
 */
async function createAll(api: Whence, { customEvents, programs, group }: Recipe, made: number[]): Promise<void> {
  for (const event of customEvents) {
    const known = await api.customEvents.list({ slug: event.slug, perPage: 1 }).page();
    if (known.data.length === 0) await api.customEvents.create(event);
  }
  for (const program of programs.slice(made.length)) made.push((await api.programs.create(program)).id);
  if (group !== null) await api.programGroups.create({ ...group, programIds: made });
}
