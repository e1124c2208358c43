import { useSearch } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { LeaveGuard } from '../leave-guard.tsx';
import { programEditor } from './editor/program-editor-texts.ts';
import { programRecipes as recipes } from './program-recipes-texts.ts';
import { programs as texts } from './programs-texts.ts';
import { type Recipe, RECIPES } from '#examples/recipes/recipes.ts';
import { useCall } from '#web/ui/shell/call.ts';
import { Button, LinkButton } from '#web/ui/controls/button.tsx';
import { useLinks } from '#web/ui/controls/links.ts';
import { Page } from '#web/ui/shell/page.tsx';
import { BLANK, bodyOf, type Draft, draftOf } from './editor/draft.ts';
import { useCompareWithHistory } from './editor/compare-with-history.tsx';
import { ProgramEditor } from './editor/editor.tsx';
import { RecipeCards, RecipeWords } from './recipe-cards.tsx';
import { RecipeSet } from './recipe-set.tsx';

const words = programEditor.save;

/** Creates a program from a recipe or from scratch. */
export function NewProgramPage() {
  const { recipe: slug, from } = useSearch({ strict: false });
  const isFirst = from === 'start';
  const recipe: Recipe | undefined = RECIPES.find((each) => each.slug === slug);
  const crumbs = [{ label: texts.title, href: '/programs' }];
  if (slug === undefined || (recipe === undefined && slug !== 'blank')) {
    return (
      <Page title={recipes.title} description={recipes.description} breadcrumbs={crumbs}>
        <RecipeCards />
      </Page>
    );
  }
  const title = recipe?.title ?? recipes.title;
  return (
    <Page
      title={title}
      tabTitle={recipes.title}
      description={recipe && <RecipeWords text={recipe.explanation} />}
      breadcrumbs={[...crumbs, { label: recipes.title, href: '/programs/new' }]}
      actions={<LinkButton href="/programs/new">{recipes.back}</LinkButton>}
    >
      {recipe !== undefined && recipe.programs.length > 1 ? (
        <RecipeSet recipe={recipe} doneHref={isFirst ? '/start' : '/programs'} />
      ) : (
        <NewProgram key={slug} recipe={recipe} hrefOf={(id) => (isFirst ? '/start' : `/programs/${id}`)} />
      )}
    </Page>
  );
}

type NewProgramProps = {
  readonly recipe: Recipe | undefined;
  /** Returns the path of the page that opens once the program is created. */
  readonly hrefOf: (id: number) => string;
};

function NewProgram({ recipe, hrefOf }: NewProgramProps) {
  const { navigate } = useLinks();
  const [first] = useState<Draft>(() => draftOf(recipe?.programs[0] ?? BLANK));
  const [draft, setDraft] = useState(first);
  const created = useRef(false);
  const eventTitles = useMemo(
    () => new Map((recipe?.customEvents ?? []).map(({ slug, name }) => [slug, name])),
    [recipe],
  );
  const create = useCall((api, status: 'active' | 'draft') => api.programs.create({ ...bodyOf(draft), status }), {
    reloads: ['programs'],
    done: ({ name, status }) => (status === 'draft' ? words.createdDraft(name) : words.created(name)),
    onDone: ({ id }) => {
      created.current = true;
      navigate(hrefOf(id));
    },
  });
  const compare = useCompareWithHistory({
    programId: null,
    terms: bodyOf(draft),
    earlier: undefined,
    onStarted: ({ id }) => {
      // The backtest keeps the draft.
      created.current = true;
      navigate(`/backtests/${id}`);
    },
  });
  return (
    <>
      <ProgramEditor
        draft={draft}
        eventTitles={eventTitles}
        error={create.error ?? undefined}
        onChange={(patch) => {
          if (create.isError) create.reset();
          setDraft((now) => ({ ...now, ...patch }));
        }}
        onSubmit={() => create.mutate('active')}
        actions={
          <>
            {compare.button}
            <Button busy={create.isPending && create.variables === 'draft'} onClick={() => create.mutate('draft')}>
              {words.createDraft}
            </Button>
            <Button type="submit" variant="primary" busy={create.isPending && create.variables === 'active'}>
              {words.create}
            </Button>
          </>
        }
      />
      {compare.dialog}
      <LeaveGuard unsaved={() => !created.current && draft !== first} />
    </>
  );
}
