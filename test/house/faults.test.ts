import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Control } from '../../chaos/control.ts';
import type { Fault } from '../../chaos/fault.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const namesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, 'chaos', folder)).map((file) => file.replace(/\.ts$/, ''));

/** What lasts a minute is tried in the full run alone. */
const LONG = new Set(['long-outage']);

/** What takes minutes is run by `npm run chaos`. That it can be run is seen here. */
describe('the faults of chaos/', () => {
  for (const name of namesIn('faults')) {
    it(`${name} is called as its file, and is tried in short too unless it lasts a minute`, async () => {
      const { fault } = (await import(`../../chaos/faults/${name}.ts`)) as { fault: Fault };
      assert.equal(fault.name, name);
      const { short, full } = fault.trials;
      assert.ok(full >= 1 && full >= short);
      assert.equal(short >= 1, !LONG.has(name));
    });
  }

  for (const name of namesIn('controls')) {
    it(`the naive service of ${name} differs from the one there is`, async () => {
      const { control } = (await import(`../../chaos/controls/${name}.ts`)) as { control: Control };
      assert.equal(control.name, name);
      assert.ok(namesIn('faults').includes(control.fault), control.fault);
      for (const { file, instead, put } of control.edits) {
        assert.ok(readFileSync(join(ROOT, file), 'utf8').includes(instead), `${file} holds: ${instead}`);
        assert.notEqual(instead, put);
      }
    });
  }
});
