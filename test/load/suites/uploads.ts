import { fork } from 'node:child_process';
import { once } from 'node:events';
import { hash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { scaled } from '../arguments.ts';
import { residentMemory } from '../processes.ts';
import type { Quantity, Suite } from '../suite.ts';
import type { SentUploads } from '../upload-sender.ts';
import { operatorOf, type Send } from './operator.ts';

/** The quota of open uploads of a site. Each takes two of the 200 writes a minute of the owner. */
const UPLOADS = 100;
const BYTES = 5_000_000;
/** Below the rate limit of the owner: 600 reads a minute. */
const PROBE_MS = 110;
/** The 99th of 100 would be nearly the slowest one. */
const PROBES = 200;
const MEGABYTE = 1024 ** 2;

interface Upload {
  readonly id: string;
  readonly state: string;
  readonly upload_url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

/**
 * Files that arrive at one time in a directory of admin-api: the delay of other requests, and the memory meanwhile. The
 * sender shares the cores, so the same files are also sent to a bare server in another process.
 */
export const uploads: Suite = async ({ stack, arguments: wanted, step, startBaseline }) => {
  const [count, probes] = [scaled(wanted, UPLOADS, 2), scaled(wanted, PROBES)];
  const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(scaled(wanted, BYTES) - 9)]);
  const send = await operatorOf(stack, 'storage:write students:read');
  const bare = await startBaseline('receiver', {});
  const { internalUrl: origin, pid } = stack.services.find(({ name }) => name === 'admin-api')!;
  const started = await step(`start ${count} uploads`, () => startUploads(send, content, count));
  const memory = (): number => residentMemory(pid!) ?? 0;
  // A first file loads what all of them need.
  const first = sending({ origin, content, started: started.slice(0, 1) });
  first.end();
  await first.over;
  const idle = await step('probe the idle service', () => probe(send, (delays) => delays.length < probes));
  const during = { send, content, started, probes };
  const beside = await step(`probe the service while a bare server receives ${count} files`, () =>
    probeDuring({ ...during, origin: bare.origin }),
  );
  const before = memory();
  let most = before;
  const watch = (): void => void (most = Math.max(most, memory()));
  const busy = await step(`probe the service while ${count} files arrive`, () =>
    probeDuring({ ...during, origin, watch }),
  );
  const arrived = most;
  await step(`complete ${count} uploads`, async () => {
    for (const { id } of started) await complete(send, id);
    watch();
    process.stdout.write(`${megabytes(arrived - before)} MB before, ${megabytes(most - before)} MB now … `);
  });
  const title = `${count} uploads of ${(content.length / 1e6).toFixed(2)} MB`;
  return [
    quantity(`p99 of reads of others during ${title} at one time ÷ idle`, '×', 2, p99(busy) / p99(idle)),
    quantity(`the same ÷ while a bare server in another process receives them`, '×', 1, p99(busy) / p99(beside)),
    quantity(`growth of admin-api during ${title} at one time`, 'MB', 20, (most - before) / MEGABYTE),
  ];
};

const megabytes = (bytes: number): string => (bytes / MEGABYTE).toFixed(0);

const quantity = (title: string, unit: Quantity['unit'], goal: number, value: number): Quantity => ({
  suite: 'uploads',
  title,
  unit,
  goal,
  measure: () => Promise.resolve(value),
});

interface During {
  readonly send: Send;
  readonly origin: string;
  readonly content: Buffer;
  readonly started: readonly Upload[];
  readonly probes: number;
  /** Runs after each probe. */
  readonly watch?: () => void;
}

/** Probes the service while files are sent to a server, again and again. */
async function probeDuring({ send, probes, watch, ...files }: During): Promise<readonly number[]> {
  const began = performance.now();
  const sender = sending(files);
  let isOver = false;
  const over = sender.over.finally(() => (isOver = true));
  over.catch(() => undefined);
  const delays = await probe(send, (found) => {
    watch?.();
    if (found.length >= probes) sender.end();
    return !isOver;
  });
  const arrived = await over;
  const rate = (arrived * files.content.length) / 1_000 / (performance.now() - began);
  process.stdout.write(`${arrived} files, ${rate.toFixed(0)} MB/s … `);
  return delays;
}

async function startUploads(send: Send, content: Buffer, count: number): Promise<readonly Upload[]> {
  const announced = {
    purpose: 'attachment',
    filename: 'worksheet.pdf',
    content_type: 'application/pdf',
    bytes: content.length,
    sha256: hash('sha256', content),
  };
  const started: Upload[] = [];
  while (started.length < count) started.push(await send<Upload>('POST', '/uploads', announced));
  return started;
}

function linkOf({ upload_url, headers }: Upload): SentUploads['links'][number] {
  const { host, pathname, search } = new URL(upload_url);
  const given = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
  return { path: `${pathname}${search}`, headers: { ...given, host } };
}

/** Sends the files from another process, whose work does not delay the probes of this one. */
function sending({ origin, content, started }: Pick<During, 'origin' | 'content' | 'started'>) {
  const sender = fork(join(import.meta.dirname, '../upload-sender.ts'), { serialization: 'advanced' });
  const uploaded: SentUploads = { origin, content, links: started.map(linkOf) };
  sender.send(uploaded);
  const over = Promise.race([
    once(sender, 'message'),
    once(sender, 'exit').then(() => ['The process that sends files has ended']),
  ]).then(([result]: unknown[]) => {
    if (typeof result !== 'number') throw new Error(String(result));
    return result;
  });
  let isEnding = false;
  return {
    over,
    end: () => {
      if (!isEnding && sender.connected) sender.send('end');
      isEnding = true;
    },
  };
}

async function complete(send: Send, id: string): Promise<void> {
  const { state } = await send<Upload>('POST', `/uploads/${id}/complete`, {});
  if (state !== 'ready') throw new Error(`The upload is ${state}`);
}

/** Milliseconds of reads of a page of another collection, with pauses. */
async function probe(send: Send, goesOn: (delays: readonly number[]) => boolean): Promise<readonly number[]> {
  const delays: number[] = [];
  while (goesOn(delays)) {
    const began = performance.now();
    await send('GET', '/students?limit=20&sort=name');
    delays.push(performance.now() - began);
    await sleep(PROBE_MS);
  }
  return delays;
}

function p99(delays: readonly number[]): number {
  const sorted = delays.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
}
