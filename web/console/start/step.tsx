import type { ReactNode } from 'react';
import { start as texts } from './start-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { STEPS, type StepName } from './steps.ts';

type StepProps = {
  readonly name: StepName;
  readonly isDone: boolean;
  /** Opens the next step. Absent on the last step. */
  readonly onNext?: (() => void) | undefined;
  readonly children: ReactNode;
};

/** Shows one step of the guided start, with a button to the next step. */
export function Step({ name, isDone, onNext, children }: StepProps) {
  const number = (
    <Text tone="muted" size="small">
      {texts.step(STEPS.indexOf(name) + 1, STEPS.length)}
    </Text>
  );
  return (
    <Card title={texts[name].title} description={texts[name].help} actions={number}>
      <Stack gap={3}>
        {children}
        {onNext !== undefined && (
          <Row justify="end">
            <Button variant={isDone ? 'primary' : 'ghost'} onClick={onNext}>
              {isDone ? texts.next : texts.skip}
            </Button>
          </Row>
        )}
      </Stack>
    </Card>
  );
}
