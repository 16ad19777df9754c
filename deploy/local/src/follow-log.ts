import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';

/** Writes what is added to a log, each line behind a name. Returns what ends it. */
export function followLog(name: string, file: string, write: (line: string) => void): () => void {
  let position = existsSync(file) ? statSync(file).size : 0;
  let rest = '';
  const read = (): void => {
    const size = existsSync(file) ? statSync(file).size : 0;
    if (size <= position) return;
    const buffer = Buffer.alloc(size - position);
    const descriptor = openSync(file, 'r');
    position += readSync(descriptor, buffer, 0, buffer.length, position);
    closeSync(descriptor);
    const lines = (rest + buffer.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) write(`${name.padEnd(11)} | ${line}\n`);
  };
  const timer = setInterval(read, 200);
  return () => {
    clearInterval(timer);
    read();
  };
}
