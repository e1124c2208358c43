// Loaded into the process of each test file. A failed test may leave a server open, which must not keep the process
// running. Node's own --test-force-exit ends the process before its last results have arrived.
import { after } from 'node:test';

const GRACE_MS = 5000;

after(() => {
  setTimeout(() => process.exit(), GRACE_MS).unref();
});
