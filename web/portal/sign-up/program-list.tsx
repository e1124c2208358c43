import type { Portal } from '@whence/sdk';
import { ArrowRight } from 'lucide-react';
import { usePortal } from '../brand.ts';
import { signUp as texts } from './sign-up-texts.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import styles from './sign-up.module.css';

export type OfferedProgram = Portal['programs'][number];

export function ProgramList({ programs }: { readonly programs: readonly OfferedProgram[] }) {
  const { name: portal } = usePortal();
  return (
    <ul className={styles.programs}>
      {programs.map(({ id, name, headline, words, mode }) => (
        <li key={id} className={styles.program}>
          <h2>
            <Link href={`/sign-up/${id}`} className={styles.programLink} quiet>
              {headline ?? name}
            </Link>
          </h2>
          <p>{words[0]}</p>
          <Text tone="muted" size="small">
            {mode === 'approval' ? texts.mode.approval(portal) : texts.mode.open}
          </Text>
          <ArrowRight aria-hidden />
        </li>
      ))}
    </ul>
  );
}
