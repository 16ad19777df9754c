import type { DataSource } from 'typeorm';

/** The new epoch is the time in seconds. `epoch + 1` would repeat an epoch when the same backup is restored twice. */
const RAISE = `
  UPDATE event_epoch
     SET epoch = greatest(epoch + 1, extract(epoch FROM clock_timestamp())::bigint), raised_at = clock_timestamp()
  RETURNING epoch::float8 AS epoch`;

export async function raiseEpoch(source: DataSource): Promise<{ readonly epoch: number }> {
  const [rows] = await source.query<[{ epoch: number }[], number]>(RAISE);
  const [row] = rows;
  if (row === undefined) throw new Error('The table event_epoch has no row: run migrate first');
  return row;
}
