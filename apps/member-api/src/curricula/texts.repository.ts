import { Injectable } from '@nestjs/common';
import { textEvents } from '@lyceum/contracts';
import { Consumes, ReadModel, lockRows, writeNewest } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { rowsOf } from '#src/read-models/rows-of.js';

type TextEvent = EventOf<[typeof textEvents]>;

const TEXTS = { table: 'texts', key: ['site_id', 'owner_id', 'piece'] };

/** Deletes pieces that a newer and shorter text has not overwritten. Events of both can arrive in any order. */
const LEFT_OVER = `
  delete from texts t using jsonb_to_recordset($1::jsonb) as w (site_id uuid, owner_id uuid), texts n
  where n.site_id = w.site_id and n.owner_id = w.owner_id and t.site_id = n.site_id and t.owner_id = n.owner_id
    and t.piece >= n.pieces and (t.epoch, t.version) < (n.epoch, n.version)`;

/** The descriptions of courses and the contents of lectures. */
@Injectable()
@ReadModel('texts')
export class TextsRepository {
  @Consumes(textEvents, 'texts', { table: 'texts' })
  async apply(events: readonly TextEvent[], tx: EntityManager): Promise<void> {
    const rows = rowsOf(events, ['site_id', 'owner_id', 'html'], ({ piece }) => ({
      piece: piece.index,
      pieces: piece.count,
    }));
    const owners = rows.map(({ site_id, owner_id }) => ({ site_id, owner_id }));
    // Replicas can apply different pieces of a text at once. The lock of the first piece orders them: otherwise the
    // older one stays beside the newer text. Those that write the first piece alone lock it anyway.
    if (rows.some(({ piece }) => piece !== 0)) {
      const firsts = owners.map((owner) => ({ ...owner, piece: 0, pieces: 1, html: '' }));
      await lockRows(tx, TEXTS, firsts);
    }
    await writeNewest(tx, TEXTS, rows);
    await tx.query(LEFT_OVER, [JSON.stringify(owners)]);
  }
}
