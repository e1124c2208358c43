import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CreateProgramBody, Whence } from '@whence/sdk';
import { useRef } from 'react';
import { programRecipes as words } from '#console/texts/program-recipes.ts';
import type { Recipe } from '#recipes/recipes.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { useLinks } from '#ui/links.ts';
import { Notice } from '#ui/notice.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Grid, Row, Stack } from '#ui/stack.tsx';
import { toast } from '#ui/toast.tsx';
import { wordsOf } from './program-words.ts';
import { Words } from './editor/words.tsx';

/** A recipe of several programs that belong together: what it makes, and all of it at once. */
export function RecipeSet({ recipe, doneHref }: { readonly recipe: Recipe; readonly doneHref: string }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const { navigate } = useLinks();
  // After a failure it goes on where it was: nothing is made twice.
  const made = useRef<number[]>([]);
  const create = useMutation({
    mutationFn: () => createAll(api, recipe, made.current),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['programs'] });
      await queryClient.invalidateQueries({ queryKey: ['programGroups'] });
      toast.success(words.created(recipe.programs.length));
      navigate(doneHref);
    },
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
  const api = useApi();
  const { data, error } = useQuery({
    queryKey: ['programs', 'words', JSON.stringify(program)],
    queryFn: ({ signal }) => wordsOf(api, program, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Card title={program.name} description={program.description}>
      {error !== null && <ErrorPanel error={error} />}
      {data === undefined ? error === null && <Skeleton lines={6} /> : <Words words={data} />}
    </Card>
  );
}

/** Events first, since programs listen to them, and the group last, since it names its programs. `made` has those that there are. */
async function createAll(api: Whence, { customEvents, programs, group }: Recipe, made: number[]): Promise<void> {
  for (const event of customEvents) {
    const known = await api.customEvents.list({ slug: event.slug, perPage: 1 }).page();
    if (known.data.length === 0) await api.customEvents.create(event);
  }
  for (const program of programs.slice(made.length)) made.push((await api.programs.create(program)).id);
  if (group !== null) await api.programGroups.create({ ...group, programIds: made });
}
