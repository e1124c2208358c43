// Ends the process of a test file some seconds after its last test, even if a failed test has left a server open.
// Node's own --test-force-exit isn't used, because it ends the process before its last results have arrived.
import { after } from 'node:test';

const GRACE_MS = 5000;

after(() => {
  setTimeout(() => process.exit(), GRACE_MS).unref();
});
