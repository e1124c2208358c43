import { Boxes, FilePlus, Radio } from 'lucide-react';
import { programRecipes as words } from './program-recipes-texts.ts';
import { rewardText } from './rewards-texts.ts';
import { type Recipe, RECIPES } from '#examples/recipes/recipes.ts';
import { Badge } from '#web/ui/controls/badge.tsx';
import { useLinkProps } from '#web/ui/controls/link.tsx';
import { Row } from '#web/ui/controls/stack.tsx';
import styles from './recipe-cards.module.css';

/** Shows the recipes for new programs. With `from: start`, creating a program opens the guided start. */
export function RecipeCards({ from }: { readonly from?: 'start' }) {
  const hrefOf = (recipe: string) => `/programs/new?recipe=${recipe}${from === undefined ? '' : `&from=${from}`}`;
  return (
    <ul className={styles.cards}>
      {RECIPES.map((recipe) => (
        <RecipeCard key={recipe.slug} recipe={recipe} href={hrefOf(recipe.slug)} />
      ))}
      <li className={styles.item}>
        <a className={styles.card} {...useLinkProps(hrefOf('blank'))}>
          <FilePlus aria-hidden />
          <strong className={styles.title}>{words.blank}</strong>
          <span className={styles.words}>{words.blankHelp}</span>
        </a>
      </li>
    </ul>
  );
}

function RecipeCard({ recipe, href }: { readonly recipe: Recipe; readonly href: string }) {
  const { title, explanation, programs: made, customEvents } = recipe;
  const [first] = made;
  return (
    <li className={styles.item}>
      <a className={styles.card} {...useLinkProps(href)}>
        <strong className={styles.title}>{title}</strong>
        <span className={styles.words}>
          <RecipeWords text={explanation} />
        </span>
        <Row gap={1} className={styles.foot}>
          <Badge tone="accent">{rewardText(first.reward, first.currency ?? 'USD')}</Badge>
          {made.length > 1 && <Badge icon={Boxes}>{words.several(made.length)}</Badge>}
          {customEvents.length > 0 && <Badge icon={Radio}>{words.event}</Badge>}
        </Row>
      </a>
    </li>
  );
}

/** Shows a recipe's explanation. Text in backticks is shown as code. */
export function RecipeWords({ text }: { readonly text: string }) {
  return text.split('`').map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part));
}
