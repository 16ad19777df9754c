import { createHmac } from 'node:crypto';
import type { Row } from './row.js';

export interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
  readonly states?: readonly unknown[] | null;
  readonly isRead?: boolean | null;
  readonly isUpcoming?: boolean | null;
}

/** An object of graphql-js's default resolver: fields by name, functions for fields with arguments. */
export type Resolvable = Record<string, unknown>;

/** Columns of the sort keys. */
type Keys = readonly [time: string, id: string];

const toCome = ({ state, endsAt }: Resolvable): boolean =>
  state === 'SCHEDULED' && Date.parse(String(endsAt)) > Date.now();

/** Pages and cursors of the lists of one member. */
export class NaivePages {
  constructor(
    private readonly member: { readonly site: string; readonly person: string },
    private readonly key: Buffer,
  ) {}

  /** `rows` are sorted, newest first. */
  page(
    list: string,
    all: readonly Row[],
    keys: Keys,
    { first, last, after, before, states, isRead, isUpcoming }: PageArguments,
    node: (row: Row) => Resolvable,
  ): Resolvable {
    const rows = all
      .filter((row) => !states || states.includes(node(row)['state']))
      .filter((row) => typeof isRead !== 'boolean' || node(row)['isRead'] === isRead)
      .filter((row) => typeof isUpcoming !== 'boolean' || toCome(node(row)) === isUpcoming);
    const within = rows
      .filter((row) => !after || keyOf(row, keys) < readKey(after))
      .filter((row) => !before || keyOf(row, keys) > readKey(before));
    const size = last ?? first ?? 20;
    const page = last ? within.slice(-size) : within.slice(0, size);
    const more = within.length > page.length;
    const [start, end] = [page[0], page.at(-1)];
    const cursorOf = (row: Row): string => this.cursorOf(list, row, keys);
    return {
      totalCount: rows.length,
      nodes: () => page.map(node),
      edges: () => page.map((row) => ({ cursor: cursorOf(row), node: node(row) })),
      pageInfo: {
        hasNextPage: last ? Boolean(before) : more,
        hasPreviousPage: last ? more : Boolean(after),
        startCursor: start === undefined ? null : cursorOf(start),
        endCursor: end === undefined ? null : cursorOf(end),
      },
    };
  }

  cursorOf(list: string, row: Row, [time, id]: Keys): string {
    const { site, person } = this.member;
    const bytes = Buffer.alloc(24);
    bytes.writeBigInt64BE(BigInt(Date.parse(String(row[time]))));
    bytes.write(hex(row[id]), 8, 'hex');
    return signed(this.key, `cursor.v2\0${site}\0${person}\0${list}`, bytes);
  }
}

/** Bytes and the first half of their HMAC, with a key that is derived for the subject. */
export function signed(master: Buffer, subject: string, bytes: Buffer): string {
  const key = createHmac('sha256', master).update(subject).digest();
  const tag = createHmac('sha256', key).update(bytes).digest().subarray(0, 16);
  return Buffer.concat([bytes, tag]).toString('base64url');
}

export function newestFirst(rows: readonly Row[], keys: Keys): Row[] {
  return rows.toSorted((a, b) => (keyOf(a, keys) < keyOf(b, keys) ? 1 : -1));
}

export function isOver(time: unknown): boolean {
  return typeof time === 'string' && Date.parse(time) < Date.now();
}

export function hex(uuid: unknown): string {
  return String(uuid).replaceAll('-', '');
}

function keyOf(row: Row, [time, id]: Keys): string {
  return comparable(BigInt(Date.parse(String(row[time]))), hex(row[id]));
}

function readKey(cursor: string): string {
  const bytes = Buffer.from(cursor, 'base64url');
  return comparable(bytes.readBigInt64BE(0), bytes.toString('hex', 8, 24));
}

function comparable(time: bigint, id: string): string {
  return `${String(time).padStart(20, '0')} ${id}`;
}
