import { useQuery } from '@tanstack/react-query';
import type { Collaborator, Program, TestSale } from '@whence/sdk';
import { CircleCheck, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { usePermission } from '../session.ts';
import { start as texts } from './start-texts.ts';
import styles from './test-step.module.css';
import { useCall } from '#web/ui/shell/call.ts';
import { Button, LinkButton } from '#web/ui/controls/button.tsx';
import { Explanation } from '#web/ui/explanation/explanation.tsx';
import { Form, FormActions } from '#web/ui/form/form.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { MoneyField } from '#web/ui/form/money-field.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Step } from './step.tsx';
import { needsQuery, isLeadProgram, testSaleOf, usualTotal } from './trial.ts';
import { TrialNeeds } from './trial-needs.tsx';

const words = texts.test;

type TestStepProps = {
  /** The program and the partner of the test. Undefined until they exist. */
  readonly program: Program | undefined;
  readonly collaborator: Collaborator | undefined;
  /** The result of the test sale, which only this page has. */
  readonly tested: TestSale | undefined;
  readonly onTested: (tested: TestSale | undefined) => void;
};

/** Sends a test sale or test lead, which the service doesn't store, and shows its commissions and their explanation. */
export function TestStep({ program, collaborator, tested, onTested }: TestStepProps) {
  const may = usePermission('resources:write');
  return (
    <Step name="test" isDone={tested !== undefined}>
      {program === undefined || collaborator === undefined ? (
        <Text tone="muted">{words.missing}</Text>
      ) : tested !== undefined ? (
        <Receipt {...{ program, collaborator, tested }} onRemove={() => onTested(undefined)} />
      ) : may ? (
        <TestForm {...{ program, collaborator, onTested }} />
      ) : (
        <Text tone="muted">{texts.forbidden}</Text>
      )}
    </Step>
  );
}

type Of = { readonly program: Program; readonly collaborator: Collaborator };

function TestForm({ program, collaborator, onTested }: Of & Pick<TestStepProps, 'onTested'>) {
  const api = useApi();
  const { data: needs = [] } = useQuery(needsQuery(api, program, collaborator));
  const [total, setTotal] = useState<number | null>(usualTotal(program));
  const isLead = isLeadProgram(program);
  const test = useCall((api) => api.transactions.test(testSaleOf(collaborator, program, total ?? 0)), {
    onDone: onTested,
  });
  return (
    <Stack gap={3}>
      <TrialNeeds program={program} collaborator={collaborator} />
      <Form call={test}>
        <Text>{words.about(collaborator.name, program.name)}</Text>
        {!isLead && (
          <MoneyField label={words.total} name="total" currency={program.currency} value={total} onChange={setTotal} />
        )}
        <FormActions
          submitLabel={isLead ? words.submitLead : words.submit}
          disabled={needs.length > 0 || (!isLead && total === null)}
        />
      </Form>
    </Stack>
  );
}

type ReceiptProps = Of & { readonly tested: TestSale; readonly onRemove: () => void };

function Receipt({ collaborator, tested, onRemove }: ReceiptProps) {
  const { explanation, ledgerEntries, total, currency } = tested;
  const { conversions } = explanation;
  const isLead = explanation.kind === 'lead';
  return (
    <Stack gap={3}>
      <div role="status">
        <ol className={styles.stages}>
          <Stage>{words.clicked(collaborator.name)}</Stage>
          <Stage>
            {isLead ? (
              words.lead
            ) : (
              <>
                {words.sold} <Money minor={total} currency={currency} />
              </>
            )}
          </Stage>
          <Stage>{words.decided}</Stage>
        </ol>
      </div>
      <Explanation explanation={explanation} withText={false} />
      {ledgerEntries.length > 0 && (
        <ul className={styles.stages}>
          <Stage>{words.ledger(ledgerEntries.length)}</Stage>
        </ul>
      )}
      <Notice
        tone={conversions.length > 0 ? 'good' : 'warn'}
        title={conversions.length > 0 ? words.earned : words.earnedNothing}
        actions={
          <Row>
            <Button icon={Trash2} onClick={onRemove}>
              {words.remove}
            </Button>
            <LinkButton href="/" variant="primary">
              {texts.overview}
            </LinkButton>
          </Row>
        }
      >
        {words.storedHelp}
      </Notice>
    </Stack>
  );
}

function Stage({ children }: { readonly children: ReactNode }) {
  return (
    <li className={styles.stage}>
      <CircleCheck aria-hidden />
      <span>{children}</span>
    </li>
  );
}
