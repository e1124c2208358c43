import { type ReactNode, useMemo, useState } from 'react';
import { programEditor as texts } from './program-editor-texts.ts';
import { Card } from '#web/ui/shell/card.tsx';
import { Form } from '#web/ui/form/form.tsx';
import type { ShownFault } from '#web/ui/feedback/problem.ts';
import { Stack } from '#web/ui/controls/stack.tsx';
import { Basics } from './basics.tsx';
import { bodyOf, type ChangeDraft, type Draft } from './draft.ts';
import styles from './editor.module.css';
import { firstExample, useExample } from './example.ts';
import { HoldsSection } from './holds-section.tsx';
import { CustomRatesSection, TiersSection } from './people-sections.tsx';
import { Preview } from './preview.tsx';
import { GroupSection, MissingEvents, TriggersSection } from './reach-sections.tsx';
import { LimitsSection, LinesSection, PaysSection } from './sold-sections.tsx';

export type EditorProps = {
  readonly draft: Draft;
  readonly onChange: ChangeDraft;
  readonly onSubmit: () => void;
  /** The error of the last attempt to save. */
  readonly error: unknown;
  /** The buttons of the form. */
  readonly actions: ReactNode;
  /** The titles of custom events that must be registered first, by slug. */
  readonly eventTitles?: ReadonlyMap<string, string>;
};

/** Edits the terms of a program, next to a preview of their effect. */
export function ProgramEditor({ draft, onChange, onSubmit, error, actions, eventTitles = NO_TITLES }: EditorProps) {
  const [example, setExample] = useState(firstExample);
  const body = useMemo(() => bodyOf(draft), [draft]);
  const tried = useExample(body, example);
  const faults = useMemo(() => tried.faults.filter(isOfProgram), [tried.faults]);
  const live = useMemo(() => faults.filter(({ code }) => !UNFINISHED.has(code)), [faults]);
  const ofExample = useMemo(() => tried.faults.filter((fault) => !isOfProgram(fault)), [tried.faults]);
  const refused = useMemo(() => [...live, ...faultsIn(error)], [live, error]);
  const terms = { draft, onChange, faults: refused };
  return (
    <div className={styles.layout}>
      <Form onSubmit={onSubmit} error={error} live={live}>
        <MissingEvents triggers={draft.triggers} titles={eventTitles} />
        <Basics draft={draft} onChange={onChange} />
        <Card title={texts.more.title} description={texts.more.help} padded={false}>
          <PaysSection {...terms} />
          <LinesSection {...terms} />
          <LimitsSection {...terms} />
          <HoldsSection {...terms} />
          <TiersSection {...terms} />
          <CustomRatesSection {...terms} />
          <TriggersSection {...terms} />
          <GroupSection {...terms} />
        </Card>
        <div className={styles.save}>{actions}</div>
      </Form>
      <Stack gap={4} className={styles.beside}>
        <Preview draft={draft} example={example} onChange={setExample} tried={tried} faults={ofExample} />
      </Stack>
    </div>
  );
}

const NO_TITLES: ReadonlyMap<string, string> = new Map();

/** The codes of faults in unfinished input. Such faults are hidden until the user saves. */
const UNFINISHED = new Set(['required', 'too-short', 'wrong-type']);

function isOfProgram({ pointer }: ShownFault): boolean {
  return !/^\/(sale|touches)(\/|$)/.test(pointer);
}

function faultsIn(error: unknown): readonly ShownFault[] {
  const { errors } = (error ?? {}) as { readonly errors?: unknown };
  return Array.isArray(errors) ? (errors as ShownFault[]) : [];
}
