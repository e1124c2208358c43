// Ends a process of test files five seconds after its last test, even if a failed test has left a server open. Node's
// own --test-force-exit isn't used, because it can end a process before the results of its last tests have arrived.
import { after } from 'node:test';

const GRACE_MS = 5000;

after(() => {
  setTimeout(() => process.exit(), GRACE_MS).unref();
});
