import { contentOf } from './file-content.ts';

/** The process, when it began and in which run of the machine, since numbers are given again; undefined when it ended. */
export function identityOf(pid: number): string | undefined {
  const boot = contentOf('/proc/sys/kernel/random/boot_id')?.trim();
  if (boot === undefined) return isRunning(pid) ? `${pid}` : undefined;
  // The fields after the name: the state (Z: dead, not yet collected), and 19 further on the start in clock ticks.
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
