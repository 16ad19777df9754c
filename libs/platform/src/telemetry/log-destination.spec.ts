import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogDestination, droppedLogLines } from './log-destination.js';

describe('LogDestination', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'lyceum-log-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('writes every line to its file', () => {
    const file = join(directory, 'log');
    const fd = openSync(file, 'a');
    const destination = new LogDestination(fd);
    const before = droppedLogLines();
    destination.write('one\n');
    destination.write('zwei ✓\n');
    closeSync(fd);
    expect(readFileSync(file, 'utf8')).toBe('one\nzwei ✓\n');
    expect(droppedLogLines()).toBe(before);
  });

  it('drops and counts a line that its file rejects', () => {
    const fd = openSync('/dev/full', 'w');
    const destination = new LogDestination(fd);
    const before = droppedLogLines();
    destination.write('one\n');
    destination.write('two\n');
    closeSync(fd);
    expect(droppedLogLines() - before).toBe(2);
  });

  it('waits once for a blocked reader, then drops lines at once, and starts on a new line when it reads again', () => {
    const fifo = join(directory, 'fifo');
    execFileSync('/usr/bin/mkfifo', [fifo]);
    const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
    const fd = openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK);
    try {
      const destination = new LogDestination(fd);
      const before = droppedLogLines();
      destination.write(`${'x'.repeat(1_000_000)}\n`);
      const began = performance.now();
      for (let line = 0; line < 100; line += 1) destination.write('lost\n');
      expect(performance.now() - began).toBeLessThan(5_000);
      expect(droppedLogLines() - before).toBe(101);
      const written = readAvailable(reader);
      expect(written).toMatch(/^x+$/);
      destination.write('after\n');
      expect(readAvailable(reader)).toBe('\nafter\n');
    } finally {
      closeSync(fd);
      closeSync(reader);
    }
  });
});

function readAvailable(fd: number): string {
  const parts: Buffer[] = [];
  for (;;) {
    const part = Buffer.alloc(65_536);
    try {
      const length = readSync(fd, part);
      if (length === 0) break;
      parts.push(part.subarray(0, length));
    } catch {
      break;
    }
  }
  return Buffer.concat(parts).toString();
}
