import type { Principal } from '@lyceum/contracts';
import { ApiError, errorOr } from '@lyceum/errors';
import { Cursors } from '@lyceum/rest';
import type { CursorContext, Position } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { foreignCursor, isFenced, oldestReadable, readableTypes, requireFresh } from './change.policy.js';
import { ChangeRepository } from './change.repository.js';
import type { Change } from './change.js';
import type { ChangeQuery } from './change.schema.js';

/** A page of the feed. Its cursor continues also after the last change. */
export interface ChangePage {
  readonly rows: readonly Change[];
  readonly next: string;
  readonly more: boolean;
}

/** Position before all changes. */
const START = '0';

/** The epoch of a database that was never restored. Its cursors do not name it. */
const FIRST_EPOCH = 1;

/** A position is the time in microseconds. The margin covers the rounding of `created_at`. */
const MARGIN_MS = 1_000;

@Injectable()
export class ChangeService {
  constructor(
    private readonly changes: ChangeRepository,
    private readonly cursors: Cursors,
  ) {}

  /**
   * Returns changes in the order of their recording: those of the scopes, and for teachers those of own courses.
   *
   * @throws `insufficient_scope`, `forbidden`, `invalid_cursor`
   */
  async list(principal: Principal, query: ChangeQuery, now = new Date()): Promise<ChangePage> {
    const { site_id, member_id } = principal;
    const { cursor, limit, ...filters } = query;
    const types = readableTypes(principal, filters.type);
    const teacher = isFenced(principal) ? member_id : undefined;
    const epoch = await this.changes.epoch();
    // A reader who has seen changes that a restore of the database took back must read the collections again.
    const restored = epoch === FIRST_EPOCH ? {} : { epoch };
    const context = { collection: 'changes', site_id, sort: 'created_at', filters: { ...filters, ...restored } };
    const [after, readAt] = cursor === undefined ? [START, undefined] : this.#open(context, filters, cursor);
    if (readAt !== undefined) requireFresh(new Date(readAt), now);
    const since = latest(
      after === START ? oldestReadable(now) : new Date(Number(after) / 1_000 - MARGIN_MS),
      filters['created_at[gte]'],
    );
    const found = await this.changes.list({ site_id, types, teacher, after, since, limit: limit + 1 });
    const rows = found.rows.slice(0, limit);
    const more = found.rows.length > limit;
    const last = rows.at(-1);
    // The age of a cursor counts from the instant up to which its reader has seen all changes.
    const [position, seenUntil] =
      more && last !== undefined ? [last.position, last.created_at] : [higher(found.clock, after), now];
    return { rows, more, next: this.cursors.seal(context, [position, seenUntil.toISOString()]) };
  }

  /**
   * Opens a cursor of the types as given, or of the same types sorted. 0.1.0 opens the first alone, so this release
   * seals no other.
   *
   * @throws `invalid_cursor`
   */
  #open(context: CursorContext, { type }: Pick<ChangeQuery, 'type'>, cursor: string): Position {
    const given = errorOr(() => this.cursors.open(context, cursor));
    if (!(given instanceof ApiError)) return given;
    const filters = { ...context.filters, type: type && [...new Set(type)].toSorted() };
    const sorted = errorOr(() => this.cursors.open({ ...context, filters }, cursor));
    if (sorted instanceof ApiError) throw foreignCursor();
    return sorted;
  }
}

function latest(from: Date, since: string | undefined): Date {
  const given = since === undefined ? from : new Date(since);
  return given > from ? given : from;
}

function higher(one: string, other: string): string {
  return BigInt(one) > BigInt(other) ? one : other;
}
