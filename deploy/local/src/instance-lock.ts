import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * One stack per data directory. The owner listens on a socket named after the directory, and sends its process id to
 * each caller. Unlike a file with a pid it cannot outlive its process and cannot name a stranger. Returns what the
 * holder says of itself, or undefined when we hold it now.
 */
export async function lockDirectory(directory: string, whoWeAre: string): Promise<string | undefined> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const name = createHash('sha256').update(realpathSync(directory)).digest('hex').slice(0, 16);
  const path = join(tmpdir(), `lyceum-${process.getuid?.() ?? 0}-${name}.sock`);
  for (let attempt = 0; attempt < 2; attempt++) {
    if (await listens(path, whoWeAre)) return undefined;
    const holder = await ask(path);
    if (holder !== undefined) return holder;
    // The socket does not answer: its process has ended.
    if (existsSync(path)) rmSync(path, { force: true });
  }
  return 'a process that does not say who it is';
}

function listens(path: string, whoWeAre: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.end(whoWeAre);
    });
    server.unref();
    server.once('error', () => resolve(false));
    server.listen(path, () => {
      process.once('exit', () => rmSync(path, { force: true }));
      resolve(true);
    });
  });
}

function ask(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    let text = '';
    socket.setEncoding('utf8').setTimeout(2_000, () => socket.destroy());
    socket.on('data', (part: string) => (text += part));
    socket.on('error', () => resolve(undefined));
    socket.on('close', () => resolve(text || undefined));
  });
}
