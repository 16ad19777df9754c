import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { eventually } from '@lyceum/testing';
import { pauseAtRandom } from './random-pauses.ts';

/** A letter, see proc(5): T is stopped. */
const stateOf = (pid: number): string => /^\d+ \(.*\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '';

// Only Linux has /proc.
if (process.platform === 'linux')
  it('stops children of a process, not the process itself, and lets them go on at the end', async () => {
    const child = `require('node:child_process').spawn('sleep', ['600'], { stdio: 'inherit' })`;
    const parent = spawn(process.execPath, ['--eval', `console.log(${child}.pid)`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = Number(await new Promise((resolve) => parent.stdout.setEncoding('utf8').once('data', resolve)));
    try {
      const stop = pauseAtRandom(parent.pid!, { between: [1, 5], length: [200, 300] });
      await eventually(() => stateOf(pid) === 'T');
      expect(stateOf(parent.pid!)).not.toBe('T');
      await eventually(() => stateOf(pid) !== 'T');
      await eventually(() => stateOf(pid) === 'T');
      expect(stop()).toBeGreaterThanOrEqual(2);
      await eventually(() => stateOf(pid) !== 'T');
    } finally {
      process.kill(pid, 'SIGKILL');
      parent.kill('SIGKILL');
    }
  });
else
  it('stops nothing', () => {
    expect(pauseAtRandom(process.pid)()).toBe(0);
  });
