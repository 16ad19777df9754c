import { createSocket } from 'node:dgram';
import type { Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';

const HEADER_BYTES = 12;
const RESPONSE = 0x81_80;
const CODES = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3 };
const TYPES: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };

/** Addresses of a name, or a failure. Undefined: the server does not respond. */
type Zone = (name: string, type: 'A' | 'AAAA') => readonly string[] | 'SERVFAIL' | 'NXDOMAIN' | undefined;

/** A name server on loopback. */
export class NameServer {
  /** Questions so far, as `A example.com`. */
  readonly questions: string[] = [];

  private constructor(private readonly socket: Socket) {}

  static async start(zone: Zone): Promise<NameServer> {
    const socket = createSocket('udp4');
    const server = new NameServer(socket);
    socket.on('message', (query, { port, address }) => {
      const { name, number, end } = questionOf(query);
      const type = TYPES[number] ?? 'A';
      server.questions.push(`${type} ${name}`);
      const found = zone(name, type);
      if (found !== undefined) socket.send(responseTo(query.subarray(0, end), found), port, address);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return server;
  }

  /** With the port. */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  stop(): void {
    this.socket.close();
  }
}

function questionOf(query: Buffer): { readonly name: string; readonly number: number; readonly end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), number: query.readUInt16BE(at + 1), end: at + 5 };
}

/** @param query header and question */
function responseTo(query: Buffer, found: NonNullable<ReturnType<Zone>>): Buffer {
  const addresses = typeof found === 'string' ? [] : found;
  const head = Buffer.from(query);
  head.writeUInt16BE(RESPONSE | CODES[typeof found === 'string' ? found : 'NOERROR'], 2);
  for (const [place, count] of [addresses.length, 0, 0].entries()) head.writeUInt16BE(count, 6 + 2 * place);
  return Buffer.concat([head, ...addresses.map(recordOf)]);
}

/** The name of the question, the type, the class, one minute, and the address. */
function recordOf(address: string): Buffer {
  const data = isIPv6(address) ? bytesOfIPv6(address) : Buffer.from(address.split('.').map(Number));
  const record = Buffer.from([0xc0, HEADER_BYTES, 0, isIPv6(address) ? 28 : 1, 0, 1, 0, 0, 0, 60, 0, data.length]);
  return Buffer.concat([record, data]);
}

function bytesOfIPv6(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':')).map((one) => one.padStart(4, '0'));
  const known = groups(head).length + groups(tail).length;
  return Buffer.from([...groups(head), ...Array<string>(8 - known).fill('0000'), ...groups(tail)].join(''), 'hex');
}
