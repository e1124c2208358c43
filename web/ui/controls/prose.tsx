import { blocksOf } from './prose-blocks.ts';
import styles from './prose.module.css';

/**
 * Shows a long text of the merchant. A line that starts with `#` is a heading, lines that start with `- ` are a list,
 * and a blank line ends a paragraph. All other characters are shown as they are.
 */
export function Prose({ text }: { readonly text: string }) {
  return (
    <div className={styles.prose}>
      {blocksOf(text).map(({ kind, lines }) => {
        const [{ number, words }] = lines;
        if (kind === 'heading') return <h3 key={number}>{words}</h3>;
        if (kind === 'paragraph') return <p key={number}>{lines.map((line) => line.words).join('\n')}</p>;
        return (
          <ul key={number}>
            {lines.map((line) => (
              <li key={line.number}>{line.words}</li>
            ))}
          </ul>
        );
      })}
    </div>
  );
}
