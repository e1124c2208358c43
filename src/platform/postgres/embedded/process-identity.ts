import { contentOf } from './file-content.ts';

/**
 * Returns the process id with its start time and the machine's boot id, because process ids are reused. Without /proc,
 * returns only the process id. Returns undefined if the process has ended.
 */
export function identityOf(pid: number): string | undefined {
  const boot = contentOf('/proc/sys/kernel/random/boot_id')?.trim();
  if (boot === undefined) return isRunning(pid) ? `${pid}` : undefined;
  // Skip the process name. The next field is the state, where Z means that the process has ended but was not collected.
  // The 19th field after the state is the start time in clock ticks.
  const fields = contentOf(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ');
  return fields === undefined || fields[0] === 'Z' ? undefined : `${pid} ${fields[19]} ${boot}`;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
